package import Foundation
package import JSONWire
import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Events that go in one request, and under which id.
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

/// How the queue of events stands.
public struct EventQueueFigures: Sendable, Hashable {
    public var waiting: Int
    /// Ordinary events that were dropped because the queue was full.
    public var dropped: Int
    /// Events that a server refused.
    public var rejected: Int
}

extension DeviceStore {
    public func eventFigures() throws -> EventQueueFigures {
        try read { session in
            let settings = Settings(session)
            return EventQueueFigures(
                waiting: try session.first("SELECT count(*) FROM events", [], { Int(try $0.integer(0)) }) ?? 0,
                dropped: try settings.count(Settings.droppedKey), rejected: try settings.count(Settings.rejectedKey))
        }
    }

    /// The oldest events, at most `limit`, to be sent to a server and then settled; nil where there are none, or where they may not
    /// be sent. They stay in the queue. Makes the anonymous id when there is none.
    package func events(limit: Int, for server: String, at moment: Moment) throws -> EventBatch? {
        try write(at: moment) { unit in
            guard try unit.consent == .granted else { return nil }
            let sql = "SELECT id, name, occurred_at, properties FROM events ORDER BY num LIMIT ?"
            let entries = try unit.session.query(sql, [.count(limit)]) { row in
                EventBatch.Entry(
                    id: try row.uuid(0), name: try row.text(1),
                    occurredAt: UTCInstant(millisecondsSinceEpoch: try row.integer(2)),
                    properties: (try? JSONValue.parse(Array(try row.text(3).utf8)))?.objectValue ?? JSONObject())
            }
            guard !entries.isEmpty else { return nil }
            let id = try Settings(unit.session).anonymousID ?? AnonymousID.make(random)
            try Settings.set(id, for: Settings.anonymousKey, in: unit.session)
            // On disk before anything leaves, so that a revoked consent always knows what there is to be forgotten.
            let told = try Settings(unit.session).toldServers
            if !told.contains(server) {
                try Settings.set(
                    (told + [server]).joined(separator: "\n"), for: Settings.toldServersKey, in: unit.session)
            }
            return EventBatch(userID: AnonymousID.hash(id), entries: entries)
        }
    }

    /// Whether events may have reached a server under the present anonymous id.
    package func hasTold(_ server: String) throws -> Bool {
        try read { try Settings($0).toldServers.contains(server) }
    }

    /// Says that what ``events(limit:for:at:)`` gave for a server has certainly not left the device.
    package func takeBackTelling(_ server: String, at moment: Moment) throws {
        try write(at: moment) { unit in
            let others = try Settings(unit.session).toldServers.filter { $0 != server }
            try Settings.set(
                others.isEmpty ? nil : others.joined(separator: "\n"), for: Settings.toldServersKey, in: unit.session)
        }
    }

    /// Takes events that a server has answered for out of the queue. Ids that are not in it any more are passed over.
    package func settleEvents(_ ids: [UUID], rejected: Int, at moment: Moment) throws {
        try write(at: moment) { unit in
            for id in ids { try unit.session.execute("DELETE FROM events WHERE id = ?", [.uuid(id)]) }
            try Settings.add(rejected, to: Settings.rejectedKey, in: unit.session)
        }
    }

    /// How many anonymous ids servers are still to forget.
    public func pendingErasures() throws -> Int {
        try read { try $0.first("SELECT count(*) FROM erasures", []) { Int(try $0.integer(0)) } ?? 0 }
    }

    /// SHA-256 of ids that a server is still to forget.
    package func erasures(for server: String) throws -> [String] {
        try read {
            try $0.query(
                "SELECT user_id FROM erasures WHERE server = ? ORDER BY asked_at, user_id", [.text(server)]
            ) { try $0.text(0) }
        }
    }

    package func settleErasure(_ userID: String, by server: String, at moment: Moment) throws {
        try write(at: moment) {
            try $0.session.execute(
                "DELETE FROM erasures WHERE user_id = ? AND server = ?", [.text(userID), .text(server)])
        }
    }
}
