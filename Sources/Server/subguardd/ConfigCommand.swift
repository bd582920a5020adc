import ArgumentParser
import BackendHTTP

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check the configuration.", subcommands: [Check.self, Example.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print every setting with its value and origin; secrets are masked.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws { print(SettingsReport.text(try options.settings(for: .none)), terminator: "") }
    }

    struct Example: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a configuration file with every setting, its description and its default.")

        func run() throws { print(SettingsReport.example(), terminator: "") }
    }
}
