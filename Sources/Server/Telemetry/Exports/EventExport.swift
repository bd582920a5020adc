import Cryptography
package import EventLog
import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import TextCoding

/// An export of the raw events, in the order of arrival, in pieces of some thousand events: first what only the archive
/// has, then the log. Each piece is read in a snapshot of its own, so that the database can reclaim space meanwhile,
/// however slowly the pieces are taken.
package struct EventExport: Sendable {
    private let context: BackendContext
    private let selection: EventExportSelection
    private var archive: Archived?
    private var walk: EventLogWalk
    private var numbers: UserNumbers
    private var lines: EventLines
    private var owesHeader: Bool
    /// The number of events written so far.
    package private(set) var eventCount = 0
    /// The last event written, or the one after which the export began.
    package private(set) var last: EventPosition?

    /// How far an archive was read.
    private struct Archived: Sendable {
        let events: any EventArchive
        var place: ArchivePlace
        /// The last event that it had and the log did not.
        var last: EventPosition?
        /// Whether the log has everything that follows, unless it is purged before the walk comes to it.
        var isDone = false
    }

    /// - Parameter archive: has the events that the log has no longer; nil for the events of the log only.
    ///
    /// Throws ``BackendError/invalid(_:)`` if the event after which to begin is in neither.
    package init(
        _ selection: EventExportSelection, archive: (any EventArchive)? = nil, context: BackendContext
    ) throws {
        self.context = context
        self.selection = selection
        (walk, numbers) = try context.store.readOnStandby { session in
            let seed = try EventLogState.load(in: session).seed
            do {
                let walk = try EventLogWalk(after: selection.after, occurredFrom: selection.from, in: session)
                return (walk, UserNumbers(seed: seed))
            } catch is EventPositionError {
                throw Self.unknownPosition
            }
        }
        // An event that the log has continues there, unless it is purged first.
        if let archive, !walk.beginsAtTheOldest {
            self.archive = Archived(events: archive, place: .start, last: selection.after, isDone: true)
        } else if let archive {
            guard let place = try selection.after.map(archive.place(of:)) ?? .start else { throw Self.unknownPosition }
            self.archive = Archived(events: archive, place: place, last: selection.after)
        }
        lines = EventLines(format: selection.format)
        owesHeader = selection.format == .csv && selection.hasHeader
        last = selection.after
    }

    private static let unknownPosition = BackendError.invalid([
        Fault(
            "after", .invalidCursor,
            "This event is not in the log any more. Continue after an earlier one, or start again.")
    ])

    /// Begins an export and records it in the audit log, before anything of it can be read.
    package static func begin(
        _ selection: EventExportSelection, archive: (any EventArchive)? = nil, by actor: Actor, context: BackendContext
    ) throws -> EventExport {
        let export = try EventExport(selection, archive: archive, context: context)
        try context.store.write { transaction in
            try AuditLog.append(
                .eventsExport, after: selection.auditJSON, by: actor, at: context.now(), in: transaction)
        }
        return export
    }

    /// The line with the names of the columns; empty for a format without one.
    package static func header(of format: EventExportFormat) -> [UInt8] { format == .csv ? EventLines.header : [] }

    private var header: [UInt8] { (selection.hasMark ? .byteOrderMark : []) + EventLines.header }

    private var readsArchive: Bool { archive?.isDone == false }

    /// The part of the log that is done, from 0 to 1. 0 while the archive is read.
    package var progress: Double { readsArchive ? 0 : walk.progress }

    /// The next lines; nil at the end. May be empty when none of the next events is selected.
    ///
    /// Throws ``EventPositionError`` if the last event was discarded and its block joined with another between two
    /// pieces, and ``EventBlockError`` for a damaged block.
    package mutating func nextPiece() throws -> [UInt8]? {
        guard readsArchive || !walk.isAtEnd, eventCount < selection.limit ?? .max else {
            defer { owesHeader = false }
            return owesHeader ? header : nil
        }
        var bytes = owesHeader ? header : []
        owesHeader = false
        if let archive, !archive.isDone {
            self.archive = try appendPage(of: archive, to: &bytes)
            return bytes
        }
        // Copies, because the closure of a snapshot cannot change the export.
        var (walk, numbers, lines, count, last) = (walk, numbers, lines, eventCount, last)
        lines.beginSnapshot()
        let isOvertaken = try context.store.readOnStandby { [archive] session in
            if archive != nil, try walk.isOvertaken(in: session) { return true }
            let names = try EventNames.load(in: session)
            try walk.takeStep(in: session) { visit in
                guard selection.contains(visit.event.occurredAt), count < selection.limit ?? .max else { return }
                guard let name = names.name(of: visit.event.nameID) else { throw PackedReader.malformed }
                try lines.append(visit, name: name, user: numbers.number(of: visit.user), to: &bytes)
                count += 1
                last = EventPosition(block: visit.block, id: visit.event.id.uuid)
            }
            return false
        }
        if isOvertaken { try returnToArchive() }
        (self.walk, self.numbers, self.lines, eventCount, self.last) = (walk, numbers, lines, count, last)
        return bytes
    }
}

extension EventExport {
    /// Where the log begins now, and what its first block has, into which earlier ones may have been joined.
    private struct LogStart {
        let block: Int64
        let ids: Set<UUID>
        let walk: EventLogWalk
    }

    /// Writes a page of the archive.
    private mutating func appendPage(of archive: Archived, to bytes: inout [UInt8]) throws -> Archived {
        // Each time anew, because blocks may be purged meanwhile.
        let start = try logStart()
        let page = try archive.events.page(
            after: archive.place, before: start.block, occurred: (selection.from ?? .earliest)...lastMoment)
        let missing = page.events.prefix { !start.ids.contains($0.id) }
        var chosen = missing.filter { selection.contains($0.occurredAt) }
        if let limit = selection.limit { chosen = Array(chosen.prefix(limit - eventCount)) }
        let wanted = Set(chosen.map(\.user))
        let hashes = try context.store.readOnStandby { try EventSinkUsers.hashes(of: Array(wanted), in: $0) }
        for event in chosen {
            guard let hash = hashes[event.user] else { throw UnknownArchiveUser(number: event.user) }
            try lines.append(event, user: numbers.number(of: hash), to: &bytes)
        }
        eventCount += chosen.count
        last = chosen.last?.position ?? last
        var archive = archive
        archive.last = missing.last?.position ?? archive.last
        if let next = page.next, missing.count == page.events.count {
            archive.place = next
        } else {
            walk = start.walk
            archive.isDone = true
        }
        return archive
    }

    /// Continues with the archive, because events were purged before the walk had come to them.
    private mutating func returnToArchive() throws {
        archive?.isDone = false
        guard let seen = walk.lastVisited ?? archive?.last else { return }
        guard let place = try archive?.events.place(of: seen) else { throw ArchiveLacksEvent(event: seen) }
        archive?.place = place
        archive?.last = seen
    }

    private var lastMoment: UTCInstant { max(selection.before ?? .latest, selection.from ?? .earliest) }

    private func logStart() throws -> LogStart {
        try context.store.readOnStandby { session in
            let walk = try EventLogWalk(after: nil, occurredFrom: selection.from, in: session)
            let first = try session.first("SELECT id, events FROM event_blocks ORDER BY id LIMIT 1") {
                (block: try $0.integer(0), events: try $0.blob(1))
            }
            guard let first else {
                return LogStart(block: try EventLogState.load(in: session).lastBlock + 1, ids: [], walk: walk)
            }
            var ids: Set<UUID> = []
            try EventBlockReader.read(first.events, of: first.block) { reader in
                reader.forEachID { ids.insert($0.uuid) }
            }
            return LogStart(block: first.block, ids: ids, walk: walk)
        }
    }
}

/// The numbers that stand for users in an export. A number is always the same for the same user of a database, so that
/// a reader can join the events of a user, but leads neither to the hash nor to the numbers of another database.
///
/// A number has 53 bits, so that every JSON reader keeps it. Among ten million users, the chance that any two have the
/// same one is 1 in 180.
struct UserNumbers: Sendable {
    private let key: HMACKey
    /// Computed ones; at most those of a few pieces of an export.
    private var known: [UserHash: Int64] = [:]

    private static let mostKnown = 10_000

    init(seed: EventIDSeed) {
        // The seed keys the filters of ids, which are no cryptographic hashes. A derived key tells nothing about it.
        key = HMACKey(HMACKey(seed.bytes).code(for: "subguard user numbers of event exports".utf8))
    }

    mutating func number(of user: UserHash) -> Int64 {
        if let number = known[user] { return number }
        let code = key.code(for: user.bytes)
        let bits = code.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
        let number = Int64(bits >> 11)
        if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
        known[user] = number
        return number
    }
}
