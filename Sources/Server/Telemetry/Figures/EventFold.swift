package import EventLog
import SQLDatabase
package import ServerAccess
import SubGuardDomain

/// Brings users' events into their pages and the figures.
package enum EventFold {
    /// What the events of some users change. Reads the users' pages, of which the result also has the number.
    static func fold(
        _ users: some Collection<UnfoldedEvents.User>, names: EventNames, into figures: inout FigureFold,
        in session: any SQLSession
    ) throws -> (changed: UserPageBatch.ChangedPages, pageCount: Int) {
        let pages = try UserPages(in: session, figures.calendar)
        var batch = try UserPageBatch(users.map { ($0.key, $0.hash) }, pages.calendar, in: session)
        for (index, user) in users.enumerated() {
            guard let first = user.events.first else { continue }
            let old = try batch.state(index)
            var state = old ?? UserState(seenAt: first.occurredAt)
            for event in user.events {
                let name = names.name(of: event.nameID) ?? ""
                state.add(Milestone(eventName: name), event.segment, at: event.occurredAt, figures: &figures)
                figures.count(name, nameID: event.nameID, item: event.item, at: event.occurredAt)
            }
            state.moments.fold(from: old?.moments, into: &figures)
            state.absences.removeAll { $0.returnedAt < figures.horizon }
            if state != old { batch.set(index, state) }
        }
        return (try batch.changedPages(of: pages), batch.pageCount)
    }
}

extension EventLog {
    /// A log whose events are counted in the figures, and whose new users may reach the thresholds of alerts.
    ///
    /// - Parameters:
    ///   - alerts: defaults to one without channels: thresholds fire all the same.
    ///   - firesThresholds: false for a command that does not know the channels. A threshold that its counting reaches
    ///     then fires when a server counts the next user, or starts.
    package convenience init(
        context: BackendContext, alerts: AlertStore? = nil, firesThresholds: Bool = true,
        shape: EventIDIndexShape = EventIDIndexShape()
    ) {
        let alerts = alerts ?? AlertStore(context: context)
        self.init(
            store: context.store, now: context.now, makeRandomBytes: context.makeRandomBytes, shape: shape,
            rename: { replacements, transaction in
                try EventSinkUsers.rename(replacements, in: transaction)
                return try UserPages(in: transaction).rename(replacements, in: transaction)
            }
        ) { users, names, now, session in
            let trusted = try PurgeClock.trusted(now, in: session)
            var figures = FigureFold(now: trusted, try ReportCalendar.load(in: session))
            let (pages, pageCount) = try EventFold.fold(users, names: names, into: &figures, in: session)
            return EventLog.Counted(pages: pageCount) { [figures] isLast, transaction in
                // Worked out before a change of the zone by a process that was stopped meanwhile.
                guard try ReportCalendar.load(in: transaction) == figures.calendar else { throw CalendarChanged() }
                try pages.save(in: transaction)
                guard isLast else { return try figures.stage(in: transaction) }
                var figures = figures
                try figures.addStaged(in: transaction)
                try figures.save(in: transaction)
                try FigureFold.removeStaged(in: transaction)
                if firesThresholds, figures.days.values.contains(where: { $0[.users] > 0 }) {
                    try alerts.fireReached(in: transaction)
                }
            }
        }
    }
}

/// Days are cut in another way than when they were counted. What was counted is counted again.
private struct CalendarChanged: Error, CustomStringConvertible {
    let description = "the time zone of the figures has changed meanwhile"
}
