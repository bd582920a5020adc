/// What a rule's figure is at a moment: an exact fraction, so that 99.96 % is not below 99.96 %.
struct AlertMeasure: Sendable, Hashable {
    let part: Int64
    /// 0 for a percentage of nothing.
    let whole: Int64
    /// Nil for a figure without a sample.
    let sample: Int64?

    /// Rounded down to a thousandth; nil for a percentage of nothing.
    var value: AlertValue? {
        guard whole > 0 else { return nil }
        let (quotient, remainder) = (Int128(part) * 1000).quotientAndRemainder(dividingBy: Int128(whole))
        return AlertValue(thousandths: Int64(clamping: remainder < 0 ? quotient - 1 : quotient))
    }

    fileprivate func isLess(than value: AlertValue) -> Bool {
        Int128(part) * 1000 < Int128(value.thousandths) * Int128(whole)
    }

    fileprivate func isGreater(than value: AlertValue) -> Bool {
        Int128(part) * 1000 > Int128(value.thousandths) * Int128(whole)
    }
}

extension AlertRuleDraft {
    /// Hysteresis: a rule that fires recovers only when the figure is this far on the good side, so that a figure that
    /// swings about the value fires once. The distance is a tenth of the distance from 100 % for crash-free sessions, a
    /// tenth of the value for a change, and a twentieth of the value otherwise, in whole units for counts and at least
    /// one; none for 0 and 1, so that "no event" is over with the first.
    package var recoveryValue: AlertValue {
        let value = value.thousandths
        let distance: Int64 =
            if figure == .crashFreeSessions {
                (100_000 - value) / 10
            } else if comparison.isChange {
                value / 10
            } else if figure.isPercentage {
                value / 20
            } else {
                value <= 1000 ? 0 : max(1000, value / 20 / 1000 * 1000)
            }
        let recovered = comparison == .below ? value + distance : max(0, value - distance)
        return AlertValue(thousandths: min(recovered, (figure.isPercentage ? 100 : AlertValue.maximum) * 1000))
    }

    /// The state after a measurement.
    func state(after state: AlertRule.State, _ measure: AlertMeasure) -> AlertRule.State {
        guard measure.whole > 0, measure.sample.map({ $0 >= minimumSample }) ?? true else { return state }
        if state == .firing { return hasRecovered(measure) ? .ok : .firing }
        return isCrossed(by: measure) ? .firing : .ok
    }

    private func isCrossed(by measure: AlertMeasure) -> Bool {
        switch comparison {
        case .below: measure.isLess(than: value)
        case .above: measure.isGreater(than: value)
        case .fallsBy, .risesBy: !measure.isLess(than: value)
        }
    }

    private func hasRecovered(_ measure: AlertMeasure) -> Bool {
        switch comparison {
        case .below: !measure.isLess(than: recoveryValue)
        case .above: !measure.isGreater(than: recoveryValue)
        case .fallsBy, .risesBy: measure.isLess(than: recoveryValue)
        }
    }
}
