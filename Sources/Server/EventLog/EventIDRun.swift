import SQLDatabase
import SubGuardDomain

/// Sorted ids in segments. A run is written once, either whole or segment by segment by a merge, and then only read.
struct EventIDRun {
    enum State: Int64 {
        case inUse = 0
        /// The target of a running merge; not searched yet.
        case unfinished = 1
        /// Merged into another or expired; its rows are deleted step by step.
        case dead = 2
    }

    let id: Int64
    /// 0 for a run of recent ids; a merged run is one level above its sources.
    let level: Int
    var state: State
    /// The unfinished run that this one is being merged into.
    var mergedInto: Int64?
    /// The latest receipt of its events, or later.
    let newestReceivedAt: UTCInstant
    private(set) var segments: [EventIDSegment]
    /// Of the filters in memory.
    private(set) var filterBytes: Int
    // By segment, side by side for a fast search.
    private var firsts: [EventID]
    private var lasts: [EventID]
    private var tables: [EventIDFilter.Table?]

    init(
        id: Int64, level: Int, state: State, mergedInto: Int64?, newestReceivedAt: UTCInstant,
        segments: [EventIDSegment]
    ) {
        self.id = id
        self.level = level
        self.state = state
        self.mergedInto = mergedInto
        self.newestReceivedAt = newestReceivedAt
        self.segments = segments
        firsts = segments.map(\.first)
        lasts = segments.map(\.last)
        tables = segments.map(\.filter.table)
        filterBytes = segments.reduce(0) { $0 + ($1.filter.isInMemory ? $1.filter.byteCount : 0) }
    }

    var count: Int { segments.reduce(0) { $0 + $1.count } }

    mutating func append(_ segment: EventIDSegment) {
        segments.append(segment)
        firsts.append(segment.first)
        lasts.append(segment.last)
        tables.append(segment.filter.table)
        if segment.filter.isInMemory { filterBytes += segment.filter.byteCount }
    }

    /// Forgets the segments of a dead run.
    mutating func forgetSegments() {
        segments = []
        firsts = []
        lasts = []
        tables = []
        filterBytes = 0
    }

    /// Moves a filter to a file. Returns false if none is in memory or the file cannot be written.
    mutating func moveFilter(to file: EventIDFilterFile) -> Bool {
        guard filterBytes > 0, let index = segments.lastIndex(where: \.filter.isInMemory),
            segments[index].moveFilter(to: file)
        else { return false }
        tables[index] = nil
        filterBytes -= segments[index].filter.byteCount
        return true
    }

    /// Moves a filter of at most some bytes to memory. Returns false if there is none or it cannot be read.
    mutating func moveFilterToMemory(ofAtMost byteCount: Int) -> Bool {
        guard
            let index = segments.firstIndex(where: { !$0.filter.isInMemory && $0.filter.byteCount <= byteCount }),
            segments[index].moveFilterToMemory()
        else { return false }
        tables[index] = segments[index].filter.table
        filterBytes += segments[index].filter.byteCount
        return true
    }

    /// Marks the ids that the run contains. Reads a chunk only for ids that pass the filter.
    func look(for ids: inout SoughtEventIDs, in session: any SQLSession) throws {
        for found in ids.passing(firsts: firsts, lasts: lasts, tables: tables) {
            let (segment, id) = (segments[found.segment], ids[found.place])
            guard tables[found.segment] != nil || segment.filter.mayContain(id.hash) else { continue }
            if try segment.contains(id.id, in: session) { ids.markKnown(found.place) }
        }
    }

    /// The last segment that begins at or before the id; nil if all begin after it.
    func segmentIndex(of id: EventID) -> Int? { firsts.lastIndex(notAfter: id) }

    /// Reads the ids greater than `id`, or all if it is nil, in ascending order, one chunk at a time.
    func reader(after id: EventID?) -> EventIDRunReader {
        let segment = id.flatMap(segmentIndex) ?? 0
        return EventIDRunReader(segments: segments, segment: segment, after: id)
    }
}

/// Reads the ids of a run in ascending order.
struct EventIDRunReader {
    private let segments: [EventIDSegment]
    private let after: EventID?
    private var segment: Int
    private var chunk: Int
    private var ids: ArraySlice<EventID> = []

    init(segments: [EventIDSegment], segment: Int, after: EventID?) {
        self.segments = segments
        self.segment = segment
        self.after = after
        chunk = after.map { segments.isEmpty ? 0 : segments[segment].chunkIndex(of: $0) } ?? 0
    }

    /// The next id; nil at the end.
    mutating func peek(in session: any SQLSession) throws -> EventID? {
        while ids.isEmpty {
            guard segment < segments.count else { return nil }
            guard chunk < segments[segment].chunkCount else {
                segment += 1
                chunk = 0
                continue
            }
            ids = try segments[segment].ids(ofChunk: chunk, in: session)[...]
            chunk += 1
            if let after { ids = ids.drop { $0 <= after } }
        }
        return ids.first
    }

    /// Call it after ``peek(in:)`` returned an id.
    mutating func take() { ids.removeFirst() }
}
