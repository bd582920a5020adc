import SQLDatabase
import SubGuardDomain

/// Sorted ids in segments. A run is written once, whole or segment by segment from others, and then only read.
struct EventIDRun {
    enum State: Int64 {
        case inUse = 0
        /// Being written from those that name it; not looked into yet.
        case unfinished = 1
        /// Merged into another, or forgotten; its rows are removed bit by bit.
        case dead = 2
    }

    let id: Int64
    /// 0 for one that came from the recent ids; a merged one stands a level above those it was made of.
    let level: Int
    var state: State
    /// The unfinished run that this one is being merged into.
    var mergedInto: Int64?
    /// No event behind it was received later.
    let newestReceivedAt: UTCInstant
    private(set) var segments: [EventIDSegment]
    // Beside each other in memory, for the search.
    private var firsts: [EventID]

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
    }

    var count: Int { segments.reduce(0) { $0 + $1.count } }

    mutating func append(_ segment: EventIDSegment) {
        segments.append(segment)
        firsts.append(segment.first)
    }

    func contains(_ id: EventID, hash: UInt64, in session: any SQLSession) throws -> Bool {
        guard let index = segmentIndex(of: id) else { return false }
        return try segments[index].contains(id, hash: hash, in: session)
    }

    /// The last segment that begins at or before the id; nil when all begin after it.
    func segmentIndex(of id: EventID) -> Int? { firsts.lastIndex(notAfter: id) }

    /// The ids greater than `id`, or all when it is nil, smallest first: a chunk a call of the returned reader, none at
    /// the end.
    func reader(after id: EventID?) -> EventIDRunReader {
        let segment = id.flatMap(segmentIndex) ?? 0
        return EventIDRunReader(segments: segments, segment: segment, after: id)
    }
}

/// Reads a run from some id on.
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

    /// The smallest id not taken yet, nil at the end.
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
