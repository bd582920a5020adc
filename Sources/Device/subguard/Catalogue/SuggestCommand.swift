import ArgumentParser
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct SuggestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Suggests a service that the catalogue lacks, with the next sync.",
        discussion: "The name leaves this device, and nothing else does.")

    @Argument(help: "Its name.") var name: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.store.suggestions.add(name, at: session.moment)
            session.print(id: id) { _ in }
        }
    }
}
