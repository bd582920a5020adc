package import ArgumentParser
import BackendHTTP
import Foundation
import ServerContract
import Symbols

/// The commands of `subguardd`, in the order of its help, but for the one that serves.
package enum CommandList {
    package static let all: [any ParsableCommand.Type] = [
        MigrateCommand.self, MigrateStoreCommand.self, TokenCommand.self, CatalogueCommand.self, ConsoleCommand.self,
        AuditCommand.self, FiguresCommand.self, EventsCommand.self, CrashesCommand.self, SinkCommand.self,
        BackupCommand.self, RestoreCommand.self, ConfigCommand.self, HealthCommand.self, OpenAPICommand.self,
        LoadCommand.self, DemoCommand.self, DemangleCommand.self,
    ]
}

/// The process in which a server reads mangled names; see ``Demangler``.
struct DemangleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demangle", abstract: "Demangle names from standard input.", shouldDisplay: false)

    func run() { DemanglingProcess.run() }
}

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the OpenAPI 3.1 description of the HTTP interface.")

    func run() { FileHandle.standardOutput.write(Data(OpenAPIDocument.text())) }
}

/// Runs `subguard-load` in place of this process, so that the server's program does not contain the load tester.
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Run subguard-load, which sends traffic to a server and measures its responses.",
        discussion: "All arguments go to subguard-load; `subguard-load --help` lists them.")

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() throws {
        printError(SiblingProgram.load.replaceThisProcess(arguments))
        throw ExitCode.failure
    }
}
