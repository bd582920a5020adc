import EventLog
import SubGuardDomain

extension UserState {
    /// The days on which the user counts as active, before and after a removal of raw events; in ascending order.
    ///
    /// - Parameters:
    ///   - before: every raw event of the user that is included in the figures.
    ///   - after: those that remain.
    ///   - left: the user after the removal, its days aside; nil if nothing remains.
    func days(
        before: [DiscardPortion.Event], after: [DiscardPortion.Event], left: UserState?,
        _ calendar: ReportCalendar
    ) -> (old: [Int64], new: [Int64]) {
        let raw = Set(before.map { calendar.number(of: $0.occurredAt) })
        // Days long before the latest one are forgotten, but were counted.
        let forgotten = raw.filter { $0 < days.firstKnown }
        let old = forgotten.sorted() + days.numbers
        guard let left else { return (old, []) }
        var stay = Set(after.map { calendar.number(of: $0.occurredAt) })
        // Those of purged events that the user's other moments prove.
        let absences = left.absences.filter { self.absences.contains($0) }
        let marks = Milestone.allCases.compactMap { left.moments[$0] }
        let moments = [left.moments.firstSeenAt] + marks + absences.flatMap { [$0.leftAt, $0.returnedAt] }
        stay.formUnion(moments.map(calendar.number))
        // The record counts its days back from the last one.
        let last = calendar.number(of: left.moments.lastSeenAt)
        var new = Set(old.filter { $0 < last && (stay.contains($0) || !raw.contains($0)) })
        new.insert(last)
        return (old, new.sorted())
    }
}
