public import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Counts of the suggestion queue.
public struct SuggestionQueueCounts: Sendable, Hashable {
    /// Names that are still to be sent; at most 1,000.
    public var waiting: Int
    /// Names refused by the server.
    public var refused: Int
}

/// A queued suggestion.
package struct QueuedSuggestion: Sendable, Hashable {
    package let id: UUID
    package let name: String
}

extension DeviceStore.Suggestions {
    /// Maximum number of queued names.
    public static let maximumWaiting = 1000

    /// Queues the name of a missing service and returns the id of the suggestion. A name that is already queued
    /// (ignoring case and accents) is not queued again; the existing id is returned.
    ///
    /// Throws for an invalid name (1 to 120 characters, no control characters) and when the queue is full.
    @discardableResult
    public func add(_ name: String, at moment: Moment) throws -> UUID {
        let name = CatalogueRules.trimmed(name)
        if let error = CatalogueRules.nameError(name, field: "name") {
            throw DeviceStoreError.invalid(error)
        }
        return try store.write(at: moment) { unit in
            let waiting = try unit.session.query("SELECT id, name FROM suggestions WHERE refusal IS NULL ORDER BY num")
            {
                (id: try $0.uuid(0), name: try $0.text(1))
            }
            let folded = TextFolding.fold(name)
            if let same = waiting.first(where: { TextFolding.fold($0.name) == folded }) { return same.id }
            guard waiting.count < Self.maximumWaiting else {
                throw Fault("name", .outOfRange, "\(Self.maximumWaiting) suggestions are already queued.")
            }
            // Random, because an id with a timestamp could be linked to events of the same time.
            let id = UUID(version4: (store.random(), store.random()))
            try unit.session.execute(
                "INSERT INTO suggestions (id, name, made_at) VALUES (?, ?, ?)",
                [.uuid(id), .text(name), .instant(moment.now)])
            return id
        }
    }

    /// Whether a name is queued, ignoring case and accents.
    public func isWaiting(_ name: String) throws -> Bool {
        let folded = TextFolding.fold(CatalogueRules.trimmed(name))
        return try waiting(limit: Self.maximumWaiting).contains { TextFolding.fold($0.name) == folded }
    }

    /// How many suggestions wait, and how many the server refused.
    public func counts() throws -> SuggestionQueueCounts {
        try store.read { session in
            let count = { (condition: String) in
                try session.count("SELECT count(*) FROM suggestions WHERE refusal IS \(condition)")
            }
            return SuggestionQueueCounts(waiting: try count("NULL"), refused: try count("NOT NULL"))
        }
    }

    /// The oldest queued names.
    package func waiting(limit: Int) throws -> [QueuedSuggestion] {
        let sql = "SELECT id, name FROM suggestions WHERE refusal IS NULL ORDER BY num LIMIT ?"
        return try store.read {
            try $0.query(sql, [.count(limit)]) { QueuedSuggestion(id: try $0.uuid(0), name: try $0.text(1)) }
        }
    }

    /// Removes accepted names from the queue and marks refused ones. The newest 100 refused names are kept.
    package func settle(
        taken: [UUID], refused: [(id: UUID, code: String)], at moment: Moment
    ) throws {
        try store.write(at: moment) { unit in
            for id in taken { try unit.session.execute("DELETE FROM suggestions WHERE id = ?", [.uuid(id)]) }
            for (id, code) in refused {
                try unit.session.execute("UPDATE suggestions SET refusal = ? WHERE id = ?", [.text(code), .uuid(id)])
            }
            try unit.session.execute(
                """
                DELETE FROM suggestions WHERE refusal IS NOT NULL AND num NOT IN (
                    SELECT num FROM suggestions WHERE refusal IS NOT NULL ORDER BY num DESC LIMIT 100
                )
                """)
        }
    }
}
