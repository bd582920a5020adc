import Foundation
import JSONWire
import SubGuardDomain
import TestKit

/// A request of events as sent by a device.
struct SentBatch: Sendable {
    let ids: [UUID]
    let body: [UInt8]
}

/// Makes batches of valid events. Makers with different seeds never generate the same id.
struct EventBatchMaker {
    private var random: SeededRandom
    private let now: UTCInstant

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        now = UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
    }

    /// Texts are built with the standard library, which is optimised even in debug builds: the devices must not be
    /// slower than the server.
    mutating func make(count: Int) -> SentBatch {
        let ids = (0..<count).map { _ in Self.id(random.next(), random.next()) }
        let events = ids.map { id in
            let chance = random.next()
            // Few users, so that batches of several connections change the same row.
            let user = String(repeating: chance & 16 == 0 ? "a" : "7", count: 64)
            let name = ["app_opened", "subscription_added", "app_downloaded", "retention_d7"][Int(chance & 3)]
            let time = now.adding(days: -Int(chance >> 8 & 31)).rfc3339
            return #"{"id":"\#(id)","name":"\#(name)","user_id":"\#(user)","timestamp":"\#(time)"}"#
        }
        return SentBatch(ids: ids, body: Array("[\(events.joined(separator: ","))]".utf8))
    }

    /// Mostly small batches, some large ones.
    mutating func makeAny() -> SentBatch { make(count: [1, 1, 3, 8, 20, 200][Int(random.next() % 6)]) }

    private static func id(_ high: UInt64, _ low: UInt64) -> UUID {
        withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}

/// The response to a batch.
struct BatchReceipt: Sendable, Equatable {
    let accepted: Int
    let duplicates: Int
    let rejected: Int

    /// Nil unless it is a 202 response that matches the contract.
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
