import EventLog
import Foundation
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

/// The events that a discard removes from the log. All given conditions must match.
package struct DiscardSelection: Sendable, Hashable {
    /// Only events of batches that the server received at this instant or later …
    package var receivedFrom: UTCInstant
    /// … and before this one.
    package var receivedBefore: UTCInstant
    /// Allowed values of the property `platform`, in any case, as in the funnel. Empty: any value or none.
    package var platforms: [String] = []
    /// Allowed values of the property `app_version`. Empty: any value or none.
    package var appVersions: [String] = []
    /// Only events of batches without a signature by a known key.
    package var isUnsignedOnly = false
    /// Only events of users whose events all came in a single batch.
    package var isOfOneBatchOnly = false
    /// Only events of users without events received before the window.
    package var isFirstSeenInWindowOnly = false

    package init(receivedFrom: UTCInstant, receivedBefore: UTCInstant) {
        self.receivedFrom = receivedFrom
        self.receivedBefore = receivedBefore
    }

    /// Whether the selection depends on all events of a user, not only on the event itself.
    var narrowsUsers: Bool { isOfOneBatchOnly || isFirstSeenInWindowOnly }

    /// Readable text: `received from … before …, platform web`.
    package var description: String {
        var parts = ["received from \(receivedFrom.rfc3339) before \(receivedBefore.rfc3339)"]
        if !platforms.isEmpty { parts.append("platform \(platforms.joined(separator: " or "))") }
        if !appVersions.isEmpty { parts.append("app version \(appVersions.joined(separator: " or "))") }
        if isUnsignedOnly { parts.append("unsigned") }
        if isOfOneBatchOnly { parts.append("users of one batch") }
        if isFirstSeenInWindowOnly { parts.append("users first seen in the window") }
        return parts.joined(separator: ", ")
    }
}

extension DiscardSelection {
    /// The form stored in the database and in the audit log.
    var json: JSONValue {
        .object(
            JSONObject([
                ("received_from", .string(receivedFrom.rfc3339)), ("received_before", .string(receivedBefore.rfc3339)),
                ("platforms", .array(platforms.map { .string($0) })),
                ("app_versions", .array(appVersions.map { .string($0) })), ("unsigned", .bool(isUnsignedOnly)),
                ("users_of_one_batch", .bool(isOfOneBatchOnly)),
                ("first_seen_in_window", .bool(isFirstSeenInWindowOnly)),
            ]))
    }

    /// Nil for JSON that ``json`` does not produce.
    init?(json: JSONValue) {
        guard let object = json.objectValue,
            let from = object["received_from"]?.stringValue.flatMap({ UTCInstant(rfc3339: $0) }),
            let before = object["received_before"]?.stringValue.flatMap({ UTCInstant(rfc3339: $0) }),
            let platforms = object["platforms"]?.arrayValue, let versions = object["app_versions"]?.arrayValue,
            let isUnsignedOnly = object["unsigned"]?.boolValue,
            let isOfOneBatchOnly = object["users_of_one_batch"]?.boolValue,
            let isFirstSeenInWindowOnly = object["first_seen_in_window"]?.boolValue
        else { return nil }
        self.init(receivedFrom: from, receivedBefore: before)
        self.platforms = platforms.compactMap(\.stringValue)
        appVersions = versions.compactMap(\.stringValue)
        self.isUnsignedOnly = isUnsignedOnly
        self.isOfOneBatchOnly = isOfOneBatchOnly
        self.isFirstSeenInWindowOnly = isFirstSeenInWindowOnly
    }
}

/// Matches the events of a block against a selection, except conditions on the other events of the user.
struct DiscardFilter {
    private let selection: DiscardSelection
    private let reader: EventBlockReader
    /// Results by property set; 0 means no properties, `n + 1` is set `n`.
    private var known: [Bool?]

    init(_ selection: DiscardSelection, _ reader: EventBlockReader) {
        self.selection = selection
        self.reader = reader
        known = [Bool?](repeating: nil, count: reader.setCount + 1)
    }

    mutating func selects(_ event: EventBlockReader.Event) -> Bool {
        guard event.receivedAt >= selection.receivedFrom, event.receivedAt < selection.receivedBefore else {
            return false
        }
        if selection.isUnsignedOnly, reader.signer(ofBatch: event.batch) != nil { return false }
        let place = event.set.map { $0 + 1 } ?? 0
        if let known = known[place] { return known }
        let selects = selects(event.set.map(reader.properties(ofSet:)))
        known[place] = selects
        return selects
    }

    private func selects(_ properties: [UInt8]?) -> Bool {
        if selection.platforms.isEmpty, selection.appVersions.isEmpty { return true }
        guard let properties, let object = (try? JSONValue.parse(properties))?.objectValue else { return false }
        func holds(_ name: String, _ values: [String], _ folded: (String) -> String = { $0 }) -> Bool {
            values.isEmpty || object[name]?.stringValue.map { values.map(folded).contains(folded($0)) } ?? false
        }
        return holds("platform", selection.platforms) { $0.lowercased() }
            && holds("app_version", selection.appVersions)
    }
}
