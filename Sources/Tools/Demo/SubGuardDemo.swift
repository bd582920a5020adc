import ArgumentParser

@main
struct SubGuardDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subguard-demo",
        abstract: "Sends the believable history of some thousand devices to a server, and prints its dashboard.",
        discussion: """
            The history is made from the seed alone, so a second run sends the same events and every one of them counts \
            as a duplicate. They go through the same call as a device's events.
            """)

    @OptionGroup var options: DemoOptions

    func run() async throws {
        try await DemoRun(options).run()
    }
}
