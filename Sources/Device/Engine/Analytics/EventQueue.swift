import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The queue of events, within a transaction.
struct EventQueue {
    let session: any SQLTransaction

    /// Maximum number of ordinary events. Beyond it the oldest are dropped and counted. Milestones are never dropped.
    static let maximumOrdinary = 5000

    func append(_ id: UUID, _ definition: EventDefinition, at now: UTCInstant, _ properties: JSONObject) throws {
        try session.execute(
            "INSERT INTO events (id, name, occurred_at, is_milestone, properties) VALUES (?, ?, ?, ?, ?)",
            [
                .uuid(id), .text(definition.name), .instant(now), .flag(definition.countsOncePerUser),
                .text(String(decoding: JSONValue.object(properties).serialized(), as: UTF8.self)),
            ])
    }

    /// Drops the oldest events beyond the limit.
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
    /// Queues an event in the transaction that caused it, unless consent was revoked. Properties that the registry does
    /// not allow are dropped.
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

    /// Queues a milestone the first time it is reached. Reached milestones are recorded even without consent, so that a
    /// later event is never reported as the first.
    func reach(_ milestone: String, _ properties: [(name: String, value: JSONValue)] = []) throws {
        if try pass(milestone) { try record(milestone, properties) }
    }

    /// Records that a milestone was reached without queueing an event. Returns false if it was reached before.
    @discardableResult
    func pass(_ milestone: String) throws -> Bool {
        try session.execute(
            "INSERT INTO milestones (name, reached_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            [.text(milestone), .instant(moment.now)]) > 0
    }
}
