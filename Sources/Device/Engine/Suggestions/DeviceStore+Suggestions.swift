public import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// How the queue of suggestions stands.
public struct SuggestionQueueFigures: Sendable, Hashable {
    public var waiting: Int
    /// Names that the server will never take.
    public var refused: Int
}

/// A name that waits to be suggested.
package struct QueuedSuggestion: Sendable, Hashable {
    package let id: UUID
    package let name: String
}

extension DeviceStore {
    /// Names that may wait at most.
    public static let maximumSuggestions = 1000

    /// Queues the name of a service that the catalogue lacks, and gives the id under which it counts once. A name that
    /// waits already, case and accents aside, is not queued twice: the id is that of the first.
    ///
    /// Throws for a name that no catalogue item could have (1 to 120 characters, no control characters), and when the
    /// queue is full.
    @discardableResult
    public func suggest(_ name: String, at moment: Moment) throws -> UUID {
        let name = CatalogueRules.trimmed(name)
        if let error = CatalogueRules.nameError(name, field: "name") {
            throw DeviceStoreError.invalid(InvalidField(field: "name", code: error.code, detail: error.detail))
        }
        return try write(at: moment) { unit in
            let waiting = try unit.session.query("SELECT id, name FROM suggestions WHERE refusal IS NULL ORDER BY num")
            {
                (id: try $0.uuid(0), name: try $0.text(1))
            }
            let folded = TextFolding.fold(name)
            if let same = waiting.first(where: { TextFolding.fold($0.name) == folded }) { return same.id }
            guard waiting.count < Self.maximumSuggestions else {
                throw InvalidField(
                    field: "name", code: "too_many", detail: "\(Self.maximumSuggestions) suggestions wait already.")
            }
            // Nothing but random: one that told its moment could be laid beside the events of the same moment.
            let id = UUID(version4: (random(), random()))
            try unit.session.execute(
                "INSERT INTO suggestions (id, name, made_at) VALUES (?, ?, ?)",
                [.uuid(id), .text(name), .instant(moment.now)])
            return id
        }
    }

    public func suggestionFigures() throws -> SuggestionQueueFigures {
        try read { session in
            let count = { (condition: String) in
                try session.first("SELECT count(*) FROM suggestions WHERE refusal IS \(condition)", []) {
                    Int(try $0.integer(0))
                } ?? 0
            }
            return SuggestionQueueFigures(waiting: try count("NULL"), refused: try count("NOT NULL"))
        }
    }

    /// The oldest names that wait.
    package func suggestions(limit: Int) throws -> [QueuedSuggestion] {
        let sql = "SELECT id, name FROM suggestions WHERE refusal IS NULL ORDER BY num LIMIT ?"
        return try read {
            try $0.query(sql, [.count(limit)]) { QueuedSuggestion(id: try $0.uuid(0), name: try $0.text(1)) }
        }
    }

    /// Takes names out of the queue that the server has, and marks those that it never will take. Of those the newest
    /// hundred are kept, for the user to see.
    package func settleSuggestions(
        taken: [UUID], refused: [(id: UUID, code: String)], at moment: Moment
    ) throws {
        try write(at: moment) { unit in
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
