package import EventLog
import JSONWire
import SQLDatabase
import SubGuardContract
import SubGuardDomain

/// An export of the raw events, in the order of arrival, in pieces of up to 2,000 events. Each piece is read in a
/// snapshot of its own, so that the database can reclaim space meanwhile, however slowly the pieces are taken.
package struct EventExport: Sendable {
    private let context: BackendContext
    private let selection: EventExportSelection
    private var walk: EventLogWalk
    private var numbers: UserNumbers
    private var lines: EventLines
    private var owesHeader: Bool
    /// The number of events written so far.
    package private(set) var eventCount = 0
    /// The last event written, or the one after which the export began.
    package private(set) var last: EventPosition?

    /// Throws ``BackendError/invalid(_:)`` if the event after which to begin is not in the log.
    package init(_ selection: EventExportSelection, context: BackendContext) throws {
        self.context = context
        self.selection = selection
        (walk, numbers) = try context.store.readOnStandby { session in
            let seed = try EventLogState.load(in: session).seed
            do {
                let walk = try EventLogWalk(after: selection.after, occurredFrom: selection.from, in: session)
                return (walk, UserNumbers(seed: seed))
            } catch is EventPositionError {
                throw BackendError.invalid([
                    Fault(
                        "after", .invalidCursor,
                        "This event is not in the log any more. Continue after an earlier one, or start again.")
                ])
            }
        }
        lines = EventLines(format: selection.format)
        owesHeader = selection.format == .csv && selection.hasHeader
        last = selection.after
    }

    /// Begins an export and records it in the audit log, before anything of it can be read.
    package static func begin(
        _ selection: EventExportSelection, by actor: Actor, context: BackendContext
    ) throws -> EventExport {
        let export = try EventExport(selection, context: context)
        try context.store.write { transaction in
            try AuditLog.append(
                in: transaction,
                AuditChange(
                    actor: actor, action: .eventsExport, subjectID: nil, before: nil, after: selection.auditJSON),
                at: context.now())
        }
        return export
    }

    /// The line with the names of the columns; empty for a format without one.
    package static func header(of format: EventExportFormat) -> [UInt8] { format == .csv ? EventLines.header : [] }

    /// The part of the log that is done, from 0 to 1.
    package var progress: Double { walk.progress }

    /// The next lines; nil at the end. May be empty when none of the next events is selected.
    ///
    /// Throws ``EventPositionError`` if the last event was discarded and its block joined with another between two
    /// pieces, and ``EventBlockError`` for a damaged block.
    package mutating func nextPiece() throws -> [UInt8]? {
        guard !walk.isAtEnd, eventCount < selection.limit ?? .max else {
            defer { owesHeader = false }
            return owesHeader ? EventLines.header : nil
        }
        var bytes = owesHeader ? EventLines.header : []
        owesHeader = false
        // Copies, because the closure of a snapshot cannot change the export.
        var (walk, numbers, lines, count, last) = (walk, numbers, lines, eventCount, last)
        try context.store.readOnStandby { session in
            let names = try EventNames.load(in: session)
            try walk.takeStep(in: session) { visit in
                guard selection.contains(visit.event.occurredAt), count < selection.limit ?? .max else { return }
                guard let name = names.name(of: visit.event.nameID) else { throw PackedReader.malformed }
                try lines.append(visit, name: name, user: numbers.number(of: visit.user), to: &bytes)
                count += 1
                last = EventPosition(block: visit.block, id: visit.event.id.uuid)
            }
        }
        (self.walk, self.numbers, self.lines, eventCount, self.last) = (walk, numbers, lines, count, last)
        return bytes
    }
}
