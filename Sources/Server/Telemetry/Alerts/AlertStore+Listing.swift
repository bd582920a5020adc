package import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// The response of `GET /api/v1/admin/alerts`, from one snapshot.
package struct AlertOverview: Sendable {
    package let list: AlertThresholdList
    package let channels: [AlertChannelStatus]
    /// Newest first.
    package let deliveries: [AlertDelivery]
    /// The last id of this page, after which the next page begins; nil on the last page.
    package let next: UUID?
}

extension AlertStore {
    static let columns = """
        id, user_threshold, user_count, channel, target, state, attempts, created_at, last_attempt_at, next_attempt_at,
        delivered_at, last_error, kind, storage_level, storage_reason, storage_bytes, storage_limit_bytes,
        notice
        """

    /// Thresholds, channels and a page of deliveries. Ids are UUIDv7, so their order is that of creation.
    package func overview(after id: UUID?, limit: Int) throws -> AlertOverview {
        try context.store.readOnStandby { session in
            let rows = try session.query(
                """
                SELECT \(Self.columns) FROM alert_deliveries WHERE id < ? ORDER BY id DESC LIMIT ?
                """,
                [.blob(id?.rawBytes ?? [UInt8](repeating: 0xFF, count: 17)), .integer(Int64(limit) + 1)],
                Self.delivery)
            let page = Array(rows.prefix(limit))
            return AlertOverview(
                list: try thresholds(session), channels: try channels(session), deliveries: page,
                next: rows.count > limit ? page.last?.id : nil)
        }
    }

    package func find(_ id: UUID) throws -> AlertDelivery? {
        try context.store.read { try Self.find(id, in: $0) }
    }

    /// The number of deliveries of all channels by state.
    package func depths() throws -> [AlertDelivery.State: Int64] {
        var depths = Dictionary(uniqueKeysWithValues: AlertDelivery.State.allCases.map { ($0, Int64(0)) })
        try context.store.read { session in
            try session.forEach("SELECT state, count(*) FROM alert_deliveries GROUP BY state", []) { row in
                guard let state = AlertDelivery.State(rawValue: try row.text(0)) else { return }
                depths[state] = try row.integer(1)
            }
        }
        return depths
    }

    static func find(_ id: UUID, in session: any SQLSession) throws -> AlertDelivery? {
        try session.first("SELECT \(columns) FROM alert_deliveries WHERE id = ?", [.uuid(id)], delivery)
    }

    static func delivery(_ row: any SQLRow) throws -> AlertDelivery {
        guard let channel = AlertChannel(rawValue: try row.text(3)),
            let state = AlertDelivery.State(rawValue: try row.text(5))
        else { throw SQLError.malformed("alert delivery") }
        let subject: AlertDelivery.Subject =
            if let users = try row.optionalInteger(1) {
                .threshold(users: users, userCount: try row.optionalInteger(2) ?? users)
            } else if let level = try row.optionalText(13).flatMap(StorageLevel.init(rawValue:)) {
                .storage(
                    StorageNotice(
                        level: level, isDisk: try row.optionalText(14) == "disk",
                        bytes: try row.optionalInteger(15) ?? 0, limitBytes: try row.optionalInteger(16) ?? 0))
            } else if let text = try row.optionalText(17) {
                try row.text(12) == AlertDelivery.Kind.digest.rawValue
                    ? .digest(try digest(text)) : .rule(try notice(text))
            } else {
                .test
            }
        return AlertDelivery(
            id: try row.uuid(0), subject: subject, channel: channel, target: try row.text(4), state: state,
            attempts: Int(try row.integer(6)), createdAt: try row.instant(7),
            lastAttemptAt: try row.optionalInstant(8), nextAttemptAt: try row.optionalInstant(9),
            deliveredAt: try row.optionalInstant(10), lastError: try row.optionalText(11))
    }

    private static func digest(_ text: String) throws -> AlertDigest {
        guard let digest = AlertDigest(json: text) else { throw SQLError.malformed("digest") }
        return digest
    }

    private static func notice(_ text: String) throws -> AlertRuleNotice {
        guard let notice = AlertRuleNotice(json: text) else { throw SQLError.malformed("notice of an alert") }
        return notice
    }
}
