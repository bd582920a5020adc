import JSONWire
import SQLDatabase
import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// A discard and its progress. A row of `event_discards`.
package struct EventDiscard: Sendable, Hashable {
    package let id: Int64
    package let selection: DiscardSelection
    /// The name of its author in the audit log.
    package let actorName: String
    package let begunAt: UTCInstant
    /// Nil while it is running.
    package internal(set) var finishedAt: UTCInstant?
    /// The last block to search.
    let lastBlock: Int64
    /// Blocks up to and including this one are done.
    var sweptBlock: Int64
    /// Incremented by each transaction.
    var stepCount: Int64
    /// Events removed so far.
    package internal(set) var eventCount: Int64
    /// Users without remaining events.
    package internal(set) var removedUserCount: Int64
    /// Users who lost events and have others. A user counts when the last of their selected events is removed.
    package internal(set) var reducedUserCount: Int64
    package let totalsBefore: UserTotals
    /// Re-armed thresholds; empty until the discard is finished.
    package internal(set) var rearmedThresholds: [Int64]

    private static let columns = """
        id, selection, actor_name, begun_at, finished_at, through_block_id, swept_block_id, step_count, event_count,
        removed_user_count, reduced_user_count, users_before, conversions_before, subscriptions_before,
        rearmed_thresholds
        """

    private init(_ row: any SQLRow) throws {
        guard let json = try? JSONValue.parse(Array(try row.text(1).utf8)),
            let selection = DiscardSelection(json: json),
            let thresholds = try? JSONValue.parse(Array(try row.text(14).utf8)), let list = thresholds.arrayValue
        else { throw SQLError.malformed("event_discards") }
        id = try row.integer(0)
        self.selection = selection
        actorName = try row.text(2)
        begunAt = try row.instant(3)
        finishedAt = try row.optionalInstant(4)
        lastBlock = try row.integer(5)
        sweptBlock = try row.integer(6)
        stepCount = try row.integer(7)
        eventCount = try row.integer(8)
        removedUserCount = try row.integer(9)
        reducedUserCount = try row.integer(10)
        totalsBefore = UserTotals(
            users: try row.integer(11), conversions: try row.integer(12), subscriptions: try row.integer(13))
        rearmedThresholds = list.compactMap(\.integerValue)
    }

    /// Returns the running discard; nil if there is none.
    static func underWay(in session: any SQLSession) throws -> EventDiscard? {
        try session.first("SELECT \(columns) FROM event_discards WHERE finished_at IS NULL") { try EventDiscard($0) }
    }

    static func find(_ id: Int64, in session: any SQLSession) throws -> EventDiscard? {
        try session.first("SELECT \(columns) FROM event_discards WHERE id = ?", [.integer(id)]) { try EventDiscard($0) }
    }

    /// Begins a discard that searches the blocks up to `lastBlock`.
    static func begin(
        _ selection: DiscardSelection, lastBlock: Int64, by actor: Actor, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws -> EventDiscard? {
        let totals = try UserTotals.load(in: transaction)
        return try transaction.first(
            """
            INSERT INTO event_discards (selection, actor_name, begun_at, through_block_id, swept_block_id, step_count,
                event_count, removed_user_count, reduced_user_count, users_before, conversions_before,
                subscriptions_before, rearmed_thresholds)
            VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0, ?, ?, ?, '[]') RETURNING \(columns)
            """,
            [
                .text(selection.json.text), .text(actor.name), .instant(now), .integer(lastBlock),
                .integer(totals.users), .integer(totals.conversions), .integer(totals.subscriptions),
            ]
        ) { try EventDiscard($0) }
    }

    func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            """
            UPDATE event_discards SET finished_at = ?, swept_block_id = ?, step_count = ?, event_count = ?,
                removed_user_count = ?, reduced_user_count = ?, rearmed_thresholds = ?
            WHERE id = ?
            """,
            [
                .instant(orNull: finishedAt), .integer(sweptBlock), .integer(stepCount), .integer(eventCount),
                .integer(removedUserCount), .integer(reducedUserCount), .text(thresholdList.text), .integer(id),
            ])
    }

    /// A JSON array.
    var thresholdList: JSONValue { .array(rearmedThresholds.map { .number("\($0)") }) }
}

extension JSONValue {
    /// Compact JSON.
    var text: String { String(decoding: serialized(), as: UTF8.self) }
}

/// How much work one step of a discard does.
package struct DiscardTuning: Sendable, Hashable {
    /// Events selected at a time. Default 500,000; each of their users takes about 200 bytes of memory, and each event
    /// of these users 24 bytes.
    package var eventsInAPortion = 500_000
    /// Events that one transaction removes. Default 2,000, about 10 ms.
    package var eventsInAStep = 2000
    /// Blocks that one transaction rewrites. Default 200.
    package var blocksInAStep = 200
    /// Time without progress after which another server continues a discard. Default 1 minute.
    package var takeoverTimeout = Duration.seconds(60)

    package init() {}
}
