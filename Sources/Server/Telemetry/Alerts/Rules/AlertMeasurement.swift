import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads the figures of rules at a moment: now, or one that has passed.
struct AlertMeasurement {
    let session: any SQLSession
    let calendar: ReportCalendar
    let now: UTCInstant
    let storagePercent: Int64?
    /// For a moment that has passed: what was read for others. Counts are then those of the moment, and sessions of
    /// purged hours are taken from their days.
    var past: AlertPast?

    func measure(_ draft: AlertRuleDraft) throws -> AlertMeasure {
        switch draft.figure {
        case .users: try count(draft) { try counts(.users, $0, $1) }
        case .downloads: try count(draft) { try counts(.downloads, $0, $1) }
        case .conversions: try count(draft) { try counts(.conversions, $0, $1) }
        case .activeUsers: try count(draft) { try activeUsers($0, $1, days: draft.window?.hours == 720 ? 30 : 7) }
        case .events: try count(draft) { try events($0, $1) }
        case .failedDeliveries: AlertMeasure(part: try failures(since: start(of: draft)), whole: 1, sample: nil)
        case .crashFreeSessions: try crashFreeRate(hours: draft.window?.hours ?? 1)
        case .storagePercent: AlertMeasure(part: storagePercent ?? 0, whole: storagePercent == nil ? 0 : 1, sample: nil)
        case .eventSinkLag: try eventSinkLag()
        }
    }

    private func start(of draft: AlertRuleDraft) -> UTCInstant { now.adding(seconds: -(draft.window?.seconds ?? 0)) }

    /// A figure that counts, or its change in percent. `value` counts after the first instant, up to the second one.
    private func count(
        _ draft: AlertRuleDraft, _ value: (UTCInstant, UTCInstant) throws -> Int64
    ) throws -> AlertMeasure {
        let start = start(of: draft)
        let present = try value(start, now)
        guard draft.comparison.isChange else {
            return AlertMeasure(part: present, whole: 1, sample: try users())
        }
        let before = try value(start.adding(seconds: -(draft.window?.seconds ?? 0)), start)
        let change = draft.comparison == .fallsBy ? before - present : present - before
        return AlertMeasure(part: change * 100, whole: before, sample: before)
    }

    private func users() throws -> Int64 {
        guard let past else { return try UserTotals.load(in: session).users }
        return past.users - (try tail(after: now)[.firstSeen])
    }

    private func tail(after instant: UTCInstant) throws -> FigureCounts {
        let reader = FigureReader(session: session, calendar: calendar)
        guard let past else { return try reader.tail(after: instant) }
        return try past.tail(after: instant, reader)
    }

    private func counts(_ figure: Figure, _ start: UTCInstant, _ end: UTCInstant) throws -> Int64 {
        try tail(after: start)[figure] - tail(after: end)[figure]
    }

    /// As on the dashboard; at the end of a past day, as in the series. Absences that ended before
    /// ``FigureRetention/days`` are not counted again with the other figures, and days of users are.
    private func activeUsers(_ start: UTCInstant, _ end: UTCInstant, days: Int) throws -> Int64 {
        if let past {
            // The day whose end is nearest: a window that began before the clocks changed ends an hour beside it.
            let day = calendar.number(of: end.adding(seconds: 43_200)) - 1
            return try past.activeUsers(on: day, days: Int64(days), in: session)
        }
        let after = try tail(after: end)
        return try tail(after: start)[.lastSeen] - after[.firstSeen]
            - after[days == 30 ? .returns30d : .returns7d]
    }

    private func events(_ start: UTCInstant, _ end: UTCInstant) throws -> Int64 {
        try session.integer(
            "SELECT coalesce(sum(event_count), 0) FROM event_blocks WHERE received_at > ? AND received_at <= ?",
            [.instant(start), .instant(end)]) ?? 0
    }

    private func failures(since start: UTCInstant) throws -> Int64 {
        // The end of a past window excludes later failures; clocks of other servers may be ahead of the present.
        try session.integer(
            """
            SELECT count(*) FROM alert_deliveries
            WHERE state = 'dead' AND last_attempt_at > ? AND last_attempt_at <= ? AND withdrawn_at IS NULL
            """, [.instant(start), .instant(past == nil ? .latest : now)]) ?? 0
    }

    /// None while no server with a sink runs.
    private func eventSinkLag() throws -> AlertMeasure {
        guard let lag = try EventSinkLag.present(at: now, in: session) else {
            return AlertMeasure(part: 0, whole: 0, sample: nil)
        }
        return AlertMeasure(part: Int64(lag.seconds), whole: 1, sample: nil)
    }

    private func crashFreeRate(hours: Int64) throws -> AlertMeasure {
        let end = CrashFreeRate.hourNumber(of: now)
        let first = end - hours + 1
        var sums = try CrashFreeRate.sums(from: first, through: end, session)
        let (firstDay, lastDay) = (
            CrashFreeRate.day(ofHour: first, calendar), CrashFreeRate.day(ofHour: end, calendar)
        )
        if past != nil, CrashFreeRate.firstHour(of: firstDay, calendar) == first,
            CrashFreeRate.firstHour(of: lastDay + 1, calendar) == end + 1
        {
            let purged = try CrashFreeRate.purgedSums(fromDay: firstDay, throughDay: lastDay, session)
            sums = (sums.sessions + purged.sessions, sums.crashed + purged.crashed)
        }
        return AlertMeasure(part: (sums.sessions - sums.crashed) * 100, whole: sums.sessions, sample: sums.sessions)
    }
}

/// What the measurements of many past moments share. Windows overlap, so most counts are needed several times.
final class AlertPast {
    /// All users there are today.
    let users: Int64
    private var tails: [UTCInstant: FigureCounts] = [:]
    /// Users active in the windows that end on each day on which their number changes, in order.
    private var activity: [(day: Int64, users: ActivityChanges.Row)]?

    init(users: Int64) { self.users = users }

    func tail(after instant: UTCInstant, _ reader: FigureReader) throws -> FigureCounts {
        if let known = tails[instant] { return known }
        let tail = try reader.tail(after: instant)
        tails[instant] = tail
        return tail
    }

    /// Users active in the window of so many days that ends on a day.
    ///
    /// - Parameter days: one of ``ActivityChanges/lengths``.
    func activeUsers(on day: Int64, days: Int64, in session: any SQLSession) throws -> Int64 {
        let known = try activity ?? Self.activity(in: session)
        activity = known
        guard let users = known.last(where: { $0.day <= day })?.users else { return 0 }
        return zip(ActivityChanges.lengths, users.indices).first { $0.0 == days }.map { users[$0.1] } ?? 0
    }

    private static func activity(in session: any SQLSession) throws -> [(day: Int64, users: ActivityChanges.Row)] {
        var (users, known): (ActivityChanges.Row, [(day: Int64, users: ActivityChanges.Row)]) = (.zero, [])
        try ActivityChanges.forEach(in: session) { day, changes in
            users &+= changes
            known.append((day, users))
        }
        return known
    }
}

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
