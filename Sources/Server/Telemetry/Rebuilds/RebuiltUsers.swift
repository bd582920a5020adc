import EventLog
import Foundation
import SubGuardDomain

/// The users whose keys lie in a range, computed from the raw events in memory, and what they add to the figures.
struct RebuiltUsers: CountedUsers {
    var keys: ClosedRange<Int64> { users.keys }
    /// Events after it are left for later.
    let countedUntil: UTCInstant
    /// With more users the range must be divided.
    private let mostUsers: Int
    private let changesInMemory: Int
    private let kinds: EventKinds
    private let versions: AppVersions

    private(set) var figures: FigureFold
    /// Blocks with events after ``countedUntil`` of these users, and the moment of the first.
    private(set) var deferred: [Int64: UTCInstant] = [:]
    /// Packed changes of the figures by the moment: lists with one run for each hour.
    private(set) var runs: [[MomentRun]] = []
    private(set) var isOverfull = false

    private var users: RangeOfUsers
    private var states: [UserState] = []
    // Of the block that is read; kept for the next one.
    private var columns = EventColumns()

    init(
        keys: ClosedRange<Int64>, mostUsers: Int, changesInMemory: Int, now: UTCInstant, seed: EventIDSeed,
        kinds: EventKinds, versions: AppVersions, calendar: ReportCalendar
    ) {
        users = RangeOfUsers(keys, seed: seed)
        self.mostUsers = mostUsers
        self.changesInMemory = changesInMemory
        self.kinds = kinds
        self.versions = versions
        countedUntil = now
        figures = FigureFold(now: now, calendar)
    }

    /// Adds the events of a block, unless the range is overfull. Returns the number of events in the block.
    mutating func add(_ block: StoredBlock) throws -> Int {
        let events = try EventBlockReader.read(block.bytes, of: block.id) { reader in
            guard !isOverfull, try users.look(at: reader) else { return reader.count }
            try reader.read(into: &columns)
            var items: [Int: UUID?] = [:]
            let segments = BlockSegments(of: reader, versions)
            var next: UTCInstant?
            for index in 0..<columns.count {
                let user = columns.users[index]
                guard users.contains(user) else { continue }
                let moment = columns.moments[index]
                guard moment <= countedUntil else {
                    next = min(next ?? moment, moment)
                    continue
                }
                let place = users.place(user)
                if place == states.count { states.append(UserState(seenAt: moment)) }
                let nameID = columns.nameIDs[index]
                let kind = kinds[nameID]
                let set = columns.set(of: index)
                let segment = segments.segment(ofSet: set, receivedAt: columns.receipts[index])
                states[place].add(kind.milestone, segment, at: moment, figures: &figures)
                figures.count(
                    kind.name, nameID: nameID,
                    item: kind.namesItem ? reader.item(ofSet: set, known: &items) : nil, at: moment)
            }
            if let next { deferred[block.id] = next }
            return reader.count
        }
        packChanges(beyond: changesInMemory)
        isOverfull = states.count > mostUsers && keys.lowerBound < keys.upperBound
        return events
    }

    private mutating func packChanges(beyond most: Int) {
        guard figures.changes.count > most else { return }
        runs.append(MomentTable.pack(figures.takeChanges()))
    }

    mutating func finish() -> RebuiltRange {
        var filler = UserPageFiller(from: keys.lowerBound, figures.calendar)
        var pages: [UserPage.Keyed] = []
        for place in users.sorted {
            states[place].moments.fold(from: nil, into: &figures)
            let page = filler.append(key: users.userKeys[place], hash: users.hashes[place], state: states[place])
            if let page { pages.append(page) }
            packChanges(beyond: changesInMemory)
        }
        pages.append(filler.takePage())
        packChanges(beyond: 0)
        (users, states) = (RangeOfUsers(keys, seed: users.seed), [])
        return RebuiltRange(pages: pages, runs: runs, figures: figures, deferred: deferred)
    }
}

/// What the names of events mean for the figures, by their numbers in the database.
struct EventKinds {
    struct Kind {
        let name: String
        let milestone: Milestone?
        /// Whether the catalogue item that it may name is counted.
        let namesItem: Bool

        init(_ name: String) {
            // That of the program, which is a constant: threads need not count references to it.
            self.name = EventRegistry.definition(named: name)?.name ?? name
            milestone = Milestone(eventName: name)
            namesItem = name == "subscription_added"
        }
    }

    /// Numbers are given in order, from 1.
    private let kinds: [Kind]
    private static let unknown = Kind("")

    init(_ names: EventNames) { kinds = (0..<1000).map { Kind(names.name(of: $0) ?? "") } }

    subscript(nameID: Int64) -> Kind {
        kinds.indices.contains(Int(clamping: nameID)) ? kinds[Int(nameID)] : Self.unknown
    }
}

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
