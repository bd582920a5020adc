package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Compares the ids of the log with each other and with the index of known ids. Needs 32 bytes of memory per event.
package struct EventIDCheck {
    /// Duplicate ids in the log: an id that occurs n times is listed n - 1 times.
    package private(set) var repeated: [EventID] = []
    /// Ids of the log that are missing in the index: such an event would be accepted again.
    package private(set) var unknownCount = 0
    /// Inconsistent segments of the index.
    package private(set) var damagedSegments = 0

    package init(in session: any SQLSession, now: UTCInstant) throws {
        let state = try EventLogState.load(in: session)
        var all: [EventID] = []
        var indexed: [EventID] = []
        // Older ids may already have been deleted from the index.
        let oldest = now.adding(days: 1 - EventIDIndexShape.longestMemory)
        try session.forEach("SELECT id, received_at, events FROM event_blocks ORDER BY id", []) { row in
            let block = try row.integer(0)
            let isIndexed = try block <= state.indexedBlock && row.instant(1) > oldest
            let bytes = try row.blob(2)
            try EventBlockReader.read(bytes, of: block) { reader in
                reader.forEachID { id in
                    all.append(id)
                    if isIndexed { indexed.append(id) }
                }
            }
        }
        all.sort()
        repeated = zip(all, all.dropFirst()).filter { $0 == $1 }.map(\.0)
        all = []
        indexed.sort()
        let known = try readIndex(state.seed, in: session)
        var place = 0
        for id in indexed {
            while place < known.count, known[place] < id { place += 1 }
            if place == known.count || known[place] != id { unknownCount += 1 }
        }
    }

    /// Every id that a look-up in the index would find, sorted.
    private mutating func readIndex(_ seed: EventIDSeed, in session: any SQLSession) throws -> [EventID] {
        var known: [EventID] = []
        for run in try EventIDIndex.loadRuns(in: session) where run.state == .inUse {
            var last: EventID?
            for (place, segment) in run.segments.enumerated() {
                let before = known.count
                for chunk in 0..<segment.chunkCount {
                    guard let ids = try? segment.ids(ofChunk: chunk, in: session) else { continue }
                    // A look-up of an id that leads to another chunk would not find it.
                    known += ids.filter {
                        run.segmentIndex(of: $0) == place && segment.leads(to: chunk, $0, hash: seed.hash($0))
                    }
                }
                let found = known[before...]
                let isSorted = zip(found, found.dropFirst()).allSatisfy { $0 < $1 }
                let isBehind = found.first.map { first in last.map { $0 < first } ?? true } ?? false
                if !isSorted || !isBehind || found.count != segment.count { damagedSegments += 1 }
                last = found.last ?? last
            }
        }
        known.sort()
        return known
    }
}
