import ArgumentParser
import BackendHTTP

@main
struct SubGuardD: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subguardd", abstract: "Run and administer the SubGuard server.",
        version: BuildInfo.version,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, MigrateStoreCommand.self, TokenCommand.self, CatalogueCommand.self,
            ConsoleCommand.self, AuditCommand.self,
            FiguresCommand.self, EventsCommand.self, CrashesCommand.self, SinkCommand.self, BackupCommand.self,
            RestoreCommand.self,
            ConfigCommand.self,
            HealthCommand.self,
            OpenAPICommand.self,
            LoadCommand.self,
            DemoCommand.self,
            DemangleCommand.self,
        ])
}
