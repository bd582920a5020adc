import ArgumentParser
import BackendHTTP
import ServerCommands

@main
struct SubGuardD: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subguardd", abstract: "Run and administer the SubGuard server.", version: BuildInfo.version,
        subcommands: [ServeCommand.self] + CommandList.all)
}
