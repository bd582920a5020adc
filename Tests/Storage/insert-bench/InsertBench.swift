import ArgumentParser
import PostgresDatabase
import SQLDatabase

/// Stores events in the simplest way, through the server's driver: one prepared INSERT per event, one transaction per
/// batch. Prints events per second.
@main
struct InsertBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "insert-bench")

    @Option(help: "A PostgreSQL database; the table plain_events is made anew.") var url: String
    @Option(help: "Events of a transaction.") var batch = 100
    @Option(help: "How long, in seconds.") var seconds = 3

    func run() throws {
        let store = try PostgresStore(url: url)
        defer { try? store.close() }
        try store.write { transaction in
            try transaction.execute("DROP TABLE IF EXISTS plain_events")
            try transaction.execute(
                """
                CREATE TABLE plain_events (id BYTEA PRIMARY KEY, user_hash BYTEA NOT NULL, name TEXT NOT NULL,
                    occurred_at BIGINT NOT NULL, properties TEXT)
                """)
        }
        let clock = ContinuousClock()
        let start = clock.now
        var count = 0
        while clock.now - start < .seconds(seconds) {
            try store.write { transaction in
                for _ in 0..<batch {
                    let number = Int64(count)
                    count += 1
                    try transaction.execute(
                        """
                        INSERT INTO plain_events (id, user_hash, name, occurred_at, properties) VALUES (?, ?, ?, ?, ?)
                        """,
                        [
                            .blob(Self.random(16)), .blob(Self.random(32)), .text("app_opened"),
                            .integer(1_700_000_000_000 + number),
                            .text("{\"app_version\":\"1.4.0\",\"locale\":\"fr\"}"),
                        ])
                }
            }
        }
        let elapsed = clock.now - start
        let (whole, atto) = elapsed.components
        print(Double(count) / (Double(whole) + Double(atto) / 1e18))
    }

    private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }
}
