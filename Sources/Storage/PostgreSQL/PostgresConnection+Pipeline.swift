import CPostgres
import SQLDatabase

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
