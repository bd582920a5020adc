import SQLDatabase
import SubGuardDomain

/// Merging and deleting runs, in steps of a few milliseconds. Progress is stored in the database, so that any process
/// may continue after any step.
extension EventIDIndex {
    /// Whether ``takeStep(now:in:)`` has anything to do.
    mutating func hasWork(now: UTCInstant) -> Bool {
        !ripe(now).isEmpty || runs.contains { $0.state != .inUse } || levelToMerge != nil
    }

    /// Performs the most urgent step, if there is any. Returns whether it did.
    ///
    /// - Parameters:
    ///   - ids: the next ids of the running merge, if they were read. Others are not used.
    ///   - reads: whether to read these ids here otherwise, which takes several times as long as to write them.
    mutating func takeStep(
        now: UTCInstant, next ids: EventIDMerge.Segment? = nil, reads: Bool = true, in transaction: any SQLTransaction
    ) throws -> Bool {
        let forgotten = ripe(now)
        if !forgotten.isEmpty {
            for index in forgotten { try setState(.dead, at: index, in: transaction) }
        } else if let level = levelToMerge {
            try beginMerge(level: level, in: transaction)
        } else if let target = unfinished {
            let merge = merge(into: target)
            let isNext = ids.map { $0.target == merge.target && $0.after == merge.after } ?? false
            guard isNext || reads else { return false }
            let segment = try isNext ? ids : merge.read(in: transaction)
            try write(segment?.ids ?? [], of: merge, into: target, in: transaction)
        } else if let dead = runs.firstIndex(where: { $0.state == .dead }) {
            try removeSegment(ofRunAt: dead, in: transaction)
        } else {
            return false
        }
        runsChanged()
        return true
    }

    /// The unfinished run of the lowest level, which must be finished first.
    private var unfinished: Int? {
        runs.indices.filter { runs[$0].state == .unfinished }.min { runs[$0].level < runs[$1].level }
    }

    private var levelToMerge: Int? {
        var counts: [Int: Int] = [:]
        for run in runs where run.state == .inUse && run.mergedInto == nil { counts[run.level, default: 0] += 1 }
        return counts.filter { $0.value >= shape.fanOut }.keys.min()
    }

    /// Runs to delete now: those forgettable for at least `forgetAfter`.
    private mutating func ripe(_ now: UTCInstant) -> [Int] {
        let forgettable = forgettable(now)
        guard !forgettable.isEmpty else {
            forgettableSince = nil
            return []
        }
        let since = forgettableSince ?? .now
        forgettableSince = since
        return since.duration(to: .now) >= shape.forgetAfter ? forgettable : []
    }

    /// Runs of which every id has been remembered long enough.
    private func forgettable(_ now: UTCInstant) -> [Int] {
        let bound = now.adding(days: -shape.daysRemembered)
        return runs.indices.filter {
            runs[$0].state == .inUse && runs[$0].mergedInto == nil && runs[$0].newestReceivedAt < bound
        }
    }

    private mutating func beginMerge(level: Int, in transaction: any SQLTransaction) throws {
        let sources = runs.indices.filter {
            runs[$0].state == .inUse && runs[$0].mergedInto == nil && runs[$0].level == level
        }
        let newest = sources.map { runs[$0].newestReceivedAt }.max() ?? .earliest
        let target = try Self.insertRun(level: level + 1, .unfinished, newest, in: transaction)
        for index in sources {
            try transaction.execute(
                "UPDATE event_id_runs SET merged_into = ? WHERE id = ?", [.integer(target), .integer(runs[index].id)])
            runs[index].mergedInto = target
        }
        runs.append(
            EventIDRun(
                id: target, level: level + 1, state: .unfinished, mergedInto: nil, newestReceivedAt: newest,
                segments: []))
    }

    /// The merge whose next segment a step would write; nil if something else is to be done before.
    var runningMerge: EventIDMerge? {
        guard levelToMerge == nil else { return nil }
        return unfinished.map(merge)
    }

    /// Whether merging cannot keep up: so many runs of a level wait for it that look-ups get slow.
    var isFarBehind: Bool { runs.count > Self.mostRunsALevel * shape.fanOut }
    private static let mostRunsALevel = 8

    private func merge(into target: Int) -> EventIDMerge {
        EventIDMerge(
            target: runs[target].id, after: runs[target].segments.last?.last, count: shape.segmentSize,
            sources: runs.filter { $0.mergedInto == runs[target].id && $0.state == .inUse })
    }

    /// Writes the next segment of an unfinished run, or finishes the run if no ids are left.
    private mutating func write(
        _ ids: [EventID], of merge: EventIDMerge, into target: Int, in transaction: any SQLTransaction
    ) throws {
        if !ids.isEmpty {
            let segment = try EventIDSegment.write(ids, run: runs[target].id, seed: seed, in: transaction)
            runs[target].append(segment)
        }
        guard ids.count < shape.segmentSize else { return }
        try setState(.inUse, at: target, in: transaction)
        let sources = Set(merge.sources.map(\.id))
        for index in runs.indices where sources.contains(runs[index].id) {
            try setState(.dead, at: index, in: transaction)
        }
    }

    private mutating func setState(
        _ state: EventIDRun.State, at index: Int, in transaction: any SQLTransaction
    ) throws {
        try transaction.execute(
            "UPDATE event_id_runs SET state = ? WHERE id = ?", [.integer(state.rawValue), .integer(runs[index].id)])
        runs[index].state = state
        if state == .dead { runs[index].forgetSegments() }
    }

    private mutating func removeSegment(ofRunAt index: Int, in transaction: any SQLTransaction) throws {
        let id = runs[index].id
        guard try !EventIDSegment.deleteOne(ofRun: id, in: transaction) else { return }
        try transaction.execute("DELETE FROM event_id_runs WHERE id = ?", [.integer(id)])
        runs.remove(at: index)
    }
}

/// A merge of runs, as far as it has come. Its sources never change, so they can be read outside of the transaction
/// that writes the next segment.
struct EventIDMerge: Sendable {
    let target: Int64
    /// The last id written.
    let after: EventID?
    let count: Int
    let sources: [EventIDRun]

    /// Ids for the next segment: fewer than a segment has when they are the last ones.
    struct Segment: Sendable {
        let target: Int64
        let after: EventID?
        let ids: [EventID]
    }

    /// Reads the smallest ids above the last one written.
    func read(in session: any SQLSession) throws -> Segment {
        var readers = sources.map { $0.reader(after: after) }
        var heads = try readers.indices.map { try readers[$0].peek(in: session) }
        var ids: [EventID] = []
        ids.reserveCapacity(count)
        while ids.count < count {
            var smallest: (id: EventID, reader: Int)?
            for (index, head) in heads.enumerated() {
                if let head, smallest.map({ head < $0.id }) ?? true { smallest = (head, index) }
            }
            guard let smallest else { break }
            if ids.last != smallest.id { ids.append(smallest.id) }
            readers[smallest.reader].take()
            heads[smallest.reader] = try readers[smallest.reader].peek(in: session)
        }
        return Segment(target: target, after: after, ids: ids)
    }
}
