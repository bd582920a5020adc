package import EventLog
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// Brings the time zone of a setting into the stored calendar of the figures.
package struct ReportZone: Sendable {
    /// What adopting a zone did.
    package enum Change: Sendable, Hashable {
        /// All days are cut anew.
        case recounted
        /// Raw events were purged: days from this one on are cut anew, and those before keep their cut.
        case from(CalendarDay)
    }

    private let context: BackendContext
    private let rebuilder: FigureRebuilder

    package init(context: BackendContext, log: EventLog) {
        self.context = context
        rebuilder = FigureRebuilder(context: context, log: log)
    }

    /// Cuts the days of the figures in a zone. All days are counted anew where the log has all events; otherwise those
    /// that it has whole. Returns nil if the zone holds already. May take minutes; figures can be read meanwhile, as
    /// they were. Call it again after an error, such as a discard that is under way.
    ///
    /// - Parameters:
    ///   - name: `UTC`, or that of a zone which is known.
    ///   - isCancelled: called after each part of the log; then it throws ``RebuildInterrupted``, and nothing has
    ///     changed.
    package func adopt(
        _ name: String, by actor: Actor, unless isCancelled: () -> Bool = { false }
    ) throws -> Change? {
        func report(_ progress: RebuildProgress) throws {
            if isCancelled(), !progress.isPublished { throw RebuildInterrupted() }
        }
        guard let zone = ZoneOffsets.named(name) else {
            throw BackendError.invalid([
                Fault("reports_time_zone", .invalidFormat, "Must be UTC or a time zone such as Europe/Paris.")
            ])
        }
        let (calendar, isComplete) = try context.store.read { session in
            (
                try ReportCalendar.load(in: session),
                try EventLogState.load(in: session).completeFrom == nil
            )
        }
        if isComplete {
            guard calendar != ReportCalendar(zone) else { return nil }
            try rebuilder.rebuild(by: actor, in: ReportCalendar(zone), report)
            return .recounted
        }
        guard calendar.zoneName != name else { return nil }
        return try rebuilder.recount(by: actor, in: zone, report).map(Change.from) ?? .recounted
    }
}
