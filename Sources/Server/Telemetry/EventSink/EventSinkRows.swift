import EventLog
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
package struct EventSinkRows {
    /// The columns in the order of the rows.
    package static let columns = [
        "event", "moment", "received", "user", "item", "platform", "app_version", "id", "block", "place",
        "properties",
    ]

    /// The bytes for each shard.
    private(set) var shards: [[UInt8]]
    /// For each shard the sums of each week, in no order. There are few, so searching them is faster than hashing.
    private(set) var weeks: [[(week: Int64, sums: EventSinkSums)]]

    init(shardCount: Int) {
        shards = Array(repeating: [], count: shardCount)
        weeks = Array(repeating: [], count: shardCount)
    }

    /// Makes room for `count` events in all, which are assumed to be like those so far. An array that grows by itself
    /// is copied into one twice as large.
    mutating func reserve(_ count: Int) {
        let soFar = weeks.joined().reduce(0) { $0 + $1.sums.eventCount }
        guard soFar > 0 else { return }
        for shard in shards.indices {
            let expected = shards[shard].count * count / Int(soFar)
            shards[shard].reserveCapacity(expected + expected / 8)
        }
    }

    mutating func append(
        _ event: EventBlockReader.Event, _ texts: EventSinkTexts.Packed, user: Int64, block: Int64, place: UInt32
    ) {
        let shard = Int(user % Int64(shards.count))
        let id = event.id.value
        let moment = event.occurredAt.millisecondsSinceEpoch
        let received = event.receivedAt.millisecondsSinceEpoch
        shards[shard].append(contentsOf: texts.bytes[..<texts.item])
        shards[shard].append(contentsOf: (moment.littleEndian, received.littleEndian, user.littleEndian), 24)
        shards[shard].append(contentsOf: texts.bytes[texts.item..<texts.properties])
        // A UUID is two numbers.
        let (first, second) = (UInt64(truncatingIfNeeded: id >> 64), UInt64(truncatingIfNeeded: id))
        shards[shard].append(
            contentsOf: (first.littleEndian, second.littleEndian, block.littleEndian, place.littleEndian), 28)
        shards[shard].append(contentsOf: texts.bytes[texts.properties...])
        let week = Self.week(of: moment)
        let index = weeks[shard].firstIndex { $0.week == week } ?? weeks[shard].count
        if index == weeks[shard].count { weeks[shard].append((week, EventSinkSums())) }
        weeks[shard][index].sums.add(
            moment: moment, received: received, user: user, id: second.byteSwapped, text: texts.hash)
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

extension Array<UInt8> {
    /// Appends the first bytes of a tuple of numbers, which has no gaps between them.
    fileprivate mutating func append<Numbers>(contentsOf numbers: Numbers, _ count: Int) {
        Swift.withUnsafeBytes(of: numbers) { append(contentsOf: $0[..<count]) }
    }
}
