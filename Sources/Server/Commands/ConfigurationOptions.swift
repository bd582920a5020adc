import ArgumentParser
package import BackendHTTP
import Foundation

/// The flags of every command that reads the configuration. Flags override environment variables, which override the
/// file.
package struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: """
            Configuration file (YAML); `subguardd config example` prints one. (default: $SUBGUARD_CONFIG, or \
            \(Self.installedFile) if that exists)
            """)
    var config: String?

    @Option(help: "Address to listen on.")
    var host: String?

    @Option(help: "Port to listen on.")
    var port: String?

    @Option(help: "Database URL, such as sqlite:data/subguard.sqlite.")
    var databaseURL: String?

    @Option(help: "Minimum log level.")
    var logLevel: String?

    @Option(help: "Log format: text or json.")
    var logFormat: String?

    @Option(
        name: .customLong("set"), help: ArgumentHelp("Any setting of the configuration file.", valueName: "key=value"))
    var assignments: [String] = []

    /// How long a command uses the files of the database.
    package enum StoreUse {
        case none
        /// Until the command ends.
        case command
        /// The same, of a database that must be there: for a program that `make run` built that of its checkout, if the
        /// folder has none and no source names one.
        case existingStore
        /// Until the server stops.
        case server
    }

    /// Reads the configuration. A root process then drops to the rights of the owner of the database (``StoreRights``),
    /// so read files that only root can read before.
    package func settings(for use: StoreUse = .command) throws -> Settings {
        var flags: [(key: String, value: String)] = []
        for assignment in assignments {
            guard let mark = assignment.firstIndex(of: "=") else {
                throw ValidationError("--set needs KEY=VALUE, such as --set port=8081.")
            }
            flags.append((String(assignment[..<mark]), String(assignment[assignment.index(after: mark)...])))
        }
        let list = Settings.list
        let named: [(any DeclaredSetting, String?)] = [
            (list.host, host), (list.port, port), (list.databaseURL, databaseURL), (list.logLevel, logLevel),
            (list.logFormat, logFormat),
        ]
        flags += named.compactMap { setting, value in value.map { (setting.key, $0) } }
        let environment = ProcessInfo.processInfo.environment
        let file = try file(environment)
        var settings = try Settings(flags: flags, environment: environment, file: file)
        if use == .existingStore, environment["SUBGUARD_CONFIG"] == nil,
            let path = Self.checkoutStore(insteadOf: settings)
        {
            printError("using \(path)")
            flags.append((list.databaseURL.key, "sqlite:\(path)"))
            settings = try Settings(flags: flags, environment: environment, file: file)
        }
        if use != .none { try StoreRights.assume(settings, permanently: use == .server) }
        return settings
    }

    /// The file of the Debian package, so that commands in any folder use the database of its service.
    private static let installedFile = "/etc/subguard/subguardd.yaml"

    /// Opens the database, which must be there and migrated.
    func existingStore() throws -> OpenStore {
        try OpenStore(settings: try settings(for: .existingStore), migrations: .require)
    }

    /// See ``StoreUse/existingStore``; nil for other programs.
    private static func checkoutStore(insteadOf settings: Settings) -> String? {
        let folders = SiblingProgram.folder.pathComponents
        guard settings.missingDefaultStore != nil, folders.last == "release", folders.dropLast(2).last == ".build"
        else { return nil }
        let path = NSString.path(withComponents: folders.dropLast(3) + ["data/subguard.sqlite"])
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// The configuration file of this command. An empty SUBGUARD_CONFIG means none.
    private func file(_ environment: [String: String]) throws -> String? {
        if let config { return config }
        if let named = environment["SUBGUARD_CONFIG"] { return named.isEmpty ? nil : named }
        guard FileManager.default.fileExists(atPath: Self.installedFile) else { return nil }
        guard FileManager.default.isReadableFile(atPath: Self.installedFile) else {
            printError(
                "\(Self.installedFile) cannot be read by this user: run the command with sudo to use the database of "
                    + "the installed server, or set SUBGUARD_CONFIG= to use none")
            throw ExitCode.failure
        }
        return Self.installedFile
    }
}

extension Settings {
    /// The path of the database where no source names one, which depends on the folder, if it is not there.
    var missingDefaultStore: String? {
        guard entry(Self.list.databaseURL)?.origin == .standard, let path = self[\.databaseURL].filePath,
            !FileManager.default.fileExists(atPath: path)
        else { return nil }
        return path
    }
}

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

/// A command on the database, which is open while it runs.
protocol StoreCommand: ParsableCommand {
    var options: ConfigurationOptions { get }

    func run(_ store: OpenStore) throws
}

extension StoreCommand {
    func run() throws {
        let store = try options.existingStore()
        defer { store.close() }
        try run(store)
    }
}
