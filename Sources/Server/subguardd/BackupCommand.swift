import ArgumentParser
import Backend
import BackendHTTP

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes a backup, also while the server runs, and prints where it is.",
        discussion: "A folder with the store, the logos and a manifest of hashes. `restore --drill` proves the newest.")

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "Folder of the backups; without it, the setting backup_folder.")
    var to: String?

    @Option(help: "Backups to keep; without it, the setting backup_keep.")
    var keep: Int?

    func validate() throws {
        if let keep, !(1...1000).contains(keep) { throw ValidationError("--keep must be from 1 to 1000") }
    }

    func run() throws {
        let settings = try options.settings()
        let store = try OpenStore(settings: settings, migrations: .require)
        defer { store.close() }
        let folder = to.map { BackupFolder(path: $0) } ?? store.backups
        let backup = try store.backUp(to: folder)
        folder.prune(keeping: keep ?? settings[\.backupKeep], written: backup.path, at: store.context.now())
        print(backup.path)
        printError("\(backup.manifest.files.count) files, \(backup.manifest.byteCount) bytes")
    }
}
