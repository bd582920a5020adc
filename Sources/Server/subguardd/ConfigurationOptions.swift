import ArgumentParser
import BackendHTTP
import Foundation

/// The flags of every command that reads the configuration. Flags win over variables, variables over the file.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: "Configuration file (YAML); see Config/subguardd.yaml.")
    var config: String?

    @Option(help: "Address to listen on.")
    var host: String?

    @Option(help: "Port to listen on.")
    var port: String?

    @Option(help: "Where the data lies, e.g. sqlite:data/subguard.sqlite.")
    var databaseURL: String?

    @Option(help: "Least severe level that is logged.")
    var logLevel: String?

    @Option(help: "text or json.")
    var logFormat: String?

    @Option(name: .customLong("set"), help: ArgumentHelp("Any setting.", valueName: "key=value"))
    var assignments: [String] = []

    /// What a command does with the files of the store.
    enum StoreUse {
        case none
        /// Works on them and ends.
        case command
        /// Works on them for as long as it runs.
        case server
    }

    /// Reads the configuration. When root runs the command, the process then takes the rights of the user to whom the
    /// store belongs (``StoreRights``), so files that only root may read must be read before.
    func settings(for use: StoreUse = .command) throws -> Settings {
        var flags: [(key: String, value: String)] = []
        for assignment in assignments {
            guard let mark = assignment.firstIndex(of: "=") else {
                throw ValidationError("--set takes key=value")
            }
            flags.append((String(assignment[..<mark]), String(assignment[assignment.index(after: mark)...])))
        }
        let named: [(Setting, String?)] = [
            (.host, host), (.port, port), (.databaseURL, databaseURL), (.logLevel, logLevel), (.logFormat, logFormat),
        ]
        flags += named.compactMap { setting, value in value.map { (setting.key, $0) } }
        let settings = try Settings(
            flags: flags, environment: ProcessInfo.processInfo.environment, file: config)
        if use != .none { try StoreRights.assume(settings, permanently: use == .server) }
        return settings
    }
}
