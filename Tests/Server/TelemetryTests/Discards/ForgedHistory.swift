import BackendTestKit
import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain
import Telemetry
import TestKit

/// Random batches of honest and forged events: late, out of order, on midnights, Mondays and leap days, some forged
/// ones with the hash of honest users. Each event is sent once, so that its batch is known.
struct ForgedHistory {
    struct Batch {
        let receivedAt: UTCInstant
        let events: [AnalyticsEvent]
        let signer: String?

        var eventBatch: EventBatch {
            var batch = EventBatch(events: events, rejected: [], receivedAt: receivedAt, byteCount: 0)
            batch.signer = signer
            return batch
        }
    }

    /// Whether some forged events carry the hashes of honest users.
    var mixesUsers = true
    private(set) var now: UTCInstant
    private(set) var batches: [Batch] = []
    private var random: SeededRandom
    private var lastID: UInt64 = 0
    private var lastForgedUser = 1000

    init(seed: UInt64, now: UTCInstant) {
        random = SeededRandom(seed: seed)
        self.now = now
    }

    mutating func passTime() {
        let steps: [ClosedRange<Int64>] = [1...1, 1...59_999, 60_000...3_600_000, 1...(2 * 86_400_000)]
        let range = steps[Int.random(in: 0..<steps.count, using: &random)]
        now = now.adding(milliseconds: Int64.random(in: range, using: &random))
    }

    /// Forged batches have the platform `web` and their own version, and are never signed.
    mutating func batch(isForged: Bool) throws -> Batch {
        if isForged { lastForgedUser += Int.random(in: 0...3, using: &random) }
        var events: [AnalyticsEvent] = []
        for _ in 0..<Int.random(in: 1...(isForged ? 25 : 12), using: &random) {
            lastID += 1
            let definition = EventRegistry.events[Int.random(in: 0..<EventRegistry.events.count, using: &random)]
            var user = Int.random(in: 0..<12, using: &random)
            if isForged, !mixesUsers || Int.random(in: 0..<4, using: &random) > 0 {
                user = Int.random(in: max(1000, lastForgedUser - 6)...lastForgedUser, using: &random)
            }
            let properties = properties(of: definition, isForged: isForged)
            events.append(try event(lastID, definition.name, user: user, at: moment(), properties: properties))
        }
        let isSigned = !isForged && Int.random(in: 0..<2, using: &random) == 0
        let batch = Batch(receivedAt: now, events: events, signer: isSigned ? "app-2026 “é”" : nil)
        batches.append(batch)
        return batch
    }

    private mutating func properties(of definition: EventDefinition, isForged: Bool) -> String? {
        let item = "\"catalogue_item_id\":\"\(makeID(UInt64.random(in: 1...5, using: &random)).lowercased)\""
        let namesItem = definition.property(named: "catalogue_item_id") != nil && Bool.random(using: &random)
        let version = ["1.2", "1.3"].randomElement(using: &random) ?? ""
        var members = ["\"app_version\":\"\(isForged ? "9.9, \\\"x\\\"" : version)\""]
        if namesItem { members.append(item) }
        members.append("\"platform\":\"\(isForged ? "web" : ["ios", "android"].randomElement(using: &random) ?? "")\"")
        if !isForged, Bool.random(using: &random) { return namesItem ? "{\(item)}" : nil }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func moment() -> UTCInstant {
        let candidate: UTCInstant
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            let days = [0, -1, -7, -8, -30, -37, -40][Int.random(in: 0..<7, using: &random)]
            candidate = UTCInstant(startOf: now.adding(days: days).day)
                .adding(milliseconds: Int64.random(in: -1...1, using: &random))
        case 1: candidate = now.adding(days: -7 * Int.random(in: 1...5, using: &random))
        case 2: candidate = now.adding(milliseconds: Int64.random(in: -120_000...120_000, using: &random))
        case 3: candidate = now.adding(milliseconds: Int64.random(in: -400 * 86_400_000...0, using: &random))
        default: candidate = now.adding(milliseconds: Int64.random(in: -45 * 86_400_000...86_400_000, using: &random))
        }
        return max(min(candidate, now.adding(days: 1)), now.adding(days: -400))
    }

    /// The ids of the events that match a selection, found by brute force.
    func selected(_ selection: DiscardSelection) -> Set<UUID> {
        var batchesOfUser: [UserHash: Set<Int>] = [:]
        var firstReceivedAt: [UserHash: UTCInstant] = [:]
        for (number, batch) in batches.enumerated() {
            for event in batch.events {
                batchesOfUser[event.userID, default: []].insert(number)
                firstReceivedAt[event.userID] = min(firstReceivedAt[event.userID] ?? .latest, batch.receivedAt)
            }
        }
        var ids: Set<UUID> = []
        for batch in batches where batch.receivedAt >= selection.receivedFrom {
            guard batch.receivedAt < selection.receivedBefore else { continue }
            if selection.isUnsignedOnly, batch.signer != nil { continue }
            for event in batch.events {
                let text = String(decoding: event.properties ?? [], as: UTF8.self)
                if !selection.platforms.isEmpty, !text.contains(#""platform":"web""#) { continue }
                if !selection.appVersions.isEmpty, !text.contains("9.9") { continue }
                if selection.isOfOneBatchOnly, batchesOfUser[event.userID]?.count != 1 { continue }
                if selection.isFirstSeenInWindowOnly,
                    (firstReceivedAt[event.userID] ?? .latest) < selection.receivedFrom
                {
                    continue
                }
                ids.insert(event.id)
            }
        }
        return ids
    }
}

extension BackendFixture {
    /// All stored data of the figures that does not depend on when events were counted, row by row.
    func keptFigures() throws -> [String] {
        let columns = FigureColumns.names.filter { !$0.hasPrefix("returns") }.joined(separator: ", ")
        let queries = [
            "SELECT day_number, \(columns) FROM figure_days ORDER BY day_number",
            "SELECT users, conversions, subscriptions, 1 FROM figure_totals",
            """
            SELECT * FROM activity_days WHERE (change_1d, change_7d, change_28d, change_30d) <> (0, 0, 0, 0)
            ORDER BY day_number
            """,
            // Codes depend on the order of the log, and a discarded event may have been the first with its version.
            """
            SELECT f.day_count, f.first_day, coalesce(v.version, CAST(f.segment AS TEXT)), f.counts
            FROM funnel_days f LEFT JOIN app_versions v ON v.id = f.segment AND f.dimension = 1
            ORDER BY f.dimension, 1, 2, 3
            """,
            "SELECT item_id, addition_count FROM item_additions ORDER BY item_id",
            """
            SELECT n.name, d.day_number, d.event_count FROM event_days d JOIN event_names n ON n.id = d.event_name_id
            ORDER BY 1, 2
            """,
        ]
        let users = try storedUsers().map {
            """
            \($0.hash.bytes) \($0.firstSeenAt) \($0.lastSeenAt) \($0.signupAt) \($0.marks.sorted { $0.key < $1.key }) \
            \($0.days)
            """
        }
        let rows = try store.read { session in
            try queries.flatMap { query in
                try session.query(query) { row in
                    try (0..<12).compactMap { place in
                        if row.isNull(place) { return "-" }
                        if let number = try? row.integer(place) { return "\(number)" }
                        if let text = try? row.text(place) { return text }
                        return "\(try row.blob(place))"
                    }.joined(separator: " ")
                }
            }
        }
        // A row of zeros is equivalent to no row.
        return users + rows.filter { !$0.split(separator: " ").dropFirst().allSatisfy { $0 == "0" } }
    }
}

private enum FigureColumns {
    static let names = [
        "users", "downloads", "first_subscriptions", "five_subscriptions", "retention_d1", "retention_d7",
        "retention_d30", "conversions", "subscriptions", "first_seen", "last_seen", "returns_7d", "returns_30d",
    ]
}
