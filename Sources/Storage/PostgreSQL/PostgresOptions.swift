/// How a PostgreSQL server is used.
package struct PostgresOptions: Sendable {
    /// Connections at most; the next call waits. Default 8.
    package var connectionCount = 8
    /// How long a connection may take to come about. Default 5 s, at least 2.
    package var connectTimeout = Duration.seconds(5)
    /// How long a call tries again when the server cannot be reached, before it throws ``SQLError/Code/disconnected``.
    /// Default 5 s: a server that restarts is back by then.
    package var reconnectTimeout = Duration.seconds(5)
    /// How long a call waits for a free connection before it throws ``SQLError/Code/busy``. Default 10 s.
    package var poolTimeout = Duration.seconds(10)
    /// How long one statement may take. Default 30 s. The server ends it then.
    package var statementTimeout = Duration.seconds(30)
    /// How much longer a call waits for a server that says nothing, not even that, before it gives the connection up and
    /// throws ``SQLError/Code/disconnected``. Default 5 s.
    package var silenceTimeout = Duration.seconds(5)
    /// How long a statement waits for a lock before it throws ``SQLError/Code/busy``. Default 10 s.
    package var lockTimeout = Duration.seconds(10)
    /// After so long without a statement the server ends a writing transaction whose client hangs. Default 5 s: as it may hold the
    /// lock of all writers, everybody waits for it meanwhile.
    package var idleInTransactionTimeout = Duration.seconds(5)

    package init() {}

    /// How long an answer may take in all.
    var answerTimeout: Duration { statementTimeout + silenceTimeout }
}
