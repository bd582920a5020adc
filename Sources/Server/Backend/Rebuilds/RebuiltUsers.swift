import EventLog
import Foundation
import SubGuardDomain

/// The users whose keys lie in a range, computed from the raw events in memory, and what they add to the figures.
struct RebuiltUsers {
    let keys: ClosedRange<Int64>
    /// Events after it are left for later.
    let countedUntil: UTCInstant
    /// With more users the range must be divided.
    private let mostUsers: Int
    private let changesInMemory: Int
    private let seed: EventIDSeed
    private let kinds: EventKinds
    private let versions: AppVersions

    private(set) var figures: FigureFold
    /// Blocks with events after ``countedUntil`` of these users, and the moment of the first.
    private(set) var deferred: [Int64: UTCInstant] = [:]
    /// Packed changes of the figures by the moment: lists with one run for each hour.
    private(set) var runs: [[MomentRun]] = []
    private(set) var isOverfull = false

    private var userKeys: [Int64] = []
    private var hashes: [UserHash] = []
    private var states: [UserState] = []
    /// An open hash table of places in these arrays; -1 is free. Keys are random, so their lowest bits are the hash.
    private var table = [Int32](repeating: -1, count: 1024)

    // Of the block that is read; kept for the next one.
    private var columns = EventColumns()
    private var userPlaces: [Int] = []
    private var userHashes: [(key: Int64, hash: UserHash)] = []

    private static let outOfRange = -1
    private static let notLookedUp = -2

    init(
        keys: ClosedRange<Int64>, mostUsers: Int, changesInMemory: Int, now: UTCInstant, seed: EventIDSeed,
        kinds: EventKinds, versions: AppVersions, calendar: ReportCalendar
    ) {
        self.keys = keys
        self.mostUsers = mostUsers
        self.changesInMemory = changesInMemory
        self.seed = seed
        self.kinds = kinds
        self.versions = versions
        countedUntil = now
        figures = FigureFold(now: now, calendar)
    }

    var count: Int { states.count }

    /// Adds the events of a block, unless the range is overfull. Returns the number of events in the block.
    mutating func add(_ block: StoredBlock) throws -> Int {
        let events = try EventBlockReader.read(block.bytes, of: block.id) { reader in
            guard !isOverfull, try lookAtUsers(of: reader) else { return reader.count }
            try reader.read(into: &columns)
            var items: [Int: UUID?] = [:]
            let segments = BlockSegments(of: reader, versions)
            var next: UTCInstant?
            for index in 0..<columns.count {
                let user = columns.users[index]
                var place = userPlaces[user]
                if place == Self.outOfRange { continue }
                let moment = columns.moments[index]
                guard moment <= countedUntil else {
                    next = min(next ?? moment, moment)
                    continue
                }
                if place == Self.notLookedUp {
                    place = self.place(of: userHashes[user].hash, key: userHashes[user].key, seenAt: moment)
                    userPlaces[user] = place
                }
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
        isOverfull = count > mostUsers && keys.lowerBound < keys.upperBound
        return events
    }

    /// Notes which users of a block are in the range. Returns false if none is.
    private mutating func lookAtUsers(of reader: EventBlockReader) throws -> Bool {
        userPlaces.removeAll(keepingCapacity: true)
        userHashes.removeAll(keepingCapacity: true)
        var isAny = false
        try reader.forEachUserHash { hash in
            let key = seed.key(of: hash)
            let isOurs = keys.contains(key)
            isAny = isAny || isOurs
            userPlaces.append(isOurs ? Self.notLookedUp : Self.outOfRange)
            userHashes.append((key, hash))
        }
        return isAny
    }

    /// Where the user is stored, who is new if there is none.
    private mutating func place(of hash: UserHash, key: Int64, seenAt moment: UTCInstant) -> Int {
        let mask = table.count - 1
        var slot = Int(truncatingIfNeeded: key) & mask
        while table[slot] >= 0 {
            let place = Int(table[slot])
            if userKeys[place] == key, hashes[place] == hash { return place }
            slot = (slot + 1) & mask
        }
        let place = states.count
        table[slot] = Int32(place)
        userKeys.append(key)
        hashes.append(hash)
        states.append(UserState(seenAt: moment))
        if states.count * 2 > table.count { growTable() }
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

    private mutating func packChanges(beyond most: Int) {
        guard figures.changes.count > most else { return }
        runs.append(MomentTable.pack(figures.takeChanges()))
    }

    /// Counts the users, when all blocks are added. Returns their pages in the order of the keys: at least one, of which
    /// the first begins with the range.
    mutating func finish() -> [UserPage.Keyed] {
        table = []
        var filler = UserPageFiller(from: keys.lowerBound, figures.calendar)
        var pages: [UserPage.Keyed] = []
        for place in states.indices.sorted(by: { userKeys[$0] < userKeys[$1] }) {
            states[place].moments.fold(from: nil, into: &figures)
            let page = filler.append(key: userKeys[place], hash: hashes[place], state: states[place])
            if let page { pages.append(page) }
            packChanges(beyond: changesInMemory)
        }
        pages.append(filler.takePage())
        packChanges(beyond: 0)
        (userKeys, hashes, states) = ([], [], [])
        return pages
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
