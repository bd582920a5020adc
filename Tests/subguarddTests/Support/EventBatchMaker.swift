import Foundation
import JSONWire
import SubGuardDomain
import TestKit

/// A request of events as a device sends it.
struct SentBatch: Sendable {
    let ids: [UUID]
    let body: [UInt8]
}

/// Makes batches of valid events. Two makers with different seeds never make the same id.
struct EventBatchMaker {
    private var random: SeededRandom
    private let now: UTCInstant
    private static let names = ["app_opened", "subscription_added", "app_downloaded", "retention_d7", "app_opened"]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        now = UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
    }

    mutating func make(count: Int) -> SentBatch {
        let ids = (0..<count).map { _ in UUID(rawBytes: random.bytes(16)) ?? UUID() }
        var writer = JSONWriter(capacity: 200 * count)
        writer.beginArray()
        for id in ids {
            writer.beginObject()
            writer.field("id", id.lowercased)
            writer.field("name", Self.names.randomElement(using: &random) ?? "app_opened")
            // Few users, so that batches of several connections meet in one row.
            writer.field("user_id", String(repeating: "0123456789abcdef".randomElement(using: &random) ?? "a", count: 64))
            writer.field("timestamp", now.adding(seconds: -Int64.random(in: 0...86_400 * 40, using: &random)).rfc3339)
            writer.endObject()
        }
        writer.endArray()
        return SentBatch(ids: ids, body: writer.bytes)
    }

    /// Mostly small batches, some large ones.
    mutating func makeAny() -> SentBatch { make(count: [1, 3, 20, 60, 300].randomElement(using: &random) ?? 1) }
}

/// The answer to a batch.
struct BatchReceipt: Sendable, Equatable {
    let accepted: Int
    let duplicates: Int
    let rejected: Int

    /// Nil when it is no 202 or not in the form of the contract.
    init?(_ response: RawResponse) {
        guard response.status == 202, let object = try? JSONValue.parse(response.body).objectValue,
            let accepted = object["accepted"]?.integerValue, let duplicates = object["duplicates"]?.integerValue,
            let rejected = object["rejected"]?.arrayValue
        else { return nil }
        self.accepted = Int(accepted)
        self.duplicates = Int(duplicates)
        self.rejected = rejected.count
    }
}
