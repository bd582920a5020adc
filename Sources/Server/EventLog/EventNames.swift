package import SQLDatabase
package import SubGuardDomain

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
