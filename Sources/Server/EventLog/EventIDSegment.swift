import SQLDatabase
import SubGuardSQL

/// A part of a run: up to ``maximumCount`` sorted ids in chunks of one page each. The ids are on disk; in memory are
/// only the first id of each chunk and, as far as there is room, the filter.
struct EventIDSegment {
    /// 16 bytes each, so that a chunk with its row header fills a page of 4,096 bytes.
    static let chunkSize = 252

    let id: Int64
    let firstChunkID: Int64
    let count: Int
    let last: EventID
    private let fences: [EventID]
    private(set) var filter: EventIDFilter

    var first: EventID { fences[0] }
    var chunkCount: Int { fences.count }

    /// Writes sorted, distinct ids, at least one. Replaces a segment that is no longer searched, if one is long enough.
    static func write(
        _ ids: [EventID], run: Int64, seed: EventIDSeed, in transaction: any SQLTransaction
    ) throws -> EventIDSegment {
        let chunkCount = (ids.count + chunkSize - 1) / chunkSize
        let firstChunkID =
            try takeChunksOfADeadSegment(chunkCount, in: transaction)
            ?? transaction.integer("SELECT coalesce(max(id), 0) + 1 FROM event_id_chunks") ?? 1
        var fences: [EventID] = []
        var chunks: [[SQLValue]] = []
        for start in stride(from: 0, to: ids.count, by: chunkSize) {
            var chunk: [UInt8] = []
            chunk.reserveCapacity(chunkSize * EventID.byteCount)
            for id in ids[start..<min(start + chunkSize, ids.count)] { chunk.append(id) }
            chunks.append([.integer(firstChunkID + Int64(fences.count)), .blob(chunk)])
            fences.append(ids[start])
        }
        try transaction.execute(chunkInsertion, rows: chunks)
        let filter = EventIDFilter(hashes: ids.map(seed.hash))
        let last = ids[ids.count - 1]
        let id = try transaction.integer(
            """
            INSERT INTO event_id_segments (run_id, id_count, first_chunk_id, last_event_id, first_event_ids, filter)
            VALUES (?, ?, ?, ?, ?, ?) RETURNING id
            """,
            [
                .integer(run), .integer(Int64(ids.count)), .integer(firstChunkID), .blob(bytes(of: [last])),
                .blob(bytes(of: fences)), .blob(filter.bytes ?? []),
            ])
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert segment of event ids") }
        return EventIDSegment(
            id: id, firstChunkID: firstChunkID, count: ids.count, last: last, fences: fences, filter: filter)
    }

    private static let chunkInsertion = SQLBatchStatement.insertion(
        into: "event_id_chunks", [.integer("id"), .blob("ids")],
        conflict: "ON CONFLICT (id) DO UPDATE SET ids = excluded.ids")

    /// Removes a segment of a dead run, but for its first `count` chunks, which are to be overwritten. Returns the id
    /// of the first one; nil if no such segment has so many. Deleting the chunks and inserting others would write twice
    /// as much, because the store overwrites the pages that it deletes.
    private static func takeChunksOfADeadSegment(_ count: Int, in transaction: any SQLTransaction) throws -> Int64? {
        let found = try transaction.first(
            """
            SELECT s.id, s.first_chunk_id, length(s.first_event_ids) / 16
            FROM event_id_runs r JOIN event_id_segments s ON s.run_id = r.id
            WHERE r.state = ? AND length(s.first_event_ids) >= ? LIMIT 1
            """, [.integer(EventIDRun.State.dead.rawValue), .integer(Int64(count * EventID.byteCount))], place)
        guard let found else { return nil }
        try delete(found.id, chunks: found.chunks.dropFirst(count), in: transaction)
        return found.chunks.lowerBound
    }

    /// Deletes some segment of a run with its chunks. Returns false if there is none.
    static func deleteOne(ofRun run: Int64, in transaction: any SQLTransaction) throws -> Bool {
        let found = try transaction.first(
            "SELECT id, first_chunk_id, length(first_event_ids) / 16 FROM event_id_segments WHERE run_id = ? LIMIT 1",
            [.integer(run)], place)
        guard let found else { return false }
        try delete(found.id, chunks: found.chunks, in: transaction)
        return true
    }

    /// The id of a segment, and those of its chunks.
    private static func place(_ row: any SQLRow) throws -> (id: Int64, chunks: Range<Int64>) {
        let first = try row.integer(1)
        return (try row.integer(0), first..<first + (try row.integer(2)))
    }

    private static func delete(_ id: Int64, chunks: Range<Int64>, in transaction: any SQLTransaction) throws {
        if !chunks.isEmpty {
            try transaction.execute(
                "DELETE FROM event_id_chunks WHERE id BETWEEN ? AND ?",
                [.integer(chunks.lowerBound), .integer(chunks.upperBound - 1)])
        }
        try transaction.execute("DELETE FROM event_id_segments WHERE id = ?", [.integer(id)])
    }

    private static func bytes(of ids: [EventID]) -> [UInt8] {
        var bytes: [UInt8] = []
        for id in ids { bytes.append(id) }
        return bytes
    }

    /// Loads the segments of all runs that are not dead, in order. Known segments never change, so only their short
    /// columns are read. Calls `place` for each other one, those of the most useful runs first.
    static func load(
        known: [EventIDSegment], in session: any SQLSession, place: (inout EventIDSegment) -> Void
    ) throws -> [Int64: [EventIDSegment]] {
        let known = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let rows = try session.query(
            """
            SELECT s.id, s.run_id, s.first_chunk_id, s.id_count, s.last_event_id
            FROM event_id_segments s JOIN event_id_runs r ON r.id = s.run_id
            WHERE r.state <> ? ORDER BY r.state, r.level, r.id DESC, s.id
            """, [.integer(EventIDRun.State.dead.rawValue)]
        ) { row in
            let last = try ids(in: try row.blob(4)).first
            return (
                id: try row.integer(0), run: try row.integer(1), firstChunk: try row.integer(2),
                count: try row.integer(3), last: last
            )
        }
        var runs: [Int64: [EventIDSegment]] = [:]
        for row in rows {
            // An id can be reused after the last row was deleted.
            if let segment = known[row.id], segment.firstChunkID == row.firstChunk, Int64(segment.count) == row.count,
                segment.last == row.last
            {
                runs[row.run, default: []].append(segment)
            } else {
                var segment = try load(row.id, in: session)
                place(&segment)
                runs[row.run, default: []].append(segment)
            }
        }
        return runs
    }

    private static func load(_ id: Int64, in session: any SQLSession) throws -> EventIDSegment {
        let segment = try session.first(
            """
            SELECT first_chunk_id, id_count, last_event_id, first_event_ids, filter FROM event_id_segments WHERE id = ?
            """,
            [.integer(id)]
        ) { row in
            let fences = try ids(in: try row.blob(3))
            let counts = (fences.count - 1) * chunkSize + 1...max(1, fences.count * chunkSize)
            guard let last = try ids(in: try row.blob(2)).first, !fences.isEmpty,
                let filter = EventIDFilter(bytes: try row.blob(4)), counts.contains(Int(clamping: try row.integer(1))),
                (1...1 << 60).contains(try row.integer(0))
            else { throw SQLError.malformed("event_id_segments") }
            return EventIDSegment(
                id: id, firstChunkID: try row.integer(0), count: Int(clamping: try row.integer(1)), last: last,
                fences: fences, filter: filter)
        }
        guard let segment else { throw SQLError.malformed("event_id_segments") }
        return segment
    }

    /// Whether the segment contains an id that its filter passes.
    func contains(_ id: EventID, in session: any SQLSession) throws -> Bool {
        try Self.chunk(firstChunkID + Int64(chunkIndex(of: id)), in: session) { bytes in
            var (low, high) = (0, bytes.count / EventID.byteCount)
            while low < high {
                let middle = (low + high) / 2
                let found = EventID.load(bytes, at: middle * EventID.byteCount)
                if found == id { return true }
                if found < id { low = middle + 1 } else { high = middle }
            }
            return false
        }
    }

    /// Whether a look-up of the id would read that chunk.
    func leads(to chunk: Int, _ id: EventID, hash: UInt64) -> Bool {
        id >= first && id <= last && filter.mayContain(hash) && chunkIndex(of: id) == chunk
    }

    /// Returns false if the filter is there already or cannot be written.
    mutating func moveFilter(to file: EventIDFilterFile) -> Bool { filter.move(to: file) }

    /// Returns false if the filter is there already or cannot be read.
    mutating func moveFilterToMemory() -> Bool { filter.moveToMemory() }

    /// The only chunk that can contain the id.
    func chunkIndex(of id: EventID) -> Int { fences.lastIndex(notAfter: id) ?? 0 }

    func ids(ofChunk index: Int, in session: any SQLSession) throws -> [EventID] {
        try Self.chunk(firstChunkID + Int64(index), in: session, Self.decode)
    }

    private static func chunk<Result>(
        _ id: Int64, in session: any SQLSession, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws -> Result {
        let bytes = try session.first("SELECT ids FROM event_id_chunks WHERE id = ?", [.integer(id)]) { try $0.blob(0) }
        guard let bytes, !bytes.isEmpty, bytes.count.isMultiple(of: EventID.byteCount) else {
            throw SQLError.malformed("event_id_chunks")
        }
        return bytes.withUnsafeBytes(body)
    }

    private static func ids(in bytes: [UInt8]) throws -> [EventID] {
        guard bytes.count.isMultiple(of: EventID.byteCount) else { throw SQLError.malformed("event id") }
        return bytes.withUnsafeBytes(decode)
    }

    /// `bytes` must contain whole ids.
    private static func decode(_ bytes: UnsafeRawBufferPointer) -> [EventID] {
        stride(from: 0, to: bytes.count, by: EventID.byteCount).map { EventID.load(bytes, at: $0) }
    }
}
