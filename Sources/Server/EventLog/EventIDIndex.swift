import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Decides whether an event's id has been there before, at a cost that hardly grows with the number of ids.
///
/// New ids stand in memory; when there are enough, they become a sorted run on disk, and several runs of one level are
/// merged into one of the next (a log-structured merge tree: O'Neil and others, 1996). A random id so costs a
/// look into memory and one into the filter of each run, instead of a page of its own in a B-tree.
struct EventIDIndex {
    let shape: EventIDIndexShape
    let seed: EventIDSeed
    private(set) var recent: RecentEventIDs
    var runs: [EventIDRun]
    // Those that are looked into, newest first: a device that repeats itself does so soon.
    private var inUse: [EventIDRun] = []
    /// Since when there have been runs to forget.
    var forgettableSince: ContinuousClock.Instant?

    init(seed: EventIDSeed, runs: [EventIDRun], shape: EventIDIndexShape, recentCapacity: Int? = nil) {
        self.shape = shape
        self.seed = seed
        self.runs = runs
        recent = RecentEventIDs(seed: seed, capacity: recentCapacity ?? 2 * shape.runSize)
        runsChanged()
    }

    /// Whether enough ids are in memory for a run.
    var isFull: Bool { recent.count >= shape.runSize }

    /// Ids in the runs in use.
    var runIDCount: Int { inUse.reduce(0) { $0 + $1.count } }
    var runCount: Int { inUse.count }

    /// Returns false when the id is known. Otherwise it is known from now on, but on disk only with the event's block.
    mutating func insert(_ id: EventID, in session: any SQLSession) throws -> Bool {
        guard !recent.contains(id) else { return false }
        let hash = seed.hash(id)
        for run in inUse where try run.contains(id, hash: hash, in: session) { return false }
        return recent.insert(id)
    }

    /// Puts an id among the recent ones that is known to be new.
    mutating func restore(_ id: EventID) { _ = recent.insert(id) }

    /// They stand in a run.
    mutating func forgetRecent() { recent.removeAll() }

    /// Takes in what another process has done to the runs; segments that are known are not read again.
    mutating func readRuns(in session: any SQLSession) throws {
        runs = try Self.loadRuns(known: runs, in: session)
        runsChanged()
    }

    /// Makes a run of the recent ids.
    mutating func writeRun(newestReceivedAt: UTCInstant, in transaction: any SQLTransaction) throws {
        let ids = recent.sorted
        guard !ids.isEmpty else { return }
        let id = try Self.insertRun(level: 0, .inUse, newestReceivedAt, in: transaction)
        let segments = try stride(from: 0, to: ids.count, by: shape.segmentSize).map { start in
            try EventIDSegment.write(
                Array(ids[start..<min(start + shape.segmentSize, ids.count)]), run: id, seed: seed,
                in: transaction)
        }
        runs.append(
            EventIDRun(
                id: id, level: 0, state: .inUse, mergedInto: nil, newestReceivedAt: newestReceivedAt,
                segments: segments))
        recent.removeAll()
        runsChanged()
    }

    /// To be called whenever `runs` was changed.
    mutating func runsChanged() {
        inUse = runs.filter { $0.state == .inUse }.reversed()
    }

    static func insertRun(
        level: Int, _ state: EventIDRun.State, _ newestReceivedAt: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Int64 {
        let id = try transaction.first(
            "INSERT INTO event_id_runs (level, state, newest_received_at) VALUES (?, ?, ?) RETURNING id",
            [.integer(Int64(level)), .integer(state.rawValue), .instant(newestReceivedAt)]
        ) { try $0.integer(0) }
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert run of event ids") }
        return id
    }

    static func loadRuns(known: [EventIDRun] = [], in session: any SQLSession) throws -> [EventIDRun] {
        var segments = try EventIDSegment.load(known: known.flatMap(\.segments), in: session)
        return try session.query(
            "SELECT id, level, state, merged_into, newest_received_at FROM event_id_runs ORDER BY id"
        ) { row in
            let id = try row.integer(0)
            guard let state = EventIDRun.State(rawValue: try row.integer(2)), (0...60).contains(try row.integer(1))
            else {
                throw SQLError.malformed("event_id_runs")
            }
            return EventIDRun(
                id: id, level: Int(clamping: try row.integer(1)), state: state, mergedInto: try row.optionalInteger(3),
                newestReceivedAt: try row.instant(4), segments: segments.removeValue(forKey: id) ?? [])
        }
    }
}

/// The proportions of the index of event ids.
package struct EventIDIndexShape: Sendable, Hashable {
    /// Ids in memory that become a run. Default 32,256, half a megabyte.
    package var runSize = 128 * EventIDSegment.chunkSize
    /// Ids that one step of a merge writes at most. Default 32,256, which takes some milliseconds.
    package var segmentSize = 128 * EventIDSegment.chunkSize
    /// Runs of a level that are merged into one of the next. Default 8: an id is written about once a level, and each
    /// level has up to 7 runs to look into.
    package var fanOut = 8

    /// How long ids must have been too old before they are deleted, measured by the monotonic clock. Default 1 day: the
    /// time of day may be wrong for a while, and deleted ids cannot be restored.
    package var forgetAfter = Duration.seconds(86_400)

    package init() {}
}
