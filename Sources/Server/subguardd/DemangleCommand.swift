import ArgumentParser
import Symbols

/// The process in which a server reads mangled names; see ``Demangler``.
struct DemangleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demangle", abstract: "Demangle names from standard input.", shouldDisplay: false)

    func run() { DemanglingProcess.run() }
}
