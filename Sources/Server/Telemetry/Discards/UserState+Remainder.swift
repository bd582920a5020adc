import EventLog
import SQLDatabase
import SubGuardDomain

extension UserState {
    /// Those who were first seen before a moment, of the users for whom `isWanted` returns true.
    static func load(
        before instant: UTCInstant, in session: any SQLSession, _ isWanted: (UserHash) -> Bool
    ) throws -> [UserHash: UserState] {
        var users: [UserHash: UserState] = [:]
        try UserPages.forEach(in: session) { hash, state in
            if state.moments.firstSeenAt < instant, isWanted(hash) { users[hash] = state }
        }
        return users
    }

    /// Evidence of purged events: moments and marks before `completeFrom` that match no raw event.
    struct Traces {
        /// Sorted.
        var moments: [UTCInstant] = []
        var marks: [Milestone: UTCInstant] = [:]
    }

    func hasTraces(beyond events: [DiscardPortion.Event], before completeFrom: UTCInstant) -> Bool {
        !traces(beyond: events, before: completeFrom).moments.isEmpty
    }

    /// - Parameter events: every raw event of the user that is included in the figures.
    func traces(beyond events: [DiscardPortion.Event], before completeFrom: UTCInstant?) -> Traces {
        var traces = Traces()
        guard let completeFrom, moments.firstSeenAt < completeFrom else { return traces }
        let raw = Set(events.map(\.occurredAt))
        var found: Set<UTCInstant> = []
        let seen =
            [moments.firstSeenAt, moments.lastSeenAt] + [moments.returnedAt].compactMap(\.self)
            + absences.flatMap { [$0.leftAt, $0.returnedAt] }
        for moment in seen where moment < completeFrom && !raw.contains(moment) { found.insert(moment) }
        for milestone in Milestone.allCases {
            guard let mark = moments[milestone], mark < completeFrom,
                !events.contains(where: { $0.milestone == milestone && $0.occurredAt == mark })
            else { continue }
            traces.marks[milestone] = mark
            found.insert(mark)
        }
        traces.moments = found.sorted()
        return traces
    }

    /// The user's rows after a removal of raw events; nil if nothing remains.
    ///
    /// Values that come from purged events are kept.
    ///
    /// - Parameters:
    ///   - before: every raw event of the user that is included in the figures.
    ///   - after: those that remain.
    ///   - horizon: absences that ended before it are not kept.
    func remainder(
        of before: [DiscardPortion.Event], after: [DiscardPortion.Event], completeFrom: UTCInstant?,
        horizon: UTCInstant
    ) -> UserState? {
        let traces = traces(beyond: before, before: completeFrom)
        let raw = Self.sorted(before.map(\.occurredAt))
        var stay = after.map(\.occurredAt) + traces.moments
        if let completeFrom, !traces.moments.isEmpty {
            stay += hiddenMoments(Self.sorted(raw + traces.moments), before: completeFrom, horizon: horizon)
        }
        stay = Self.sorted(stay)
        guard let first = stay.first, let last = stay.last else { return nil }
        var left = UserState(seenAt: first)
        left.moments.lastSeenAt = last
        left.moments.segment = segment(at: first, of: after, completeFrom: completeFrom)
        for (milestone, mark) in traces.marks { left.moments[milestone] = mark }
        for event in after {
            if let milestone = event.milestone { left.moments.mark(milestone, at: event.occurredAt) }
        }
        left.absences = absences(removing: raw, keeping: stay, horizon: horizon)
        left.moments.returnedAt = left.absences.map(\.returnedAt).max()
        if let returnedAt = moments.returnedAt, stay.contains(returnedAt) {
            left.moments.returnedAt = max(left.moments.returnedAt ?? returnedAt, returnedAt)
        }
        return left
    }

    /// That of a user who was first seen at a moment: of the events that remain, or as stored where the first events
    /// are not in the log.
    private func segment(
        at first: UTCInstant, of events: [DiscardPortion.Event], completeFrom: UTCInstant?
    ) -> UserSegment {
        let isPurged = completeFrom.map { first < $0 } ?? false
        if first == moments.firstSeenAt, isPurged { return moments.segment }
        return events.filter { $0.occurredAt == first }.reduce(into: .unknown) { $0.join($1.segment) }
    }

    private static func sorted(_ moments: [UTCInstant]) -> [UTCInstant] {
        var unique: [UTCInstant] = []
        unique.reserveCapacity(moments.count)
        for moment in moments.sorted() where unique.last != moment { unique.append(moment) }
        return unique
    }

    /// The latest possible times of purged events: gaps long enough for an absence where none is recorded prove such
    /// events.
    private func hiddenMoments(
        _ known: [UTCInstant], before completeFrom: UTCInstant, horizon: UTCInstant
    ) -> [UTCInstant] {
        zip(known, known.dropFirst()).compactMap { left, returned in
            guard left < completeFrom, returned >= horizon, let absence = Absence(from: left, until: returned),
                !absences.contains(absence)
            else { return nil }
            let moment = min(returned, completeFrom).adding(milliseconds: -1)
            return moment > left ? moment : nil
        }
    }

    /// Keeps absences whose two events remain, and adds those that the removed events had prevented.
    private func absences(
        removing raw: [UTCInstant], keeping stay: [UTCInstant], horizon: UTCInstant
    ) -> [Absence] {
        var gone: Set<UTCInstant> = []
        var new: Set<Absence> = []
        var place = 0
        for moment in raw {
            while place < stay.count, stay[place] < moment { place += 1 }
            guard place == stay.count || stay[place] != moment else { continue }
            gone.insert(moment)
            guard place > 0, place < stay.count,
                let absence = Absence(from: stay[place - 1], until: stay[place]), absence.returnedAt >= horizon
            else { continue }
            new.insert(absence)
        }
        new.formUnion(absences.filter { !gone.contains($0.leftAt) && !gone.contains($0.returnedAt) })
        return new.sorted { $0.leftAt < $1.leftAt }
    }

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
