import ArgumentParser
import BackendHTTP
import Telemetry

struct SinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sink", abstract: "Set up and verify the copy of the events in ClickHouse.",
        subcommands: [Migrate.self, Status.self, Verify.self, Rebuild.self])

    /// Opens the database and the sink. Throws if no sink is configured.
    fileprivate static func open(_ options: ConfigurationOptions) throws -> (OpenStore, EventSinkOperator) {
        let settings = try options.settings(for: .existingStore)
        let store = try OpenStore(settings: settings, migrations: .require)
        guard let sink = EventSinkOperator(settings, context: store.context) else {
            store.close()
            throw ValidationError("event_sink_url is not set. docs/events.md explains how to set up a sink.")
        }
        return (store, sink)
    }

    struct Migrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create the tables and views in ClickHouse.",
            discussion: """
                Tables that exist stay as they are; views are created anew. Run it before the first start with a sink, \
                after an upgrade, and after a server was added to the cluster. The server may run.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            let (store, sink) = try SinkCommand.open(options)
            defer { store.close() }
            for line in try sink.migrate() { print(line) }
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how far the sink is, and its servers.",
            discussion: "Exits with status 1 if a server does not respond, or lacks its table or a view.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            let (store, sink) = try SinkCommand.open(options)
            defer { store.close() }
            let status = try sink.status()
            print(
                """
                sink: \(status.url)
                sent: blocks up to \(status.cursor)
                waiting: \(status.lag.blocks) blocks, the oldest for \(Int(status.lag.seconds)) s
                table: event_rows_\(status.table)
                """)
            for server in status.servers { print("shard \(server.shard), \(server.host): \(server.words)") }
            guard status.isSound else { throw ExitCode(1) }
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compare every server with the ledger.",
            discussion: """
                Compares number, distinct ids and sums of the events of each range and week, on every replica. Prints \
                what differs, and then exits with status 1. The server may run.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            let (store, sink) = try SinkCommand.open(options)
            defer { store.close() }
            let result = try sink.verify()
            for difference in result.differences { print("differs: \(difference)") }
            if result.differenceCount > result.differences.count {
                print("and \(result.differenceCount - result.differences.count) more")
            }
            let servers = "\(result.servers) server\(result.servers == 1 ? "" : "s")"
            print("\(result.eventCount) events in \(result.ranges) ranges compared on \(servers)")
            guard result.differenceCount == 0 else { throw ExitCode(1) }
            print("no differences")
        }
    }

    struct Rebuild: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fill a new table in ClickHouse and replace the old one.",
            discussion: """
                Events come from the log of the database, and those it no longer has from the old table. Use it when \
                'sink verify' finds differences, or after forged events were discarded. The server may run; views read \
                the old table until the new one is complete. ClickHouse needs the space twice meanwhile. If the \
                command is interrupted, run it again. Nothing is changed if what only ClickHouse has is not what the \
                ledger says.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Take what only ClickHouse has, even if it is not what the ledger says.")
        var acceptDifferences = false

        @Option(
            help: ArgumentHelp(
                """
                Take what the log no longer has from this table, after an older backup was restored: 6 for event_rows_6.
                """,
                valueName: "number"))
        var from: Int64?

        func validate() throws {
            guard from ?? 1 > 0 else { throw ValidationError("--from must be the number of a table, such as 6.") }
        }

        func run() throws {
            let (store, sink) = try SinkCommand.open(options)
            defer { store.close() }
            let line = UpdatedLine(plainEvery: .seconds(10))
            let result = try sink.rebuild(.init(acceptsDifferences: acceptDifferences, source: from)) { events in
                if line.isDue { line.show("\(events) events") }
            }
            line.end()
            print(
                "event_rows_\(result.table) has \(result.eventsFromLog) events of the log and "
                    + "\(result.eventsFromTable) of the old table")
        }
    }
}
