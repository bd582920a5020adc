import ArgumentParser
import BackendHTTP
import Catalogue
import Foundation
import SubGuardDomain
import Synchronization

struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "Import or export the catalogue.", subcommands: [Import.self, Export.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add and update items from a CSV or JSON file by slug; either all rows or none are written.")

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Print what would change and change nothing.")
        var dryRun = false

        @Flag(help: "Skip rows with errors instead of rejecting the file.")
        var skipBad = false

        @Option(help: "What rows may do: upsert, update (unknown slugs fail) or create (known slugs fail).")
        var mode = CatalogueImportMode.upsert

        @Argument(help: "CSV file with the columns of Config/catalogue.csv, or an exported JSON file (named .json).")
        var file: String

        func run() throws {
            guard let data = FileManager.default.contents(atPath: file) else {
                printError("\(file) cannot be read")
                throw ExitCode.failure
            }
            let rows =
                file.lowercased().hasSuffix(".json")
                ? try CatalogueJSONFile.parse(Array(data))
                : try CatalogueCSV.parse(Array(data)) { ignored in
                    if !ignored.isEmpty {
                        printError(
                            "\(file): columns that are not known are ignored: \(ignored.joined(separator: ", "))")
                    }
                }
            let store = try options.existingStore()
            defer { store.close() }
            var importing = CatalogueImportOptions()
            importing.isDryRun = dryRun
            importing.skipsBadRows = skipBad
            importing.mode = mode
            let progress = ImportProgressLine(rowCount: rows.count)
            importing.progress = { progress.show(done: $0, of: $1) }
            let report = try CatalogueStore(context: store.context)
                .importItems(rows, by: .currentUser, options: importing)
            for row in report.failed {
                for error in row.errors {
                    printError("\(file): row \(row.number): \(error.pointer): \(error.detail)")
                }
            }
            if report.omittedErrors > 0 { printError("\(file): \(report.omittedErrors) more errors") }
            print(
                "inserted \(report.inserted), updated \(report.updated), unchanged \(report.unchanged), "
                    + "failed \(report.failedCount)\(report.isApplied ? "" : "; nothing was written")")
            if report.failedCount > 0, !skipBad || dryRun { throw ExitCode.failure }
        }
    }

    struct Export: StoreCommand {
        static let configuration = CommandConfiguration(abstract: "Print the whole catalogue.")

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "Format: csv or json.")
        var format = "csv"

        func validate() throws {
            guard ["csv", "json"].contains(format) else { throw ValidationError("--format must be csv or json") }
        }

        func run(_ store: OpenStore) throws {
            let items = try CatalogueStore(context: store.context).loadSnapshot().items
            FileHandle.standardOutput.write(
                Data(format == "csv" ? CatalogueCSV.write(items) : CatalogueJSONFile.write(items)))
        }
    }
}

/// Prints the progress of an import on standard error: one updated line on a terminal, otherwise one line per 10 %.
/// Short imports print none.
final class ImportProgressLine: Sendable {
    private static let leastRows = 2000

    private let rowCount: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = Mutex(0)

    init(rowCount: Int) { self.rowCount = rowCount }

    func show(done: Int, of total: Int) {
        guard rowCount >= Self.leastRows else { return }
        let percent = done * 100 / max(1, total)
        let step = isTerminal ? 1 : 10
        let isDue = shown.withLock { shown in
            guard percent / step > shown / step else { return false }
            shown = percent
            return true
        }
        guard isDue else { return }
        let line = "\(percent) % of \(rowCount) rows"
        let text = isTerminal ? "\r\(line)\(done == total ? "\n" : "")" : line + "\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}

extension CatalogueImportMode: ExpressibleByArgument {}
