import ArgumentParser
import Backend
import BackendHTTP
import Foundation

struct MigrateStoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate-store", abstract: "Copies everything into another store, and compares both.",
        discussion: """
            No server may run on either. URLs are those of database_url, sqlite:PATH and postgres://…; the target is made, \
            or is empty. What was copied stays when this is interrupted: run it again. Secrets are better given as \
            SUBGUARD_MIGRATE_FROM and SUBGUARD_MIGRATE_TO than on a command line that others can read.
            """)

    @Option(help: "The store that is copied.")
    var from: String?

    @Option(help: "The store that it becomes.")
    var to: String?

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let from = from ?? environment["SUBGUARD_MIGRATE_FROM"],
            let to = to ?? environment["SUBGUARD_MIGRATE_TO"]
        else { throw ValidationError("--from and --to must be given") }
        let line = CopyProgressLine()
        let rows = try StoreMove(from: from, to: to).run { line.show($0) }
        line.end()
        print("copied and compared \(rows) rows")
    }
}

/// Tells on standard error how far a copy is: a bar that is written over on a terminal, a line a table elsewhere.
private final class CopyProgressLine {
    private static let width = 30
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var last = ""

    func show(_ step: StoreCopy.Step) {
        switch step {
        case .copied(let table, let rows, let total):
            let share = total == 0 ? 1 : min(1, Double(rows) / Double(total))
            let full = Int(share * Double(Self.width))
            let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.width - full)
            if isTerminal {
                write("\r\u{1B}[K[\(bar)] \(table) \(rows) of \(total)")
            } else if rows >= total {
                write("copied \(table): \(rows) rows\n")
            }
        case .compared(let table, let rows):
            write(isTerminal ? "\r\u{1B}[Kcompared \(table): \(rows) rows" : "compared \(table): \(rows) rows\n")
        }
    }

    func end() { if isTerminal { write("\r\u{1B}[K") } }

    private func write(_ text: String) {
        guard text != last else { return }
        last = text
        FileHandle.standardError.write(Data(text.utf8))
    }
}
