import CPostgres
import SQLDatabase

/// One connection to a PostgreSQL server.
///
/// libpq asks for one caller at a time (https://www.postgresql.org/docs/current/libpq-threading.html).
// proof: the compiler cannot see it, but the pool lends a connection to one caller at a time and nothing else touches
// it.
final class PostgresConnection: @unchecked Sendable {
    let handle: OpaquePointer
    private var statements = PostgresStatements()
    /// Set when the connection may no longer be lent: it broke, or its state is in doubt.
    private(set) var isBroken = false
    /// Timeout for an answer; nil waits until the kernel closes the connection.
    var timeout: Duration?

    /// Connects, in the time that the parameters say for each host. Throws ``SQLError/Code/disconnected``, or
    /// `cannotOpen` when the server refuses user, password or database.
    init(_ parameters: PostgresParameters) throws {
        guard let handle = parameters.withArrays({ PQconnectdbParams($0, $1, 1) }) else {
            throw SQLError(code: .other, number: 0, context: "no memory for a connection")
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else {
            let refused = PQconnectionNeedsPassword(handle) == 1 || PQconnectionUsedPassword(handle) == 1
            // In words of the library; may name host and user, so it stays out of what is thrown.
            throw refused
                ? SQLError(code: .cannotOpen, number: 0, context: "connect") : SQLError.disconnected("connect")
        }
        // Whatever the server would say on the side is not for our standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        guard PQsetnonblocking(handle, 1) == 0 else { throw SQLError.disconnected("connect") }
    }

    deinit { PQfinish(handle) }

    var isInTransaction: Bool {
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
    }

    /// Runs statements without arguments and without an answer.
    func run(_ sql: String, context: String) throws {
        try withResult(answer(to: PQsendQuery(handle, sql)), context) { _ in }
    }

    /// Commits. A transaction in which a statement failed cannot be: the server rolls it back and calls that a success,
    /// which for somebody who caught the failure and went on would be a loss in silence. So that throws.
    func commit() throws {
        try withResult(answer(to: PQsendQuery(handle, "COMMIT")), "commit") { result in
            guard String(cString: PQcmdStatus(result)) == "COMMIT" else {
                throw SQLError(sqlState: "25P02", context: "commit")
            }
        }
    }

    /// Runs one statement and lends its answer to `body`.
    func query<Result>(
        _ sql: String, _ arguments: [SQLValue], context: String, _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        let name = try prepare(sql, arguments, context: context)
        let given = PostgresArguments(arguments)
        let isSent = given.withPointers { PQsendQueryPrepared(handle, name, given.count, $0, $1, $2, 1) }
        return try withResult(answer(to: isSent), context, body)
    }

    /// Runs one statement that takes arrays, one for each value of the rows, and lends its answer to `body`. All rows
    /// have as many values.
    ///
    /// It is planned each time. A plan that is kept was made for the size that a table had then: one for an empty table
    /// reads all of it, and goes on doing so when it has grown.
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

    /// The name of a prepared statement that takes such arguments.
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
        // What the server made of NULL, so that the next one who gives a value there need not prepare again.
        let settled =
            !types.contains(0)
            ? types
            : try withResult(answer(to: PQsendDescribePrepared(handle, name)), context) { result in
                types.indices.map { PQparamtype(result, Int32($0)) }
            }
        statements.add(name, sql: sql, types: settled)
        return name
    }

    /// Marks the connection as one that may not be lent again.
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
        // Without one it is not the server that speaks but the library, of a connection that broke.
        guard let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
            isBroken = true
            return SQLError.disconnected(context)
        }
        let error = SQLError(sqlState: String(cString: state), context: context)
        if error.code == .disconnected { isBroken = true }
        return error
    }
}
