import CPostgres
import SQLDatabase

/// One connection to a PostgreSQL server.
///
/// libpq requires one caller at a time (https://www.postgresql.org/docs/current/libpq-threading.html).
// proof: the compiler cannot see it, but the pool lends a connection to one caller at a time and nothing else touches
// it.
final class PostgresConnection: @unchecked Sendable {
    let handle: OpaquePointer
    private var statements = PostgresStatements()
    /// Whether the connection must not be used again: it broke, or its state is uncertain.
    private(set) var isBroken = false
    /// Timeout for a result; nil waits until the kernel closes the connection.
    var timeout: Duration?
    /// Nil unless another host of the URL may become the primary.
    let hosts: PostgresHosts?

    /// Connects, with the timeout that the parameters give for each host. Throws ``SQLError/Code/disconnected``, or
    /// `cannotOpen` if the server asks for a password and rejects it, the user or the database.
    init(_ parameters: PostgresParameters, hosts: PostgresHosts?) throws {
        self.hosts = hosts
        guard let handle = parameters.withArrays({ PQconnectdbParams($0, $1, 1) }) else {
            throw SQLError(code: .other, number: 0, context: "no memory for a connection")
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else {
            let refused = PQconnectionNeedsPassword(handle) == 1 || PQconnectionUsedPassword(handle) == 1
            // The library's message may contain host and user, so it is not part of the error.
            throw refused
                ? SQLError(code: .cannotOpen, number: 0, context: "connect") : SQLError.disconnected("connect")
        }
        // The server's notices do not belong on standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        guard PQsetnonblocking(handle, 1) == 0 else { throw SQLError.disconnected("connect") }
        timeout = parameters.startTimeout
        try run(parameters.sessionSettings, context: "connect")
    }

    deinit { PQfinish(handle) }

    var isInTransaction: Bool {
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
    }

    /// Runs statements without arguments and results.
    func run(_ sql: String, context: String) throws {
        try withResult(answer(to: PQsendQuery(handle, sql)), context) { _ in }
    }

    /// Commits. Throws if a statement of the transaction has failed: the server then rolls back and reports success, so
    /// a caller that ignored the failure would silently lose its writes.
    func commit() throws {
        try withResult(answer(to: PQsendQuery(handle, "COMMIT")), "commit") { result in
            guard String(cString: PQcmdStatus(result)) == "COMMIT" else {
                throw SQLError(sqlState: "25P02", context: "commit")
            }
        }
    }

    /// Runs one statement and passes its result to `body`.
    func query<Result>(
        _ sql: String, _ arguments: [SQLValue], context: String, _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        let name = try prepare(sql, arguments, context: context)
        let given = PostgresArguments(arguments)
        let isSent = given.withPointers { PQsendQueryPrepared(handle, name, given.count, $0, $1, $2, 1) }
        return try withResult(answer(to: isSent), context, body)
    }

    /// Runs one statement that takes arrays, one per column of the rows, and passes its result to `body`. All rows have
    /// equally many values.
    ///
    /// It is planned each time. A cached plan fits the table size at planning time: one made for an empty table scans
    /// the whole table even after it has grown.
    func query<Result>(
        _ sql: String, columnsOf rows: ArraySlice<[SQLValue]>, context: String, _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        let (text, placeholders) = PostgresStatementText.numbered(sql)
        guard rows.allSatisfy({ $0.count == placeholders }) else {
            throw SQLError(code: .other, number: 0, context: "bind: number of arguments")
        }
        let given = PostgresArguments(columnsOf: rows)
        let isSent = given.withPointers { PQsendQueryParams(handle, text, given.count, given.types, $0, $1, $2, 1) }
        return try withResult(answer(to: isSent), context, body)
    }

    /// Returns the name of a prepared statement for arguments of these types.
    func prepare(_ sql: String, _ arguments: [SQLValue], context: String) throws -> String {
        if let name = statements.name(of: sql, for: arguments) { return name }
        while let old = statements.surplus(besides: sql) { try run("DEALLOCATE \(old)", context: "deallocate") }
        let (text, placeholders) = PostgresStatementText.numbered(sql)
        guard placeholders == arguments.count else {
            throw SQLError(code: .other, number: 0, context: "bind: number of arguments")
        }
        let name = statements.newName()
        let types = arguments.map(PostgresValue.oid(of:))
        try withResult(
            answer(to: PQsendPrepare(handle, name, text, Int32(clamping: types.count), types)), context
        ) { _ in }
        // The types inferred for NULLs, so that later non-NULL values need no new statement.
        let settled =
            !types.contains(0)
            ? types
            : try withResult(answer(to: PQsendDescribePrepared(handle, name)), context) { result in
                types.indices.map { PQparamtype(result, Int32($0)) }
            }
        statements.add(name, sql: sql, types: settled)
        return name
    }

    /// Marks the connection as unusable.
    func giveUp() { isBroken = true }

    func withResult<Value>(
        _ result: OpaquePointer?, _ context: String, _ body: (OpaquePointer) throws -> Value
    ) throws -> Value {
        guard let result else {
            isBroken = true
            throw SQLError.disconnected(context)
        }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return try body(result)
        default: throw error(of: result, context)
        }
    }

    func error(of result: OpaquePointer, _ context: String) -> SQLError {
        guard PQstatus(handle) == CONNECTION_OK else {
            isBroken = true
            return SQLError.disconnected(context)
        }
        // Without SQLSTATE the error is from the library: the connection broke.
        guard let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
            isBroken = true
            return SQLError.disconnected(context)
        }
        let error = SQLError(sqlState: String(cString: state), context: context)
        if error.code == .disconnected { isBroken = true }
        return error
    }
}
