import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The queue of events, within a transaction.
struct EventQueue {
    let session: any SQLTransaction

    /// Ordinary events that are kept at most. Beyond them the oldest go, and are counted; milestones never do, of
    /// which there are seven.
    static let maximumOrdinary = 5000

    func append(_ id: UUID, _ definition: EventDefinition, at now: UTCInstant, _ properties: JSONObject) throws {
        try session.execute(
            "INSERT INTO events (id, name, occurred_at, is_milestone, properties) VALUES (?, ?, ?, ?, ?)",
            [
                .uuid(id), .text(definition.name), .instant(now), .flag(definition.countsOncePerUser),
                .text(String(decoding: JSONValue.object(properties).serialized(), as: UTF8.self)),
            ])
    }

    /// Drops what is beyond the bound.
    func trim() throws {
        let sql = "SELECT count(*) FROM events WHERE is_milestone = 0"
        let excess = (try session.first(sql, [], { Int(try $0.integer(0)) }) ?? 0) - Self.maximumOrdinary
        guard excess > 0 else { return }
        try session.execute(
            """
            DELETE FROM events WHERE num IN (
                SELECT num FROM events WHERE is_milestone = 0 ORDER BY num LIMIT ?
            )
            """, [.count(excess)])
        try Settings.add(excess, to: Settings.droppedKey, in: session)
    }
}

extension UnitOfWork {
    /// Notes an event in the transaction of what caused it, unless consent was revoked. Only what the registry allows
    /// for this event is kept of the properties.
    func record(_ name: String, _ properties: [(name: String, value: JSONValue)] = []) throws {
        guard try consent != .revoked, let definition = EventRegistry.definition(named: name) else { return }
        let allowed = properties.filter { property in
            switch (definition.property(named: property.name)?.kind, property.value) {
            case (nil, _): false
            case (let kind?, .string(let text)): kind.accepts(text: text)
            case (let kind?, let value): value.integerValue.map { kind.accepts(integer: $0) } ?? false
            }
        }
        try EventQueue(session: session).append(makeID(), definition, at: moment.now, JSONObject(allowed))
        hasRecorded = true
    }

    /// Notes an event that comes once for ever. It counts as passed where consent is revoked, too: what is the first
    /// must not be claimed of a later one.
    func reach(_ milestone: String, _ properties: [(name: String, value: JSONValue)] = []) throws {
        if try pass(milestone) { try record(milestone, properties) }
    }

    /// Notes that a milestone is passed and tells nobody; false where it was before.
    @discardableResult
    func pass(_ milestone: String) throws -> Bool {
        try session.execute(
            "INSERT INTO milestones (name, reached_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            [.text(milestone), .instant(moment.now)]) > 0
    }
}
