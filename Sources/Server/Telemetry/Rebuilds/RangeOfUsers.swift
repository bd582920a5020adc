import EventLog
import SubGuardDomain

/// What counts the users of a range of keys while the log is read.
protocol CountedUsers: Sendable {
    var keys: ClosedRange<Int64> { get }
    /// Whether the range has too many users and must be divided.
    var isOverfull: Bool { get }

    /// Counts the users' events of a block. Returns the number of all its events.
    mutating func add(_ block: StoredBlock) throws -> Int

    /// What the users have become, when all blocks are added. They are no longer in memory afterwards.
    mutating func finish() throws -> RebuiltRange
}

/// What the users of a range have become.
struct RebuiltRange {
    /// In the order of the keys: at least one, of which the first begins with the range.
    let pages: [UserPage.Keyed]
    /// Packed changes of the figures by the moment: lists with one run for each hour.
    var runs: [[MomentRun]] = []
    let figures: FigureFold
    /// Blocks with events that have yet to be counted, and the moment of the first.
    var deferred: [Int64: UTCInstant] = [:]
}

/// The places of users whose keys lie in a range, and which of them the events of a block belong to.
struct RangeOfUsers {
    let keys: ClosedRange<Int64>
    let seed: EventIDSeed
    private(set) var userKeys: [Int64] = []
    private(set) var hashes: [UserHash] = []
    /// An open hash table of places in these arrays; -1 is free. Keys are random, so their lowest bits are the hash.
    private var table = [Int32](repeating: -1, count: 1024)

    // Of the block that is read; kept for the next one.
    private var places: [Int] = []
    private var users: [(key: Int64, hash: UserHash)] = []

    private static let outOfRange = -1
    private static let notLookedUp = -2

    init(_ keys: ClosedRange<Int64>, seed: EventIDSeed) {
        self.keys = keys
        self.seed = seed
    }

    /// The places in the order of the keys.
    var sorted: [Int] { userKeys.indices.sorted { userKeys[$0] < userKeys[$1] } }

    /// Notes which users of a block are in the range. Returns false if none is.
    mutating func look(at reader: EventBlockReader) throws -> Bool {
        places.removeAll(keepingCapacity: true)
        users.removeAll(keepingCapacity: true)
        var isAny = false
        try reader.forEachUserHash { hash in
            let key = seed.key(of: hash)
            let isOurs = keys.contains(key)
            isAny = isAny || isOurs
            places.append(isOurs ? Self.notLookedUp : Self.outOfRange)
            users.append((key, hash))
        }
        return isAny
    }

    /// Whether a user of the block is in the range.
    func contains(_ user: Int) -> Bool { places[user] != Self.outOfRange }

    /// The place of a user of the block who is in the range; the next free one for who is new.
    mutating func place(_ user: Int) -> Int {
        if places[user] == Self.notLookedUp {
            places[user] = place(of: users[user].hash, key: users[user].key)
        }
        return places[user]
    }

    /// The place of a user of the range, who is new if there is none.
    mutating func place(of hash: UserHash, key: Int64) -> Int {
        let mask = table.count - 1
        var slot = Int(truncatingIfNeeded: key) & mask
        while table[slot] >= 0 {
            let place = Int(table[slot])
            if userKeys[place] == key, hashes[place] == hash { return place }
            slot = (slot + 1) & mask
        }
        let place = userKeys.count
        table[slot] = Int32(place)
        userKeys.append(key)
        hashes.append(hash)
        if userKeys.count * 2 > table.count { growTable() }
        return place
    }

    private mutating func growTable() {
        table = [Int32](repeating: -1, count: table.count * 2)
        let mask = table.count - 1
        for place in userKeys.indices {
            var slot = Int(truncatingIfNeeded: userKeys[place]) & mask
            while table[slot] >= 0 { slot = (slot + 1) & mask }
            table[slot] = Int32(place)
        }
    }
}
