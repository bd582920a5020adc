import ArgumentParser
import Backend
import BackendHTTP
import Foundation

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

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Proves a backup, then puts it in the place of the store.",
        discussion: """
            The server must not run. What was there is kept beside the store. With --drill nothing is replaced: the newest \
            backup is restored into a folder that is taken away again.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Only prove the newest backup.")
    var drill = false

    @Argument(help: "The backup's folder, as `backup` printed it.")
    var backup: String?

    func validate() throws {
        guard drill != (backup != nil) else { throw ValidationError("give a backup, or --drill") }
    }

    func run() throws {
        let settings = try options.settings()
        guard let backup else {
            let proven = try StoreFiles(settings: settings).drill()
            return print(
                "proven \(proven.backup): \(proven.copy.events) events, \(proven.copy.auditRows) audit rows, "
                    + "\(proven.copy.manifest.files.count) files")
        }
        let files = StoreFiles(settings: settings)
        let restored = try files.restore(backup, by: .currentUser)
        // Absolute, because a store that is not where the service looks for it is the mistake to see here.
        let place = URL(fileURLWithPath: restored.store).standardizedFileURL.path
        print("restored \(place) from \(backup): \(restored.copy.events) events, \(restored.copy.auditRows) audit rows")
        if let kept = restored.kept { print("what was there is now \(kept)") }
    }
}
