import ArgumentParser
import BackendHTTP
import Foundation
import Operations

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Migrate the database to the schema of this version; forward only.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let settings = try options.settings()
        let new = settings.missingDefaultStore
        let store = try OpenStore(settings: settings, migrations: .leave)
        defer { store.close() }
        // It may not be the server's.
        if let new { printError("created \(new)") }
        let applied = try store.migrate()
        print(applied.isEmpty ? "nothing to migrate" : "applied \(applied.joined(separator: ", "))")
    }
}

struct MigrateStoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate-store", abstract: "Copy everything into another database and compare both.",
        discussion: """
            Stop every server of both databases first. URLs are written as in database_url: sqlite:PATH or \
            postgres://…. The target is created or must be empty. Logos are copied too: SQLite has them in a folder, \
            PostgreSQL in the database. After an interruption, run the command again; it continues. Pass secrets in \
            SUBGUARD_MIGRATE_FROM and SUBGUARD_MIGRATE_TO, because other users can read command lines.
            """)

    @Option(help: "URL of the database to copy.")
    var from: String?

    @Option(help: "URL of the target database.")
    var to: String?

    @Option(help: "Folder of the logos of the SQLite database. (default: logos beside the database file)")
    var logos: String?

    @Flag(help: "Skip logos of the catalogue whose files are missing.")
    var skipMissingLogos = false

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let from = from ?? environment["SUBGUARD_MIGRATE_FROM"],
            let to = to ?? environment["SUBGUARD_MIGRATE_TO"]
        else { throw ValidationError("--from and --to are required.") }
        try StoreRights.assume(urls: [from, to])
        let line = CopyProgressLine()
        let move = try StoreMove(from: from, to: to, logos: logos, skipsMissingLogos: skipMissingLogos)
        let outcome = try move.run { line.show($0) }
        line.end()
        for name in outcome.missingLogos { printError("skipped logo \(name): its file is missing") }
        print("copied and compared \(outcome.rows) rows, and \(outcome.logos) logos into \(move.logosPlace)")
    }
}

/// Reports the progress of a copy on standard error: a progress bar on a terminal, one line per table elsewhere.
private final class CopyProgressLine {
    private static let width = 30
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var last = ""

    func show(_ step: StoreCopy.Step) {
        switch step {
        case .copied(let table, let rows, let total): copied(table, rows, of: total, "rows")
        case .compared(let table, let rows): compared(table, rows, "rows")
        case .copiedLogos(let count, let total): copied("logos", count, of: total, "files")
        case .comparedLogos(let count): compared("logos", count, "files")
        }
    }

    private func copied(_ name: String, _ count: Int, of total: Int, _ unit: String) {
        let share = total == 0 ? 1 : min(1, Double(count) / Double(total))
        let full = Int(share * Double(Self.width))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.width - full)
        if isTerminal {
            write("\r\u{1B}[K[\(bar)] \(name) \(count) of \(total)")
        } else if count >= total {
            write("copied \(name): \(count) \(unit)\n")
        }
    }

    private func compared(_ name: String, _ count: Int, _ unit: String) {
        write((isTerminal ? "\r\u{1B}[K" : "") + "compared \(name): \(count) \(unit)" + (isTerminal ? "" : "\n"))
    }

    func end() { if isTerminal { write("\r\u{1B}[K") } }

    private func write(_ text: String) {
        guard text != last else { return }
        last = text
        FileHandle.standardError.write(Data(text.utf8))
    }
}
