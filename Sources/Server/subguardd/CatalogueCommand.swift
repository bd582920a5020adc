import ArgumentParser
import Backend
import BackendHTTP
import Foundation
import SubGuardDomain

struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "The catalogue as a file.", subcommands: [Import.self, Export.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds and updates items from CSV or JSON, by slug; all of them or none.")

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Only say what would change.")
        var dryRun = false

        @Flag(help: "Leave out rows that fail, instead of refusing the file.")
        var skipBad = false

        @Argument(help: "CSV file in the columns of Config/catalogue.csv, or JSON file (named .json) as exported.")
        var file: String

        func run() throws {
            guard let data = FileManager.default.contents(atPath: file) else {
                printError("\(file) cannot be read")
                throw ExitCode.failure
            }
            let rows =
                file.lowercased().hasSuffix(".json")
                ? try CatalogueJSONFile.parse(Array(data)) : try CatalogueCSV.parse(Array(data))
            let store = try OpenStore(settings: try options.settings(), migrations: .require)
            defer { store.close() }
            var importing = CatalogueImportOptions()
            importing.isDryRun = dryRun
            importing.skipsBadRows = skipBad
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

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The whole catalogue on standard output.")

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "csv or json.")
        var format = "csv"

        func validate() throws {
            guard ["csv", "json"].contains(format) else { throw ValidationError("--format must be csv or json") }
        }

        func run() throws {
            let store = try OpenStore(settings: try options.settings(), migrations: .require)
            defer { store.close() }
            let items = try CatalogueStore(context: store.context).loadSnapshot().items
            FileHandle.standardOutput.write(
                Data(format == "csv" ? CatalogueCSV.write(items) : CatalogueJSONFile.write(items)))
        }
    }
}

/// One line on standard error.
func printError(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
