import ArgumentParser
import BackendHTTP

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Brings the store to this program's schema, forward only.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let store = try OpenStore(settings: try options.settings(), migrations: .leave)
        defer { store.close() }
        let applied = try store.migrate()
        print(applied.isEmpty ? "nothing to migrate" : "applied \(applied.joined(separator: ", "))")
    }
}
