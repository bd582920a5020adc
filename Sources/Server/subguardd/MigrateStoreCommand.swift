import ArgumentParser
import Backend
import BackendHTTP
import Foundation

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings the store to this program's schema, forward only.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let store = try OpenStore(settings: try options.settings(), migrations: .leave)
        defer { store.close() }
        let applied = try store.migrate()
        print(applied.isEmpty ? "nothing to migrate" : "applied \(applied.joined(separator: ", "))")
    }
}

struct MigrateStoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate-store", abstract: "Copies everything into another store, and compares both.",
        discussion: """
            No server may run on either. URLs are those of database_url, sqlite:PATH and postgres://…; the target is made, \
            or is empty. Logos come along: an SQLite store has them in a folder, a PostgreSQL one in the database. What was \
            copied stays when this is interrupted: run it again. Secrets are better given as SUBGUARD_MIGRATE_FROM and \
            SUBGUARD_MIGRATE_TO than on a command line that others can read.
            """)

    @Option(help: "The store that is copied.")
    var from: String?

    @Option(help: "The store that it becomes.")
    var to: String?

    @Option(help: "The folder with the logos of the SQLite store; without it, logos beside the store.")
    var logos: String?

    @Flag(help: "Leaves out logos that the catalogue knows and that are nowhere.")
    var skipMissingLogos = false

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let from = from ?? environment["SUBGUARD_MIGRATE_FROM"],
            let to = to ?? environment["SUBGUARD_MIGRATE_TO"]
        else { throw ValidationError("--from and --to must be given") }
        try StoreRights.assume(urls: [from, to])
        let line = CopyProgressLine()
        let move = try StoreMove(from: from, to: to, logos: logos, skipsMissingLogos: skipMissingLogos)
        let outcome = try move.run { line.show($0) }
        line.end()
        for name in outcome.missingLogos { printError("left out, as it is nowhere: logo \(name)") }
        print("copied and compared \(outcome.rows) rows, and \(outcome.logos) logos into \(move.logosPlace)")
    }
}

/// Tells on standard error how far a copy is: a bar that is written over on a terminal, a line a table elsewhere.
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
