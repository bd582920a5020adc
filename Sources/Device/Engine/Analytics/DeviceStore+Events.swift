package import Foundation
package import JSONWire
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// The events of one request and their user id.
package struct EventBatch: Sendable {
    package struct Entry: Sendable {
        package let id: UUID
        package let name: String
        package let occurredAt: UTCInstant
        package let properties: JSONObject
    }

    /// The SHA-256 of the anonymous id.
    package let userID: String
    package let entries: [Entry]
}

/// Counts of the event queue.
public struct EventQueueCounts: Sendable, Hashable {
    /// Events that are still to be sent: at most 5,000, and the milestones.
    public var waiting: Int
    /// Events dropped because the queue was full. Milestones are never dropped.
    public var dropped: Int
    /// Events rejected by a server.
    public var rejected: Int
}

extension DeviceStore.Analytics {
    /// How many events wait, and how many were dropped or rejected.
    public func queueCounts() throws -> EventQueueCounts {
        try store.read { session in
            let settings = Settings(session)
            return EventQueueCounts(
                waiting: try session.count("SELECT count(*) FROM events"),
                dropped: try settings.count(Settings.droppedKey), rejected: try settings.count(Settings.rejectedKey))
        }
    }

    /// The oldest events, at most `limit`, to send to a server and then ``settle(_:rejected:at:)``. They stay in the
    /// queue. Nil when there are none or consent is missing. Creates the anonymous id if needed.
    package func nextBatch(limit: Int, for server: String, at moment: Moment) throws -> EventBatch? {
        try store.write(at: moment) { unit in
            guard try unit.consent == .granted else { return nil }
            let entries = try EventBatch.Entry.oldest(limit, unit.session)
            guard !entries.isEmpty else { return nil }
            let id = try Settings(unit.session).anonymousID ?? AnonymousID.make(store.random)
            try Settings.set(id, for: Settings.anonymousKey, in: unit.session)
            // On disk before anything is sent, so that everything sent can be erased.
            let told = try Settings(unit.session).contactedServers
            if !told.contains(server) {
                try Settings.set(
                    (told + [server]).joined(separator: "\n"), for: Settings.contactedServersKey, in: unit.session)
            }
            return EventBatch(userID: AnonymousID.hash(id), entries: entries)
        }
    }

    /// The oldest events, at most `limit`, to be looked at. Nothing is marked, and the anonymous id is empty while
    /// there is none.
    package func preview(limit: Int) throws -> EventBatch {
        try store.read { session in
            EventBatch(
                userID: try Settings(session).anonymousID.map(AnonymousID.hash) ?? "",
                entries: try EventBatch.Entry.oldest(limit, session))
        }
    }

    /// Whether events may have been sent to a server under the current anonymous id.
    package func hasSent(to server: String) throws -> Bool {
        try store.read { try Settings($0).contactedServers.contains(server) }
    }

    /// Records that the batch of ``nextBatch(limit:for:at:)`` was certainly not sent.
    package func unmarkSent(to server: String, at moment: Moment) throws {
        try store.write(at: moment) { unit in
            let others = try Settings(unit.session).contactedServers.filter { $0 != server }
            try Settings.set(
                others.isEmpty ? nil : others.joined(separator: "\n"), for: Settings.contactedServersKey,
                in: unit.session)
        }
    }

    /// Removes events that a server answered from the queue. Unknown ids are ignored.
    package func settle(_ ids: [UUID], rejected: Int, at moment: Moment) throws {
        try store.write(at: moment) { unit in
            for id in ids { try unit.session.execute("DELETE FROM events WHERE id = ?", [.uuid(id)]) }
            try Settings.add(rejected, to: Settings.rejectedKey, in: unit.session)
        }
    }

    /// Number of anonymous ids that servers have not erased yet.
    public func pendingErasures() throws -> Int {
        try store.read { try $0.count("SELECT count(*) FROM erasures") }
    }

    /// SHA-256 of the ids that a server has not erased yet.
    package func erasures(for server: String) throws -> [String] {
        try store.read {
            try $0.query(
                "SELECT user_id FROM erasures WHERE server = ? ORDER BY asked_at, user_id", [.text(server)]
            ) { try $0.text(0) }
        }
    }

    package func settleErasure(_ userID: String, by server: String, at moment: Moment) throws {
        try store.write(at: moment) {
            try $0.session.execute(
                "DELETE FROM erasures WHERE user_id = ? AND server = ?", [.text(userID), .text(server)])
        }
    }
}

extension EventBatch.Entry {
    fileprivate static func oldest(_ limit: Int, _ session: any SQLSession) throws -> [EventBatch.Entry] {
        let sql = "SELECT id, name, occurred_at, properties FROM events ORDER BY num LIMIT ?"
        return try session.query(sql, [.count(limit)]) { row in
            EventBatch.Entry(
                id: try row.uuid(0), name: try row.text(1),
                occurredAt: UTCInstant(millisecondsSinceEpoch: try row.integer(2)),
                properties: (try? JSONValue.parse(Array(try row.text(3).utf8)))?.objectValue ?? JSONObject())
        }
    }
}

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
        let excess = try session.count(sql) - Self.maximumOrdinary
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
