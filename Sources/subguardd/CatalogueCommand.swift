import ArgumentParser
import Backend
import BackendHTTP
import Foundation

struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "The catalogue as a file.", subcommands: [Import.self, Export.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds and updates items from CSV, by slug; all of them or none.")

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Only say what would change.")
        var dryRun = false

        @Argument(help: "CSV file, in the columns of Config/catalogue.csv.")
        var file: String

        func run() throws {
            guard let data = FileManager.default.contents(atPath: file) else {
                printError("\(file) cannot be read")
                throw ExitCode.failure
            }
            let rows = try CatalogueCSV.parse(Array(data))
            let store = try OpenStore(settings: try options.settings(), migrations: .require)
            defer { store.close() }
            let report = try CatalogueStore(context: store.context)
                .importItems(rows, by: .currentUser, dryRun: dryRun)
            for row in report.failed {
                for error in row.errors {
                    printError("\(file): row \(row.number): \(error.pointer): \(error.detail)")
                }
            }
            print(
                "inserted \(report.inserted), updated \(report.updated), unchanged \(report.unchanged), "
                    + "failed \(report.failed.count)\(report.isApplied ? "" : "; nothing was written")")
            if !report.failed.isEmpty { throw ExitCode.failure }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The whole catalogue as CSV on standard output.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            let store = try OpenStore(settings: try options.settings(), migrations: .require)
            defer { store.close() }
            let items = try CatalogueStore(context: store.context).loadSnapshot().items
            FileHandle.standardOutput.write(Data(CatalogueCSV.write(items)))
        }
    }
}

/// One line on standard error.
func printError(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
