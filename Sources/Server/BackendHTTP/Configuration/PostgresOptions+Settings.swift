import PostgresDatabase
import SQLDatabase

extension PostgresOptions {
    init(_ settings: Settings) {
        self.init()
        connectionCount = settings.integer(.databaseConnections)
        statementTimeout = settings.seconds(.databaseStatementTimeout)
        reconnectTimeout = settings.seconds(.databaseReconnectTimeout)
    }
}
