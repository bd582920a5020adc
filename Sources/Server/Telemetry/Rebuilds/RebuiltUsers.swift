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
