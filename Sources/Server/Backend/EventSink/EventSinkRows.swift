import Crypto
import EventLog
import Foundation
import JSONWire
import SubGuardDomain

/// What identifies the events of a part in the ledger and in ClickHouse. Sums are modulo 2^64.
package struct EventSinkSums: Sendable, Hashable {
    package var eventCount: Int64 = 0
    package var moments: UInt64 = 0
    package var received: UInt64 = 0
    package var users: UInt64 = 0
    /// Of the second halves of the ids.
    package var ids: UInt64 = 0
    /// Of a hash of event, platform, app version, item and properties.
    package var texts: UInt64 = 0

    package init() {}

    package static func += (sums: inout EventSinkSums, other: EventSinkSums) {
        sums.eventCount &+= other.eventCount
        sums.moments &+= other.moments
        sums.received &+= other.received
        sums.users &+= other.users
        sums.ids &+= other.ids
        sums.texts &+= other.texts
    }
}

/// Events as rows of ClickHouse's format RowBinary, for each shard, with the sums of each week.
///
/// The bytes depend only on the events, their order and the numbers of their users.
struct EventSinkRows {
    /// The columns in the order of the rows.
    static let columns = [
        "event", "moment", "received", "user", "item", "platform", "app_version", "id", "block", "place",
        "properties",
    ]

    /// The bytes for each shard.
    private(set) var shards: [[UInt8]]
    /// For each shard the sums of each week.
    private(set) var weeks: [[Int64: EventSinkSums]]

    init(shardCount: Int) {
        shards = Array(repeating: [], count: shardCount)
        weeks = Array(repeating: [:], count: shardCount)
    }

    /// The columns of an event that are texts or an item, packed once for all events of a block that share them.
    struct Texts {
        fileprivate let event: [UInt8]
        fileprivate let item: [UInt8]
        fileprivate let versions: [UInt8]
        /// The JSON.
        fileprivate let properties: [UInt8]
        fileprivate let hash: UInt64

        /// - Parameter json: the properties as in the log; nil for none.
        init(event: String, json: [UInt8]?) {
            let properties = EventSinkProperties(json)
            self.properties = Self.packed(json ?? [])
            self.event = Self.packed(Array(event.utf8))
            let half = { (value: UInt64) in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
            let value = properties.item.map { EventID($0).value } ?? 0
            item = half(UInt64(truncatingIfNeeded: value >> 64)) + half(UInt64(truncatingIfNeeded: value))
            versions = Self.packed(Array(properties.platform.utf8)) + Self.packed(Array(properties.appVersion.utf8))
            let name = properties.item.map(\.lowercased) ?? "00000000-0000-0000-0000-000000000000"
            let text = [event, properties.platform, properties.appVersion, name, ""].joined(separator: "\n")
            hash = Insecure.MD5.hash(data: Array(text.utf8) + (json ?? [])).withUnsafeBytes {
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self))
            }
        }

        private static func packed(_ text: [UInt8]) -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(packed: text.count)
            return bytes + text
        }
    }

    mutating func append(_ event: EventBlockReader.Event, _ texts: Texts, user: Int64, block: Int64, place: UInt32) {
        let shard = Int(user % Int64(shards.count))
        let id = event.id.value
        let moment = event.occurredAt.millisecondsSinceEpoch
        let received = event.receivedAt.millisecondsSinceEpoch
        shards[shard].append(contentsOf: texts.event)
        shards[shard].append(little: UInt64(bitPattern: moment))
        shards[shard].append(little: UInt64(bitPattern: received))
        shards[shard].append(little: UInt64(bitPattern: user))
        shards[shard].append(contentsOf: texts.item)
        shards[shard].append(contentsOf: texts.versions)
        // A UUID is two numbers.
        shards[shard].append(little: UInt64(truncatingIfNeeded: id >> 64))
        shards[shard].append(little: UInt64(truncatingIfNeeded: id))
        shards[shard].append(little: UInt64(bitPattern: block))
        shards[shard].append(little: place)
        shards[shard].append(contentsOf: texts.properties)
        weeks[shard][Self.week(of: moment), default: EventSinkSums()].add(
            moment: moment, received: received, user: user, id: UInt64(truncatingIfNeeded: id).byteSwapped,
            text: texts.hash)
    }

    /// The number of the Monday of a moment's week in UTC, in days since 1970-01-01.
    static func week(of moment: Int64) -> Int64 {
        let day = moment / 86_400_000
        return day - (day + 3) % 7
    }
}

extension EventSinkSums {
    fileprivate mutating func add(moment: Int64, received: Int64, user: Int64, id: UInt64, text: UInt64) {
        eventCount += 1
        moments &+= UInt64(bitPattern: moment)
        self.received &+= UInt64(bitPattern: received)
        users &+= UInt64(bitPattern: user)
        ids &+= id
        texts &+= text
    }
}

/// The properties of an event that the sink has columns for.
struct EventSinkProperties {
    var item: UUID?
    /// A name of ``UserSegment/platforms``, `other`, or empty for none.
    var platform = ""
    /// Numbers with dots, `other`, or empty for none.
    var appVersion = ""

    /// - Parameter json: compact JSON; nil for none. Other members are ignored.
    init(_ json: [UInt8]?) {
        guard let json, let object = (try? JSONValue.parse(json))?.objectValue else { return }
        item = (object["catalogue_item_id"]?.stringValue).flatMap { UUID(strict: $0) }
        if let name = object["platform"]?.stringValue {
            let code = Int(UserSegment.platform(named: name.utf8))
            platform = code < UserSegment.platforms.count ? UserSegment.platforms[code] : "other"
        }
        if let version = object["app_version"]?.stringValue {
            appVersion = AppVersions.isVersion(Array(version.utf8)) ? version : "other"
        }
    }
}

extension Array<UInt8> {
    fileprivate mutating func append(little value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
