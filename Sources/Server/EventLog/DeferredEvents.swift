package import Foundation
package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Events dated ahead that the figures leave out until their moments have come: rows of `deferred_events`.
///
/// A fold copies them out of their blocks, so that a later one finds what is due without reading blocks again.
package enum DeferredEvents {
    struct Event {
        let occurredAt: UTCInstant
        let block: Int64
        /// Tells the events of a block apart.
        let place: Int64
        let user: UserHash
        let nameID: Int64
        let item: UUID?
        let segment: UserSegment
    }

    /// An event as its block describes it. Several of them may be alike; then they count alike.
    package struct Content: Hashable {
        let occurredAt: UTCInstant
        let user: UserHash
        let nameID: Int64
        let item: UUID?
        let segment: UserSegment

        package init(occurredAt: UTCInstant, user: UserHash, nameID: Int64, item: UUID?, segment: UserSegment) {
            self.occurredAt = occurredAt
            self.user = user
            self.nameID = nameID
            self.item = item
            self.segment = segment
        }
    }

    /// The moment of the next one; nil if there are none.
    static func nextDueAt(in session: any SQLSession) throws -> UTCInstant? {
        try session.first("SELECT min(occurred_at) FROM deferred_events") { try $0.optionalInstant(0) } ?? nil
    }

    /// The moment up to which a fold takes what is due by `until`: earlier if there is more than fits into memory.
    /// Those of one millisecond are always taken together.
    package static func bound(
        until: UTCInstant, most: Int = EventLogTuning.mostEventsInAFold, in session: any SQLSession
    ) throws -> UTCInstant {
        let next = try session.first(
            "SELECT occurred_at FROM deferred_events WHERE occurred_at <= ? ORDER BY occurred_at LIMIT 1 OFFSET ?",
            [.instant(until), .integer(Int64(most))]
        ) { try $0.instant(0) }
        guard let next, let first = try nextDueAt(in: session) else { return until }
        return max(first, next.adding(milliseconds: -1))
    }

    static func forEach(
        dueBy until: UTCInstant, in session: any SQLSession, _ visit: (Event) throws -> Void
    ) throws {
        try forEach(from: .earliest, through: until, in: session, visit)
    }

    static func insert(_ events: [Event], in transaction: any SQLTransaction) throws {
        try transaction.execute(
            insertion,
            rows: events.map { event in
                [
                    .instant(event.occurredAt), .integer(event.block), .integer(event.place), .blob(event.user.bytes),
                    .integer(event.nameID), .uuid(orNull: event.item),
                    .integer(Int64(event.segment.packed)),
                ]
            })
    }

    /// Removes those that a fold has counted.
    static func remove(dueBy until: UTCInstant, in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM deferred_events WHERE occurred_at <= ?", [.instant(until)])
    }

    /// Removes one for each of the contents.
    package static func remove(_ contents: [Content], in transaction: any SQLTransaction) throws {
        var left = Dictionary(contents.map { ($0, 1) }, uniquingKeysWith: +)
        guard let first = contents.map(\.occurredAt).min(), let last = contents.map(\.occurredAt).max() else { return }
        var found: [Event] = []
        try forEach(from: first, through: last, in: transaction) { event in
            guard let count = left[event.content], count > 0 else { return }
            left[event.content] = count - 1
            found.append(event)
        }
        try transaction.execute(
            removal, rows: found.map { [.instant($0.occurredAt), .integer($0.block), .integer($0.place)] })
    }

    /// Replaces the hashes of users. Returns the old ones that were found.
    static func replaceUsers(
        _ replacements: [UserHash: UserHash], in transaction: any SQLTransaction
    ) throws -> Set<UserHash> {
        let olds = Array(replacements.keys)
        var rows: [[SQLValue]] = []
        var users: Set<UserHash> = []
        try transaction.forEach(ofUser, rows: olds.map { [.blob($0.bytes)] }) { index, row in
            let old = olds[index]
            guard let new = replacements[old] else { return }
            users.insert(old)
            rows.append([
                .blob(new.bytes), .instant(try row.instant(0)), .integer(try row.integer(1)),
                .integer(try row.integer(2)),
            ])
        }
        try transaction.execute(renaming, rows: rows)
        return users
    }

    private static let renaming = SQLBatchStatement(
        eachRow: "UPDATE deferred_events SET user_hash = ? WHERE occurred_at = ? AND block_id = ? AND place = ?",
        allRows: """
            UPDATE deferred_events SET user_hash = given.user_hash
            FROM unnest(?::bytea[], ?::bigint[], ?::bigint[], ?::bigint[])
                AS given (user_hash, occurred_at, block_id, place)
            WHERE deferred_events.occurred_at = given.occurred_at AND deferred_events.block_id = given.block_id
                AND deferred_events.place = given.place
            """)

    private static func forEach(
        from first: UTCInstant, through last: UTCInstant, in session: any SQLSession, _ visit: (Event) throws -> Void
    ) throws {
        try session.forEach(
            """
            SELECT occurred_at, block_id, place, user_hash, event_name_id, item_id, segment FROM deferred_events
            WHERE occurred_at >= ? AND occurred_at <= ? ORDER BY occurred_at, block_id, place
            """, [.instant(first), .instant(last)]
        ) { try visit(event($0)) }
    }

    private static func event(_ row: any SQLRow) throws -> Event {
        guard let user = UserHash(bytes: try row.blob(3)),
            let segment = UserSegment(packed: UInt64(bitPattern: try row.integer(6)))
        else { throw SQLError.malformed("deferred_events") }
        return Event(
            occurredAt: try row.instant(0), block: try row.integer(1), place: try row.integer(2), user: user,
            nameID: try row.integer(4), item: try row.optionalUUID(5), segment: segment)
    }

    private static let insertion = SQLBatchStatement.insertion(
        into: "deferred_events",
        [
            .integer("occurred_at"), .integer("block_id"), .integer("place"), .blob("user_hash"),
            .integer("event_name_id"), .blob("item_id"), .integer("segment"),
        ])

    private static let ofUser = SQLBatchStatement(
        eachRow: "SELECT occurred_at, block_id, place FROM deferred_events WHERE user_hash = ?",
        allRows: """
            SELECT number, occurred_at, block_id, place
            FROM unnest(?::bytea[]) WITH ORDINALITY AS given (user_hash, number)
            JOIN deferred_events USING (user_hash)
            """)

    private static let removal = SQLBatchStatement.removal(
        from: "deferred_events", by: [.integer("occurred_at"), .integer("block_id"), .integer("place")])
}

extension DeferredEvents.Event {
    fileprivate var content: DeferredEvents.Content {
        DeferredEvents.Content(occurredAt: occurredAt, user: user, nameID: nameID, item: item, segment: segment)
    }
}
