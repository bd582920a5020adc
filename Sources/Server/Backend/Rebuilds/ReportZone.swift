package import EventLog
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Brings the time zone of a setting into the stored calendar of the figures.
package struct ReportZone: Sendable {
    /// What adopting a zone did.
    package enum Change: Sendable, Hashable {
        /// All days are cut anew.
        case recounted
        /// Raw events were purged: days before this one keep their cut.
        case from(CalendarDay)
    }

    private let context: BackendContext
    private let rebuilder: FigureRebuilder

    package init(context: BackendContext, log: EventLog) {
        self.context = context
        rebuilder = FigureRebuilder(context: context, log: log)
    }

    /// Cuts the days of the figures in a zone. All days are counted anew where the log has all events; otherwise the zone
    /// holds from the next day on. Returns nil if it holds already. May take minutes; figures can be read meanwhile, as they
    /// were. Call it again after an error, such as a discard that is under way.
    ///
    /// - Parameter name: `UTC`, or that of a zone which is known.
    package func adopt(_ name: String, by actor: Actor) throws -> Change? {
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
            try rebuilder.rebuild(by: actor, in: ReportCalendar(zone))
            return .recounted
        }
        guard calendar.zoneName != name else { return nil }
        return try context.store.write(in: .figures) { transaction -> Change? in
            let now = context.now()
            let before = try ReportCalendar.load(in: transaction)
            guard before.zoneName != name else { return nil }
            let after = before.changing(to: zone, after: now)
            try after.save(in: transaction)
            try after.audit(from: before, by: actor, at: now, in: transaction)
            return after.firstDay.map(Change.from)
        }
    }
}
