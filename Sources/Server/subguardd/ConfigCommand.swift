import ArgumentParser
import BackendHTTP

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "The configuration.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints every setting with its value and where that comes from; secrets are masked.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws { print(SettingsReport.text(try options.settings(for: .none)), terminator: "") }
    }
}
