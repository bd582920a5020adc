package import Foundation
package import SubGuardDomain

/// Reads a block packed by ``EventBlock``. Throws ``EventBlockError`` for any other bytes.
package struct EventBlockReader {
    package struct Event: Sendable {
        package let id: EventID
        package let nameID: Int64
        package let userID: UserHash
        package let occurredAt: UTCInstant
        package let receivedAt: UTCInstant
        /// The index of its batch in the block, from 0.
        package let batch: Int
        /// The argument for ``properties(ofSet:)``; nil if there are none.
        package let set: Int?
    }

    private let ids: UnsafeRawBufferPointer
    private let users: UnsafeRawBufferPointer
    private let batches: [(count: Int, receivedAt: UTCInstant, signer: Int?)]
    private let signers: [String]
    /// The latest receipt of its events.
    let receivedAt: UTCInstant
    let members: [UnsafeRawBufferPointer]
    /// The numbers of the members of each property set.
    let sets: [[Int]]
    private var columns: PackedReader

    /// Reads the bytes of a block in the database. A thrown ``EventBlockError`` has its number.
    package static func read<Result>(
        _ bytes: [UInt8], of block: Int64, _ body: (EventBlockReader) throws -> Result
    ) throws -> Result {
        try EventBlockError.naming(block) { try bytes.withUnsafeBytes { try body(try EventBlockReader($0)) } }
    }

    /// `bytes` must outlive the reader.
    package init(_ bytes: UnsafeRawBufferPointer) throws {
        var reader = PackedReader(bytes)
        let layout = try reader.byte()
        guard layout == EventBlock.layout || layout == EventBlock.layoutWithSigners else {
            throw PackedReader.malformed
        }
        let receivedAt = UTCInstant(millisecondsSinceEpoch: try reader.signedNumber())
        var signers: [String] = []
        if layout == EventBlock.layoutWithSigners {
            for _ in 0..<(try reader.count(of: 1)) {
                guard let name = String(validating: try reader.take(try reader.count(of: 1)), as: UTF8.self) else {
                    throw PackedReader.malformed
                }
                signers.append(name)
            }
        }
        var count = 0
        batches = try (0..<reader.count(of: 2)).map { _ in
            let events = try reader.count(of: EventID.byteCount)
            count += events
            let batchReceivedAt = receivedAt.adding(milliseconds: 0 &- (try reader.signedNumber()))
            let signer = layout == EventBlock.layout ? 0 : try reader.index(below: signers.count + 1)
            return (events, batchReceivedAt, signer > 0 ? signer - 1 : nil)
        }
        let userCount = try reader.count(of: UserHash.byteCount)
        users = try reader.take(userCount * UserHash.byteCount)
        var members: [UnsafeRawBufferPointer] = []
        for _ in 0..<(try reader.count(of: 1)) {
            let length = try reader.count(of: 1)
            members.append(try reader.take(length))
        }
        sets = try (0..<reader.count(of: 1)).map { _ in
            try (0..<reader.count(of: 1)).map { _ in try reader.index(below: members.count) }
        }
        ids = try reader.take(count * EventID.byteCount)
        self.receivedAt = receivedAt
        self.signers = signers
        self.members = members
        columns = reader
    }

    /// The position of the user hashes in a block.
    static func userRange(in bytes: UnsafeRawBufferPointer) throws -> Range<Int> {
        let users = try EventBlockReader(bytes).users
        guard let start = bytes.baseAddress, let first = users.baseAddress else { return 0..<0 }
        return first - start..<first - start + users.count
    }

    /// The earliest receipt of its events.
    var receivedFrom: UTCInstant { batches.lazy.map(\.receivedAt).min() ?? receivedAt }

    package var count: Int { ids.count / EventID.byteCount }

    /// The name of the key that signed a batch; nil without a signature by a known key.
    package func signer(ofBatch batch: Int) -> String? { batches[batch].signer.map { signers[$0] } }

    /// Whether any user of the block satisfies a condition. Far cheaper than reading the events.
    package func containsUser(where condition: (UserHash) throws -> Bool) throws -> Bool {
        for number in 0..<users.count / UserHash.byteCount where try condition(user(number)) { return true }
        return false
    }

    package var setCount: Int { sets.count }

    package func forEachID(_ visit: (EventID) throws -> Void) rethrows {
        for index in 0..<count { try visit(EventID.load(ids, at: index * EventID.byteCount)) }
    }

    /// Compact JSON.
    package func properties(ofSet set: Int) -> [UInt8] { PropertyMembers.join(sets[set].map { members[$0] }) }

    package func forEach(_ visit: (Event) throws -> Void) throws {
        try forEachNumbered { _, event in try visit(event) }
    }

    /// Replaces the content of `columns` by the events of the block.
    package func read(into columns: inout EventColumns) throws {
        var reader = self.columns
        columns.reset(count)
        let userCount = users.count / UserHash.byteCount
        for _ in 0..<count { columns.nameIDs.append(Int64(bitPattern: try reader.number())) }
        for _ in 0..<count { columns.users.append(try reader.index(below: userCount)) }
        for _ in 0..<count {
            columns.moments.append(receivedAt.adding(milliseconds: 0 &- (try reader.signedNumber())))
        }
        for _ in 0..<count { columns.sets.append(try reader.index(below: sets.count + 1)) }
        guard reader.isAtEnd else { throw PackedReader.malformed }
        for batch in batches { columns.receipts += repeatElement(batch.receivedAt, count: batch.count) }
    }

    /// Visits the users of the block in the order of their numbers.
    package func forEachUserHash(_ visit: (UserHash) throws -> Void) throws {
        for number in 0..<users.count / UserHash.byteCount { try visit(user(number)) }
    }

    /// The catalogue item named by the properties of a set; parsed once per set.
    package func item(ofSet set: Int?, known items: inout [Int: UUID?]) -> UUID? {
        guard let set else { return nil }
        if let item = items[set] { return item }
        let item = AnalyticsEvent.catalogueItemID(in: properties(ofSet: set))
        items[set] = .some(item)
        return item
    }

    /// Visits the events of each user together; those of one user are in the order of the block.
    package func forEachUser(_ visit: (UserHash, [Event]) throws -> Void) throws {
        var events = [[Event]](repeating: [], count: users.count / UserHash.byteCount)
        try forEachNumbered { user, event in events[user].append(event) }
        for events in events {
            if let user = events.first?.userID { try visit(user, events) }
        }
    }

    /// Visits the events in the order of the block, each with the number of its user: the place in
    /// ``forEachUserHash(_:)``, from 0.
    package func forEachNumbered(_ visit: (_ user: Int, Event) throws -> Void) throws {
        var columns = EventColumns()
        try read(into: &columns)
        var index = 0
        for (number, batch) in batches.enumerated() {
            for _ in 0..<batch.count {
                let user = columns.users[index]
                try visit(
                    user,
                    Event(
                        id: EventID.load(ids, at: index * EventID.byteCount), nameID: columns.nameIDs[index],
                        userID: try self.user(user), occurredAt: columns.moments[index],
                        receivedAt: batch.receivedAt, batch: number, set: columns.set(of: index)))
                index += 1
            }
        }
    }

    private func user(_ number: Int) throws -> UserHash {
        let start = number * UserHash.byteCount
        guard let hash = UserHash(bytes: UnsafeRawBufferPointer(rebasing: users[start..<start + UserHash.byteCount]))
        else { throw PackedReader.malformed }
        return hash
    }
}

/// The events of a block in columns, without their ids, for counting a whole log. Used for one block after another,
/// so that the columns are allocated once.
package struct EventColumns {
    package fileprivate(set) var nameIDs: [Int64] = []
    /// The numbers of the users in the block, from 0.
    package fileprivate(set) var users: [Int] = []
    package fileprivate(set) var moments: [UTCInstant] = []
    /// The number of the property set + 1, or 0 for none.
    fileprivate var sets: [Int] = []
    /// When the server received them.
    package fileprivate(set) var receipts: [UTCInstant] = []

    package init() {}

    package var count: Int { nameIDs.count }

    /// The number of an event's property set; nil for none.
    package func set(of index: Int) -> Int? { sets[index] > 0 ? sets[index] - 1 : nil }

    fileprivate mutating func reset(_ count: Int) {
        nameIDs.removeAll(keepingCapacity: true)
        users.removeAll(keepingCapacity: true)
        moments.removeAll(keepingCapacity: true)
        sets.removeAll(keepingCapacity: true)
        receipts.removeAll(keepingCapacity: true)
        nameIDs.reserveCapacity(count)
        users.reserveCapacity(count)
        moments.reserveCapacity(count)
        sets.reserveCapacity(count)
        receipts.reserveCapacity(count)
    }
}
