import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What days that are cut anew are counted from, where raw events were purged: the stored users, and the events that
/// the log still has.
struct Recount: Sendable {
    /// By which days are cut until then.
    let calendar: ReportCalendar
    /// How far the log is in the figures.
    let state: EventFoldState
    /// Events from the beginning of this day on are all in the log, in either calendar.
    let firstDay: Int64
}

/// The stored users whose keys lie in a range, whose days are cut by another calendar.
///
/// What is counted by a user's moments follows from these; their days, and the days of events and subscriptions, follow
/// from the log. Everything from before it has the same day in both calendars.
struct RecountedUsers: CountedUsers {
    var keys: ClosedRange<Int64> { users.keys }
    let isOverfull: Bool

    private let recount: Recount
    private let kinds: EventKinds
    private var users: RangeOfUsers
    private var states: [UserState] = []
    /// By place: the days of the user's events in the log.
    private var before: [DaySet]
    private var after: [DaySet]
    /// What is taken away, and what is added.
    private var former: FigureFold
    private var figures: FigureFold
    private var columns = EventColumns()

    init(
        keys: ClosedRange<Int64>, mostUsers: Int, _ recount: Recount, to calendar: ReportCalendar, seed: EventIDSeed,
        kinds: EventKinds, in session: any SQLSession
    ) throws {
        self.recount = recount
        self.kinds = kinds
        var users = RangeOfUsers(keys, seed: seed)
        var states: [UserState] = []
        var isOverfull = false
        try session.forEach(
            """
            SELECT users FROM user_pages
            WHERE first_key <= ? AND first_key >= (SELECT max(first_key) FROM user_pages WHERE first_key <= ?)
            """, [.integer(keys.upperBound), .integer(keys.lowerBound)]
        ) { row in
            guard !isOverfull else { return }
            try UserPage(try row.blob(0), recount.calendar).forEach { hash, state in
                let key = seed.key(of: hash)
                guard keys.contains(key) else { return }
                guard users.place(of: hash, key: key) == states.count else { throw UserPage.malformed }
                states.append(state)
            }
            isOverfull = states.count > mostUsers && keys.lowerBound < keys.upperBound
        }
        self.isOverfull = isOverfull
        (self.users, self.states) = (users, states)
        before = [DaySet](repeating: DaySet(from: recount.firstDay), count: states.count)
        after = before
        former = FigureFold(daysOf: recount.calendar)
        figures = FigureFold(daysOf: calendar)
    }

    mutating func add(_ block: StoredBlock) throws -> Int {
        try EventBlockReader.read(block.bytes, of: block.id) { reader in
            guard !isOverfull, try users.look(at: reader) else { return reader.count }
            try reader.read(into: &columns)
            for index in 0..<columns.count {
                let user = columns.users[index]
                let moment = columns.moments[index]
                guard users.contains(user), recount.state.isFolded(block: block.id, occurredAt: moment) else {
                    continue
                }
                let place = users.place(user)
                // A user with a counted event is stored.
                guard place < states.count else { throw UserPage.malformed }
                let nameID = columns.nameIDs[index]
                let name = kinds[nameID].name
                former.count(name, nameID: nameID, item: nil, at: moment, times: -1)
                figures.count(name, nameID: nameID, item: nil, at: moment)
                before[place].insert(former.calendar.number(of: moment))
                after[place].insert(figures.calendar.number(of: moment))
            }
            return reader.count
        }
    }

    mutating func finish() throws -> RebuiltRange {
        var filler = UserPageFiller(from: keys.lowerBound, figures.calendar)
        var pages: [UserPage.Keyed] = []
        for place in users.sorted {
            cut(place)
            let page = filler.append(key: users.userKeys[place], hash: users.hashes[place], state: states[place])
            if let page { pages.append(page) }
        }
        pages.append(filler.takePage())
        try figures.add(former)
        (users, states, before, after) = (RangeOfUsers(keys, seed: users.seed), [], [], [])
        return RebuiltRange(pages: pages, figures: figures)
    }

    /// Counts a user by the one calendar instead of the other.
    private mutating func cut(_ place: Int) {
        let state = states[place]
        state.moments.unfold(from: &former)
        state.moments.fold(from: nil, into: &figures)
        for absence in state.absences {
            absence.fold(-1, into: &former)
            absence.fold(1, into: &figures)
        }
        let known = state.days.numbers.filter { $0 < recount.firstDay }
        let last = figures.calendar.number(of: state.moments.lastSeenAt)
        let days = known + after[place].numbers.filter { $0 < last } + [last].filter { known.last != $0 }
        former.activity.add(known + before[place].numbers, -1)
        figures.activity.add(days, 1)
        states[place].days = ActiveDays(days)
    }
}

/// Days from one on: a bit for each, because most users have few and some have many.
private struct DaySet {
    private let first: Int64
    private var bits: [UInt64] = []

    init(from first: Int64) { self.first = first }

    /// Earlier days are left out.
    mutating func insert(_ day: Int64) {
        guard day >= first else { return }
        let (word, bit) = Int(day - first).quotientAndRemainder(dividingBy: 64)
        while bits.count <= word { bits.append(0) }
        bits[word] |= 1 << UInt64(bit)
    }

    /// In ascending order.
    var numbers: [Int64] {
        var numbers: [Int64] = []
        for (word, bits) in bits.enumerated() {
            var rest = bits
            while rest != 0 {
                numbers.append(first + Int64(word * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return numbers
    }
}
