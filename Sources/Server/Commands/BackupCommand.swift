import ArgumentParser
import BackendHTTP
import Foundation
import Operations
import ServerAccess

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a backup and print its folder; the server may run.",
        discussion:
            "A backup is a folder: database, logos and a manifest of hashes. `restore --drill` verifies the newest one."
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "Folder of the backups. (default: the setting backup_folder)")
    var to: String?

    @Option(help: "Number of backups to keep. (default: the setting backup_keep)")
    var keep: Int?

    func validate() throws {
        if let keep, !(1...1000).contains(keep) { throw ValidationError("--keep must be 1 to 1000.") }
    }

    func run() throws {
        let settings = try options.settings(for: .existingStore)
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
        commandName: "restore", abstract: "Verify a backup and restore it.",
        discussion: """
            Stop the server first. The previous database is kept beside the restored one. With --drill the newest \
            backup is restored into a temporary folder and nothing is replaced.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Only verify the newest backup.")
    var drill = false

    @Argument(help: "The backup's folder, as `backup` printed it.")
    var backup: String?

    func validate() throws {
        guard drill != (backup != nil) else { throw ValidationError("Give either a backup or --drill.") }
    }

    func run() throws {
        let settings = try options.settings()
        guard let backup else {
            let proven = try StoreFiles(settings: settings).drill()
            return print(
                "verified \(proven.backup): \(proven.copy.events) events, \(proven.copy.auditRows) audit rows, "
                    + "\(proven.copy.manifest.files.count) files")
        }
        let files = StoreFiles(settings: settings)
        let restored = try files.restore(backup, by: .currentUser)
        // Absolute, so that a difference from the path of the service is visible.
        let place = URL(fileURLWithPath: restored.store).standardizedFileURL.path
        print("restored \(place) from \(backup): \(restored.copy.events) events, \(restored.copy.auditRows) audit rows")
        if let kept = restored.kept { print("the previous database is now \(kept)") }
    }
}
