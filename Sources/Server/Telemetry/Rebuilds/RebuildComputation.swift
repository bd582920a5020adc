import Dispatch
import EventLog
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Synchronization

/// How far a rebuild is.
package struct RebuildProgress: Sendable {
    /// Events in the log.
    package let eventCount: Int
    /// The part of the work that is done, from 0 to 1.
    package let share: Double
    /// Whether the figures are in place; what follows is clearing up.
    package let isPublished: Bool
}

/// Walks over the log, in several rounds if there are many users: in each round some threads compute the users of a
/// range of keys, and write them to the rebuilt tables at its end. The small figures are added up in memory.
///
/// Until the rebuild ends, no block up to its last one changes, so the log is read in many short snapshots.
final class RebuildComputation: Sendable {
    private struct Total {
        var figures: FigureFold
        var deferred: [Int64: UTCInstant] = [:]
        /// Lists of runs that were written: their numbers.
        var runLists: Int64 = 0
        var signedAt = ContinuousClock.now
    }

    let eventCount: Int
    private let calendar: ReportCalendar
    /// What is to be cut anew; nil computes everything.
    private let recount: Recount?
    private let rebuild: FigureRebuild
    private let context: BackendContext
    private let tuning: RebuildTuning
    private let total: Mutex<Total>

    /// - Parameter calendar: by which days are cut.
    init(
        _ rebuild: FigureRebuild, eventCount: Int, _ calendar: ReportCalendar, recount: Recount? = nil,
        context: BackendContext, tuning: RebuildTuning
    ) {
        self.calendar = calendar
        self.recount = recount
        self.rebuild = rebuild
        self.eventCount = eventCount
        self.context = context
        self.tuning = tuning
        total = Mutex(
            Total(figures: recount == nil ? FigureFold(now: rebuild.begunAt, calendar) : FigureFold(daysOf: calendar)))
    }

    /// What is to be published beside the rebuilt tables.
    func result() throws -> (figures: FigureFold, deferred: [Int64: UTCInstant]) {
        total.withLock { ($0.figures, $0.deferred) }
    }

    func run(_ report: (RebuildProgress) throws -> Void) throws {
        let (seed, names, versions, users) = try context.store.read { session in
            (
                try EventLogState.load(in: session).seed, try EventNames.load(in: session),
                try AppVersions.load(in: session), try self.expectedUsers(in: session)
            )
        }
        let kinds = EventKinds(names)
        let mostUsers = max(1, tuning.usersInMemory / tuning.workers)
        var waiting = ranges(ofUsers: users, each: mostUsers)
        var round = 0
        while !waiting.isEmpty {
            let workers = try waiting.prefix(tuning.workers).map { keys in
                if let recount {
                    return RangeWorker(
                        try context.store.read { session in
                            try RecountedUsers(
                                keys: keys, mostUsers: mostUsers, recount, to: calendar, seed: seed, kinds: kinds,
                                in: session)
                        })
                }
                return RangeWorker(
                    RebuiltUsers(
                        keys: keys, mostUsers: mostUsers, changesInMemory: tuning.changesInMemory, now: rebuild.begunAt,
                        seed: seed, kinds: kinds, versions: versions, calendar: calendar))
            }
            waiting.removeFirst(workers.count)
            let rounds = Double(round + 1 + (waiting.count + tuning.workers - 1) / tuning.workers)
            var read = 0
            try walk(workers) { events in
                read += events
                let share = (Double(round) + Double(read) / Double(max(1, eventCount))) / rounds
                try report(
                    RebuildProgress(eventCount: eventCount, share: min(1, share), isPublished: false))
            }
            try sign()
            try Self.inParallel(workers.count) { try self.finish(workers[$0]) }
            // More users than expected: each half of the range has its own memory.
            for worker in workers where worker.isOverfull {
                waiting += KeyRanges.halves(of: worker.keys) ?? []
            }
            round += 1
        }
    }

    /// An estimate, because the figures may be damaged. If it is too low, ranges are divided, which takes more rounds.
    private func expectedUsers(in session: any SQLSession) throws -> Int {
        let counted = (try? UserTotals.load(in: session))?.users ?? 0
        let pages = try session.integer("SELECT count(*) FROM user_pages") ?? 0
        return min(max(0, Int(clamping: max(counted, pages &* Self.usersOfAPage))), eventCount)
    }

    private static let usersOfAPage: Int64 = 40

    private func ranges(ofUsers users: Int, each mostUsers: Int) -> [ClosedRange<Int64>] {
        // The keys are random, so ranges of the same width have about as many users each.
        let expected = max(1, mostUsers - mostUsers / 8)
        let count = users < 2 * tuning.workers ? 1 : max(tuning.workers, (users + expected - 1) / expected)
        let rounds = (count + tuning.workers - 1) / tuning.workers
        return KeyRanges.all(count == 1 ? 1 : rounds * tuning.workers)
    }

    /// Gives all blocks to all workers. While they count, the next blocks are read.
    private func walk(_ workers: [RangeWorker], _ visit: (_ events: Int) throws -> Void) throws {
        var blocks = try read(after: 0)
        while let last = blocks.last {
            let following = Mutex<[StoredBlock]>([])
            let counted = Mutex(0)
            try Self.inParallel(workers.count + 1) { [blocks] number in
                if number == 0 {
                    let next = try self.read(after: last.id)
                    following.withLock { $0 = next }
                } else {
                    let events = try workers[number - 1].add(blocks)
                    counted.withLock { $0 = max($0, events) }
                }
            }
            try signIfDue()
            try visit(counted.withLock { $0 })
            if workers.allSatisfy(\.isOverfull) { return }
            blocks = following.withLock { $0 }
        }
    }

    private func read(after block: Int64) throws -> [StoredBlock] {
        try context.store.read { session in
            try EventLogReader.blocks(
                after: block, through: rebuild.lastBlock, mostEvents: tuning.eventsInARead, in: session)
        }
    }

    /// Writes the users of a range, unless it is overfull.
    private func finish(_ worker: RangeWorker) throws {
        guard let users = try worker.finish() else { return }
        var pages = users.pages[...]
        while !pages.isEmpty {
            let part = pages.prefix(tuning.pagesInAStep)
            try write { try RebuiltTables.insert(part, in: $0) }
            pages = pages.dropFirst(part.count)
        }
        for runs in users.runs {
            let number = total.withLock { total in
                total.runLists += 1
                return total.runLists
            }
            try write { try MomentTable.insert(runs, number: number, in: $0) }
        }
        try total.withLock { total in
            try total.figures.add(users.figures)
            total.deferred.merge(users.deferred) { min($0, $1) }
        }
    }

    /// Every transaction is a sign of life, and writes nothing once others have ended the rebuild.
    private func write(_ body: (any SQLTransaction) throws -> Void) throws {
        try context.store.write(in: .figures) { transaction in
            try rebuild.touch(at: context.now(), in: transaction)
            try body(transaction)
        }
        total.withLock { $0.signedAt = .now }
    }

    private func sign() throws { try write { _ in } }

    private func signIfDue() throws {
        let age = total.withLock { $0.signedAt.duration(to: .now) }
        if age >= .seconds(tuning.secondsBetweenSigns) { try sign() }
    }

    /// Throws the first error after all have ended.
    private static func inParallel(_ count: Int, _ work: @Sendable (Int) throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: count) { number in
            do {
                try work(number)
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

/// The users of a range in the memory of one thread at a time.
private final class RangeWorker: Sendable {
    let keys: ClosedRange<Int64>
    private let users: Mutex<any CountedUsers>

    init(_ users: any CountedUsers) {
        keys = users.keys
        self.users = Mutex(users)
    }

    var isOverfull: Bool { users.withLock { $0.isOverfull } }

    /// Returns the number of events in the blocks.
    func add(_ blocks: [StoredBlock]) throws -> Int {
        try users.withLock { users in
            var events = 0
            for block in blocks { events += try users.add(block) }
            return events
        }
    }

    /// Nil if the range is overfull. The users are no longer in memory afterwards.
    func finish() throws -> RebuiltRange? {
        try users.withLock { users in users.isOverfull ? nil : try users.finish() }
    }
}
