package import Foundation
package import SQLDatabase
package import SubGuardDomain

/// An accepted event as the log holds it.
package struct LoggedEvent: Sendable, Hashable {
    package let id: UUID
    /// As in the registry, of this release or an earlier one.
    package let name: String
    package let userID: UserHash
    package let occurredAt: UTCInstant
    package let receivedAt: UTCInstant
    /// Compact JSON with the members in the order of their names, or nil when there are none.
    package let properties: [UInt8]?

    package init(
        id: UUID, name: String, userID: UserHash, occurredAt: UTCInstant, receivedAt: UTCInstant, properties: [UInt8]?
    ) {
        self.id = id
        self.name = name
        self.userID = userID
        self.occurredAt = occurredAt
        self.receivedAt = receivedAt
        self.properties = properties
    }
}

/// Reads the raw events that are still there.
package enum EventLogReader {
    /// Calls `visit` for each event in the order in which they came. Where a device is being made anonymous its events bear
    /// the hash of its row in `users`, also in blocks that still hold the old one.
    ///
    /// - Parameter stagedOnly: leaves out those that are not in their users' pages yet.
    package static func forEach(
        in session: any SQLSession, stagedOnly: Bool = false, _ visit: (LoggedEvent) throws -> Void
    ) throws {
        let state = try EventFoldState.load(in: session).state
        let seed = try EventLogState.load(in: session).seed
        let names = try EventNames.load(in: session)
        let sweep = try ErasureSweep(in: session)
        try session.forEach("SELECT id, events FROM event_blocks ORDER BY id", []) { row in
            let block = try row.integer(0)
            let bytes = try row.blob(1)
            try EventBlockError.naming(block) {
                try bytes.withUnsafeBytes { bytes in
                    let reader = try EventBlockReader(bytes)
                    try reader.forEach { event in
                        let user = sweep?.user(event.userID, block: block) ?? event.userID
                        guard
                            !stagedOnly
                                || state.isStaged(key: seed.key(of: user), block: block, occurredAt: event.occurredAt)
                        else { return }
                        guard let name = names.name(of: event.nameID) else { throw PackedReader.malformed }
                        try visit(
                            LoggedEvent(
                                id: event.id.uuid, name: name,
                                userID: user, occurredAt: event.occurredAt, receivedAt: event.receivedAt, properties: event.set.map(reader.properties(ofSet:))))
                    }
                }
            }
        }
    }

    /// How many events are still there.
    package static func count(in session: any SQLSession) throws -> Int {
        let count = try session.first("SELECT sum(event_count) FROM event_blocks") { try $0.optionalInteger(0) }
        return Int(clamping: (count ?? nil) ?? 0)
    }

    /// Every event that occurred from then on is still there; nil while none was ever purged.
    package static func completeFrom(in session: any SQLSession) throws -> UTCInstant? {
        try EventLogState.load(in: session).completeFrom
    }
}
