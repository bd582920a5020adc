package import SubGuardDomain

/// Reads a block that ``EventBlock`` packed. Throws ``EventBlockError`` for bytes that it cannot have written.
package struct EventBlockReader {
    package struct Event: Sendable {
        let id: EventID
        package let nameID: Int64
        package let userID: UserHash
        package let occurredAt: UTCInstant
        package let receivedAt: UTCInstant
        /// Which of ``properties(ofSet:)``; nil when there are none.
        package let set: Int?
    }

    private let ids: UnsafeRawBufferPointer
    private let users: UnsafeRawBufferPointer
    private let batches: [(count: Int, receivedAt: UTCInstant)]
    private let receivedAt: UTCInstant
    private let members: [UnsafeRawBufferPointer]
    private let sets: [[Int]]
    private var columns: PackedReader

    /// `bytes` must outlive the reader.
    package init(_ bytes: UnsafeRawBufferPointer) throws {
        var reader = PackedReader(bytes)
        guard try reader.byte() == EventBlock.layout else { throw PackedReader.malformed }
        let receivedAt = UTCInstant(millisecondsSinceEpoch: try reader.signedNumber())
        var count = 0
        batches = try (0..<reader.count(of: 2)).map { _ in
            let events = try reader.count(of: EventID.byteCount)
            count += events
            return (events, receivedAt.adding(milliseconds: 0 &- (try reader.signedNumber())))
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
        self.members = members
        columns = reader
    }

    /// Where the hashes of the users stand in a block.
    static func userRange(in bytes: UnsafeRawBufferPointer) throws -> Range<Int> {
        let users = try EventBlockReader(bytes).users
        guard let start = bytes.baseAddress, let first = users.baseAddress else { return 0..<0 }
        return first - start..<first - start + users.count
    }

    package var count: Int { ids.count / EventID.byteCount }

    func forEachID(_ visit: (EventID) throws -> Void) rethrows {
        for index in 0..<count { try visit(EventID.load(ids, at: index * EventID.byteCount)) }
    }

    /// Compact JSON.
    package func properties(ofSet set: Int) -> [UInt8] { PropertyMembers.join(sets[set].map { members[$0] }) }

    package func forEach(_ visit: (Event) throws -> Void) throws {
        try forEachNumbered { _, event in try visit(event) }
    }

    /// The events of each user together, those of one in the order of the block.
    func forEachUser(_ visit: (UserHash, [Event]) throws -> Void) throws {
        var events = [[Event]](repeating: [], count: users.count / UserHash.byteCount)
        try forEachNumbered { user, event in events[user].append(event) }
        for events in events {
            if let user = events.first?.userID { try visit(user, events) }
        }
    }

    private func forEachNumbered(_ visit: (_ user: Int, Event) throws -> Void) throws {
        var columns = columns
        let names = try (0..<count).map { _ in Int64(bitPattern: try columns.number()) }
        let userNumbers = try (0..<count).map { _ in
            try columns.index(below: users.count / UserHash.byteCount)
        }
        let moments = try (0..<count).map { _ in receivedAt.adding(milliseconds: 0 &- (try columns.signedNumber())) }
        let setNumbers = try (0..<count).map { _ in try columns.index(below: sets.count + 1) }
        guard columns.isAtEnd else { throw PackedReader.malformed }
        var index = 0
        for batch in batches {
            for _ in 0..<batch.count {
                try visit(
                    userNumbers[index],
                    Event(
                        id: EventID.load(ids, at: index * EventID.byteCount), nameID: names[index],
                        userID: try user(userNumbers[index]), occurredAt: moments[index],
                        receivedAt: batch.receivedAt, set: setNumbers[index] > 0 ? setNumbers[index] - 1 : nil))
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
