package import Foundation
package import SQLDatabase
package import SubGuardDomain

/// An accepted event as stored in the log.
package struct LoggedEvent: Sendable, Hashable {
    package let id: UUID
    /// A name of the registry of this release or an earlier one.
    package let name: String
    package let userID: UserHash
    package let occurredAt: UTCInstant
    package let receivedAt: UTCInstant
    /// Compact JSON with members sorted by name; nil if there are none.
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

/// Reads the raw events that have not been purged.
package enum EventLogReader {
    /// Calls `visit` for each event in the order of arrival. During an erasure, events carry the new hash of their
    /// user, even in blocks that still contain the old one.
    ///
    /// - Parameter stagedOnly: leaves out those that are not in their users' pages yet.
    package static func forEach(
        in session: any SQLSession, stagedOnly: Bool = false, _ visit: (LoggedEvent) throws -> Void
    ) throws {
        let state = try EventFoldState.load(in: session).state
        let seed = try EventLogState.load(in: session).seed
        let names = try EventNames.load(in: session)
        let sweep = try ErasureSweep(in: session)
        try session.scan("SELECT id, events FROM event_blocks ORDER BY id", []) { row in
            let block = try row.integer(0)
            let bytes = try row.blob(1)
            try EventBlockReader.read(bytes, of: block) { reader in
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
                            userID: user, occurredAt: event.occurredAt, receivedAt: event.receivedAt,
                            properties: event.set.map(reader.properties(ofSet:))))
                }
            }
        }
    }

    /// Calls `visit` for each added subscription that names a catalogue item, in the blocks up to one.
    package static func forEachAddition(
        through lastBlock: Int64, in session: any SQLSession, _ visit: (_ item: UUID, _ occurredAt: UTCInstant) -> Void
    ) throws {
        let names = try EventNames.load(in: session)
        try session.scan("SELECT id, events FROM event_blocks WHERE id <= ? ORDER BY id", [.integer(lastBlock)]) {
            row in
            let bytes = try row.blob(1)
            try EventBlockReader.read(bytes, of: try row.integer(0)) { reader in
                var items: [Int: UUID?] = [:]
                try reader.forEach { event in
                    guard names.name(of: event.nameID) == "subscription_added",
                        let item = reader.item(ofSet: event.set, known: &items)
                    else { return }
                    visit(item, event.occurredAt)
                }
            }
        }
    }

    /// The next blocks after one: at least one, and then as many as have up to `mostEvents` events. Empty at the end.
    package static func blocks(
        after block: Int64, through lastBlock: Int64, mostEvents: Int, in session: any SQLSession
    ) throws -> [StoredBlock] {
        var (events, last): (Int, Int64?) = (0, nil)
        var isFull = false
        try session.forEach(
            "SELECT id, event_count FROM event_blocks WHERE id > ? AND id <= ? ORDER BY id LIMIT 1000",
            [.integer(block), .integer(lastBlock)]
        ) { row in
            events = events &+ Int(clamping: try row.integer(1))
            isFull = isFull || last != nil && events > mostEvents
            if !isFull { last = try row.integer(0) }
        }
        guard let last else { return [] }
        return try session.query(
            "SELECT id, events FROM event_blocks WHERE id > ? AND id <= ? ORDER BY id",
            [.integer(block), .integer(last)]
        ) { StoredBlock(id: try $0.integer(0), bytes: try $0.blob(1)) }
    }

    /// The number of raw events in the blocks up to one.
    package static func count(through lastBlock: Int64, in session: any SQLSession) throws -> Int {
        let count = try session.integer(
            "SELECT sum(event_count) FROM event_blocks WHERE id <= ?", [.integer(lastBlock)])
        return Int(clamping: count ?? 0)
    }

    /// The number of raw events.
    package static func count(in session: any SQLSession) throws -> Int {
        Int(clamping: try session.integer("SELECT sum(event_count) FROM event_blocks") ?? 0)
    }

    /// Events that occurred from this instant on are complete; nil if none were ever purged.
    package static func completeFrom(in session: any SQLSession) throws -> UTCInstant? {
        try EventLogState.load(in: session).completeFrom
    }
}

/// A block as stored, for ``EventBlockReader/read(_:of:_:)``.
package struct StoredBlock: Sendable {
    package let id: Int64
    package let bytes: [UInt8]
}

/// The names of events and the numbers that represent them in the database.
package struct EventNames {
    private var ids: [String: Int64] = [:]
    private var names: [Int64: String] = [:]

    package static func load(in session: any SQLSession) throws -> EventNames {
        var names = EventNames()
        try session.forEach("SELECT name, id FROM event_names", []) { row in
            names.add(try row.text(0), id: try row.integer(1))
        }
        return names
    }

    /// Nil for an unknown number.
    package func name(of id: Int64) -> String? { names[id] }

    /// The same, reading the database if another process may have assigned the number. Empty for an unknown number.
    package mutating func name(of id: Int64, in session: any SQLSession) throws -> String {
        if let name = names[id] { return name }
        self = try EventNames.load(in: session)
        if names[id] == nil { names[id] = "" }
        return names[id] ?? ""
    }

    /// The number of an event's name, assigned on first use.
    package mutating func id(of definition: EventDefinition, in transaction: any SQLTransaction) throws -> Int64 {
        if let id = ids[definition.name] { return id }
        let id = try transaction.integer(
            """
            INSERT INTO event_names (name) VALUES (?)
            ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id
            """, [.text(definition.name)])
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert event name") }
        add(definition.name, id: id)
        return id
    }

    private mutating func add(_ name: String, id: Int64) {
        ids[name] = id
        names[id] = name
    }
}
