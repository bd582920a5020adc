import ArgumentParser
import Backend
import BackendHTTP

struct FiguresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "figures", abstract: "Verify the figures, or discard forged events.",
        subcommands: [Verify.self, Discard.self])

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recomputes the figures from the raw events and says where they differ from those that are kept.",
            discussion: "May run beside the server. Needs about 40 bytes of memory an event and 300 a user.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            let store = try OpenStore(settings: try options.settings(), migrations: .require)
            defer { store.close() }
            let result = try FigureVerifier(context: store.context).verify()
            for sentence in result.unverified { print(sentence) }
            if result.waitingCount > 0 { print("\(result.waitingCount) events have yet to be counted") }
            guard !result.agrees else {
                return print("\(result.eventCount) events, \(result.userCount) users, no difference")
            }
            for difference in result.differences {
                printError("\(difference.subject): kept \(difference.kept), recomputed \(difference.recomputed)")
            }
            printError(
                "\(result.eventCount) events, \(result.userCount) users, \(result.differenceCount) differences")
            throw ExitCode.failure
        }
    }
}
