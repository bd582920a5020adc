import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Determines whether an event id is known, at a cost that hardly grows with the number of ids.
///
/// New ids are kept in memory; a sufficient number of them becomes a sorted run on disk, and runs of one level are
/// merged into one of the next (a log-structured merge tree: O'Neil and others, 1996). A random id thus costs a look-up
/// in memory and one in the filter of each run, instead of a random page access in a B-tree.
struct EventIDIndex {
    let shape: EventIDIndexShape
    let seed: EventIDSeed
    private(set) var recent: RecentEventIDs
    var runs: [EventIDRun]
    // Runs that are searched, newest first, because a device that resends events does so soon.
    private var inUse: [EventIDRun] = []
    private(set) var filterFile: EventIDFilterFile?
    private var hasTriedFilterFile = false
    /// When there were first runs to delete, on the monotonic clock.
    var forgettableSince: ContinuousClock.Instant?

    /// An index without runs; see ``readRuns(in:)``.
    init(seed: EventIDSeed, shape: EventIDIndexShape, recentCapacity: Int? = nil) {
        self.shape = shape
        self.seed = seed
        runs = []
        recent = RecentEventIDs(seed: seed, capacity: recentCapacity ?? 2 * shape.runSize)
    }

    /// Whether enough ids are in memory for a run.
    var isFull: Bool { recent.count >= shape.runSize }

    /// Ids in the runs in use.
    var runIDCount: Int { inUse.reduce(0) { $0 + $1.count } }
    var runCount: Int { inUse.count }
    /// Bytes of the filters in memory.
    var filterBytes: Int { runs.reduce(0) { $0 + $1.filterBytes } }

    /// Adds ids, in order; returns for each whether it was new. They reach the disk only with their events' block.
    mutating func insert(_ ids: [EventID], in session: any SQLSession) throws -> [Bool] {
        var isNew = ids.map { !recent.contains($0) }
        let unknown = ids.indices.filter { isNew[$0] }
        var sought = SoughtEventIDs(unknown.map { ids[$0] }, seed)
        for run in inUse { try run.look(for: &sought, in: session) }
        for (place, isKnown) in zip(unknown, sought.isKnown) {
            isNew[place] = !isKnown && recent.insert(ids[place])
        }
        return isNew
    }

    /// Adds an id that is known to be new.
    mutating func restore(_ id: EventID) { _ = recent.insert(id) }

    /// Removes the recent ids, which are now in a run.
    mutating func forgetRecent() { recent.removeAll() }

    /// Reads the changes that other processes made to the runs; known segments are not read again.
    mutating func readRuns(in session: any SQLSession) throws {
        var used = filterBytes
        let (known, limit) = (runs, shape.filterMemory)
        runs = try Self.loadRuns(known: known, in: session) { segment in
            used += segment.filter.byteCount
            if used > limit, let file = openFilterFile(), segment.moveFilter(to: file) {
                used -= segment.filter.byteCount
            }
        }
        runsChanged()
    }

    /// Writes the recent ids as a run.
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

    /// Call it after every change of `runs`.
    mutating func runsChanged() {
        // Otherwise the segments would be copied to move the filters of some.
        inUse = []
        placeFilters()
        inUse = runs.filter { $0.state == .inUse }.reversed()
    }

    /// The file for filters beyond the memory for them; nil if none can be made.
    mutating func openFilterFile() -> EventIDFilterFile? {
        if filterFile == nil, !hasTriedFilterFile {
            hasTriedFilterFile = true
            filterFile = EventIDFilterFile(folder: shape.filterFolder ?? NSTemporaryDirectory())
        }
        return filterFile
    }

    static func insertRun(
        level: Int, _ state: EventIDRun.State, _ newestReceivedAt: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Int64 {
        let id = try transaction.integer(
            "INSERT INTO event_id_runs (level, state, newest_received_at) VALUES (?, ?, ?) RETURNING id",
            [.integer(Int64(level)), .integer(state.rawValue), .instant(newestReceivedAt)])
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert run of event ids") }
        return id
    }

    /// - Parameter place: is called for each segment that is not known.
    static func loadRuns(
        known: [EventIDRun] = [], in session: any SQLSession, place: (inout EventIDSegment) -> Void = { _ in }
    ) throws -> [EventIDRun] {
        var segments = try EventIDSegment.load(known: known.flatMap(\.segments), in: session, place: place)
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

/// The dimensions of the index of event ids.
package struct EventIDIndexShape: Sendable, Hashable {
    /// Ids in memory that form a run. Default 32,256, half a megabyte.
    package var runSize = 128 * EventIDSegment.chunkSize
    /// Maximum ids written by one step of a merge. Default 32,256, which takes some milliseconds.
    package var segmentSize = 128 * EventIDSegment.chunkSize
    /// Runs of a level that are merged into one of the next. Default 8: an id is written about once per level, and a
    /// look-up searches up to 7 runs per level.
    package var fanOut = 8

    /// Bytes that the filters take in memory, at most. Default 256 MB, for 134 million ids. Others are in a file.
    package var filterMemory = 256 << 20
    /// Where that file is made, without a name. Default: the folder of the system for temporary files.
    package var filterFolder: String?

    /// How long an id is kept at least, after its event was received. Default 401: one day more than the maximum age of
    /// a timestamp, so an event with a forgotten id is rejected. With fewer days, an event that is sent again so much
    /// later counts twice. Never less than events stay in the log: ids are unique in there.
    package var daysRemembered = EventIDIndexShape.longestMemory
    package static let longestMemory = AnalyticsLimits.maximumDaysBehind + 1

    /// How long ids must have been too old before they are deleted, by the monotonic clock. Default 1 day: the system
    /// clock may be wrong for a while, and deleted ids cannot be restored.
    package var forgetAfter = Duration.seconds(86_400)

    package init() {}
}

/// Which filters are in memory: those of the newest and smallest runs, up to ``EventIDIndexShape/filterMemory``. Their
/// ids are the ones that devices send again, and each look-up of a random id needs a filter of every run.
extension EventIDIndex {
    /// Filters read back into memory at once, so that no transaction takes long.
    private static let filtersReadAtOnce = 16

    /// Moves filters between memory and the file after the runs have changed.
    mutating func placeFilters() {
        var used = filterBytes
        if used > shape.filterMemory {
            // Without a file, or on a full disk, they stay in memory.
            guard let file = openFilterFile() else { return }
            for index in byUse.reversed() {
                while used > shape.filterMemory {
                    let before = runs[index].filterBytes
                    guard runs[index].moveFilter(to: file) else { break }
                    used -= before - runs[index].filterBytes
                }
            }
        } else if filterFile != nil {
            var left = Self.filtersReadAtOnce
            for index in byUse {
                while left > 0 {
                    let before = runs[index].filterBytes
                    guard runs[index].moveFilterToMemory(ofAtMost: shape.filterMemory - used) else { break }
                    used += runs[index].filterBytes - before
                    left -= 1
                }
            }
        }
    }

    /// The runs that are not dead, the most useful first.
    private var byUse: [Int] {
        runs.indices.filter { runs[$0].state != .dead }.sorted {
            let (left, right) = (runs[$0], runs[$1])
            return (left.state.rawValue, left.level, -left.id) < (right.state.rawValue, right.level, -right.id)
        }
    }
}
