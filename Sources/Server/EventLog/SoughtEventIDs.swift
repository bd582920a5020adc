/// Ids to look up in the runs together, in ascending order: they visit the segments of a run one after the other, and
/// the lines of the filters come from memory side by side. One by one, a look-up would wait for its line in each run.
struct SoughtEventIDs {
    struct ID {
        let id: EventID
        let hash: UInt64
        /// The place in the list that they were made from.
        fileprivate let place: Int
    }

    /// An id that may be in a segment.
    struct Candidate {
        /// Of the id, in ascending order.
        let place: Int
        let segment: Int
    }

    private var ids: [ID]
    private var known: [Bool]

    /// Lines fetched side by side: more than a processor has under way at once.
    private static let linesAtOnce = 64

    init(_ ids: [EventID], _ seed: EventIDSeed) {
        self.ids = ids.enumerated().map { ID(id: $1, hash: seed.hash($1), place: $0) }
        self.ids.sort { $0.id < $1.id }
        known = Array(repeating: false, count: ids.count)
    }

    subscript(place: Int) -> ID { ids[place] }

    mutating func markKnown(_ place: Int) { known[place] = true }

    /// By the places in the original list: whether the id was found.
    var isKnown: [Bool] {
        var result = known
        for (place, id) in ids.enumerated() { result[id.place] = known[place] }
        return result
    }

    /// Those of the ids not yet found that may be in one of the segments: all whose filter passes them or is not in
    /// memory.
    ///
    /// - Parameter tables: of the filters, by segment; nil for one that is not in memory.
    func passing(firsts: [EventID], lasts: [EventID], tables: [EventIDFilter.Table?]) -> [Candidate] {
        guard !firsts.isEmpty else { return [] }
        var passing: [Candidate] = []
        var segment = 0
        withUnsafeTemporaryAllocation(of: Fetched.self, capacity: Self.linesAtOnce) { fetched in
            var place = 0
            while place < ids.count {
                var count = 0
                while place < ids.count, count < Self.linesAtOnce {
                    defer { place += 1 }
                    let id = ids[place]
                    segment = firsts.lastIndex(notAfter: id.id, from: segment)
                    // Ids that are ordered by time are outside of most segments, whose filters need not be read then.
                    guard !known[place], id.id >= firsts[segment], id.id <= lasts[segment] else { continue }
                    let candidate = Candidate(place: place, segment: segment)
                    if let table = tables[segment] {
                        // Copied and not tested yet: the processor waits for no line before it asks for the next.
                        fetched.initializeElement(at: count, to: Fetched(candidate, table.line(of: id.hash)))
                        count += 1
                    } else {
                        passing.append(candidate)
                    }
                }
                for entry in 0..<count {
                    let candidate = fetched[entry].candidate
                    if fetched[entry].line.mayContain(ids[candidate.place].hash) { passing.append(candidate) }
                }
            }
        }
        return passing
    }

    private struct Fetched {
        let candidate: Candidate
        var line: EventIDFilter.Line

        init(_ candidate: Candidate, _ line: EventIDFilter.Line) {
            self.candidate = candidate
            self.line = line
        }
    }
}

extension Array<EventID> {
    /// As ``lastIndex(notAfter:)``, or 0, for ids that are looked up in ascending order.
    ///
    /// - Parameter start: the result for the id before.
    fileprivate func lastIndex(notAfter id: EventID, from start: Int) -> Int {
        var (low, step) = (start, 1)
        // The next one is near, if not the same: steps double until they are beyond it.
        while low + step < count, self[low + step] <= id {
            low += step
            step *= 2
        }
        var high = Swift.min(low + step, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if self[middle] <= id { low = middle } else { high = middle }
        }
        return low
    }
}
