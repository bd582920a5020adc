/// How much of what was due in the last 90 days the user knew of, in parts and as a percentage.
///
/// Due are the billing days from today − 89 through today, today's only once acknowledged; skipped ones are not. A late
/// acknowledgment weighs half.
public struct ControlScore: Sendable, Hashable {
    public enum Rating: String, Sendable, Hashable {
        /// Over 80 %.
        case green
        /// From 50 % through 80 %.
        case orange
        /// Below 50 %.
        case red
    }

    public static let windowDays = 90

    public var acknowledged: Int
    public var late: Int
    public var missed: Int
    public var skipped: Int

    public init(acknowledged: Int, late: Int, missed: Int, skipped: Int = 0) {
        self.acknowledged = acknowledged
        self.late = late
        self.missed = missed
        self.skipped = skipped
    }

    /// The first day of the window that ends with `today`.
    public static func windowStart(today: CalendarDay) -> CalendarDay { today.adding(days: 1 - windowDays) }

    public var due: Int { acknowledged + late + missed }

    /// Twice the weight that counts, so that halves stay whole.
    private var halves: Int { 2 * acknowledged + late }

    /// The percentage in tenths, half to even; nil when nothing was due.
    public var percentTenths: Int? {
        guard due > 0 else { return nil }
        // halves / (2 × due) × 1000 tenths of a percent.
        let (quotient, remainder) = (halves * 500).quotientAndRemainder(dividingBy: due)
        let roundsUp = 2 * remainder > due || 2 * remainder == due && !quotient.isMultiple(of: 2)
        return quotient + (roundsUp ? 1 : 0)
    }

    /// `87.5`; nil when nothing was due.
    public var percentText: String? { percentTenths.map { "\($0 / 10).\($0 % 10)" } }

    /// From the exact share, not from the rounded one; nil when nothing was due.
    public var rating: Rating? {
        guard due > 0 else { return nil }
        if halves * 50 > 80 * due { return .green }
        return halves * 50 < 50 * due ? .red : .orange
    }

    /// The score after one more acknowledgment of a missed day, which can only help.
    public var afterAcknowledgingOneMissed: ControlScore {
        guard missed > 0 else { return self }
        return ControlScore(acknowledged: acknowledged, late: late + 1, missed: missed - 1, skipped: skipped)
    }

    /// Why the score is what it is, and what helps most, one sentence a line.
    public func explanation(_ language: DisplayLanguage) -> [String] {
        let isFrench = language == .french
        guard let percentText, due > 0 else {
            return [isFrench ? "Rien n'était dû ces 90 derniers jours." : "Nothing was due in the last 90 days."]
        }
        var lines = [
            isFrench
                ? "\(acknowledged) acquittés à temps, \(late) en retard (demi-poids), \(missed) manqués sur \(due) dus."
                : "\(acknowledged) acknowledged in time, \(late) late (half weight), \(missed) missed of \(due) due."
        ]
        if missed > 0, let next = afterAcknowledgingOneMissed.percentText {
            lines.append(
                isFrench
                    ? "Acquitter un paiement manqué : \(percentText) % → \(next) %."
                    : "Acknowledging one missed payment: \(percentText) % → \(next) %.")
        }
        return lines
    }
}
