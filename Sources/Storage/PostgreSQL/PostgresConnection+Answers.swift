import CPostgres
import Foundation
import SQLDatabase

/// Sending and waiting with libpq's asynchronous calls (https://www.postgresql.org/docs/current/libpq-async.html). The
/// blocking calls wait until the kernel gives up the connection; these time out when the server is stopped or
/// unreachable.
extension PostgresConnection {
    /// The result of the statement just sent: the first failure, else the last result. Nil, and the connection broken,
    /// if there is none.
    func answer(to isSent: Int32) -> OpaquePointer? {
        guard isSent == 1, flush() else {
            giveUp()
            return nil
        }
        var answer: OpaquePointer?
        while true {
            guard let result = nextResult() else {
                if isBroken {
                    PQclear(answer)
                    return nil
                }
                return answer
            }
            guard let found = answer else {
                answer = result
                continue
            }
            if PQresultStatus(found) == PGRES_FATAL_ERROR {
                PQclear(result)
            } else {
                PQclear(found)
                answer = result
            }
        }
    }

    /// Nil at the end of a statement's results, and if none arrives in time: then the connection is broken.
    func nextResult() -> OpaquePointer? {
        let deadline = deadline
        while PQisBusy(handle) == 1 {
            guard wait(for: POLLIN, until: deadline), PQconsumeInput(handle) == 1 else {
                giveUp()
                return nil
            }
        }
        return PQgetResult(handle)
    }

    /// Sends the buffer. Also reads, because a server that cannot write does not read.
    func flush() -> Bool {
        let deadline = deadline
        while true {
            switch PQflush(handle) {
            case 0: return true
            case 1:
                guard wait(for: POLLIN | POLLOUT, until: deadline), PQconsumeInput(handle) == 1 else { return false }
            default: return false
            }
        }
    }

    /// How long a response may take until the other hosts are tried.
    private static let hostCheckMilliseconds: UInt64 = 500

    private var deadline: ContinuousClock.Instant? { timeout.map { .now + $0 } }

    /// Returns false after a timeout, or when another host has become the primary.
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
        var wanted = pollfd(fd: PQsocket(handle), events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let left = deadline.map { ContinuousClock.now.duration(to: $0).wholeMilliseconds } ?? -1
            guard deadline == nil || left > 0 else { return false }
            // -1 as unsigned is the longest time.
            let slice = hosts == nil ? left : Int64(min(UInt64(bitPattern: left), Self.hostCheckMilliseconds))
            let count = poll(&wanted, 1, Int32(clamping: slice))
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
            if count == 0, let hosts, hosts.havePrimary(besides: self) { return false }
        }
    }
}

extension PostgresConnection {
    /// Runs one statement for each row of arguments without waiting for each result, and passes the results to `visit`
    /// in order. Throws the first failure; later statements are not run.
    ///
    /// One round trip for a few hundred statements instead of one for each
    /// (https://www.postgresql.org/docs/current/libpq-pipeline-mode.html).
    func pipeline(
        _ sql: String, rows: [[SQLValue]], context: String, _ visit: (Int, OpaquePointer) throws -> Void
    ) throws {
        var start = 0
        while start < rows.count {
            let part = rows[start..<min(start + Self.longestPipeline, rows.count)]
            // Preparing waits for a result, so it is done before the pipeline starts.
            let names = try part.map { try prepare(sql, $0, context: context) }
            let results = try send(part, names, context)
            defer { for result in results { PQclear(result) } }
            for (index, result) in results.enumerated() { try visit(start + index, result) }
            start += part.count
        }
    }

    /// Bounded, because both ends buffer pending statements in memory.
    private static let longestPipeline = 256

    private func send(_ rows: ArraySlice<[SQLValue]>, _ names: [String], _ context: String) throws -> [OpaquePointer] {
        guard PQenterPipelineMode(handle) == 1 else { throw broken(context) }
        for (row, name) in zip(rows, names) {
            let given = PostgresArguments(row)
            let isSent = given.withPointers { PQsendQueryPrepared(handle, name, given.count, $0, $1, $2, 1) }
            guard isSent == 1 else { throw broken(context) }
        }
        guard PQpipelineSync(handle) == 1, flush() else { throw broken(context) }
        var results: [OpaquePointer] = []
        var failure: (any Error)?
        for _ in rows {
            guard let result = nextResult() else { throw broken(context, results) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: results.append(result)
            default:
                failure = failure ?? error(of: result, context)
                PQclear(result)
            }
            // Null ends the results of each statement.
            while let more = nextResult() { PQclear(more) }
        }
        let end = nextResult()
        let isSynchronised = PQresultStatus(end) == PGRES_PIPELINE_SYNC
        PQclear(end)
        guard isSynchronised, PQexitPipelineMode(handle) == 1 else { throw broken(context, results) }
        if let failure {
            for result in results { PQclear(result) }
            throw failure
        }
        return results
    }

    private func broken(_ context: String, _ results: [OpaquePointer] = []) -> SQLError {
        giveUp()
        for result in results { PQclear(result) }
        return SQLError.disconnected(context)
    }
}
