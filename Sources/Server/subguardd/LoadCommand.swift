import ArgumentParser

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
