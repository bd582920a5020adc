package import Backend
import FileAccess
import Foundation
import SQLDatabase

/// Where the files of a store lie, also when none of them is open or there.
package struct StoreFiles: Sendable {
    /// Nil when the store is a database that other programs keep.
    package let store: String?
    /// Nil when the logos are in that database, too.
    package let logos: LogoFolder?
    package let backups: BackupFolder

    package init(settings: Settings) throws {
        let working = FileManager.default.currentDirectoryPath
        let folder: String
        switch try SQLDatabaseURL(settings.text(.databaseURL)).location {
        case .sqlite(let path):
            let store = path.hasPrefix("/") ? path : "\(working)/\(path)"
            self.store = store
            folder = FilePath.split(store).folder
        case .postgres:
            store = nil
            folder = "\(working)/data"
        }
        func place(_ setting: Setting, _ fallback: String) -> String {
            let path = settings.text(setting)
            return path.isEmpty ? "\(folder)/\(fallback)" : path
        }
        logos =
            store == nil && settings.text(.logoFolder).isEmpty ? nil : LogoFolder(path: place(.logoFolder, "logos"))
        backups = BackupFolder(path: place(.backupFolder, "backups"))
    }

    /// Proves the newest backup.
    package func drill() throws -> (backup: String, copy: RestoredCopy) {
        try RestoreDrill(folder: backups, random: OpenStore.random).run(
            at: OpenStore.now(), in: store.map { FilePath.split($0).folder })
    }

    /// Puts a backup in the place of the store.
    package func restore(
        _ backup: String, by actor: Actor
    ) throws -> (store: String, copy: RestoredCopy, kept: String?) {
        guard let store, let logos else { throw StartError.notAFile("restore it with what its backup was made with") }
        let restored = try Restore(storePath: store, logos: logos, now: OpenStore.now, random: OpenStore.random)
            .run(backup, by: actor)
        return (store, restored.copy, restored.kept)
    }
}

extension OpenStore {
    /// Writes a backup; the store goes on being written to meanwhile.
    package func backUp(to folder: BackupFolder) throws -> (path: String, manifest: BackupManifest) {
        guard let sqlite, let logos = files.logos else {
            throw StartError.notAFile("back it up with pg_dump, or copy it into a file with subguardd migrate-store")
        }
        return try BackupWriter(store: sqlite, logos: logos, program: BuildInfo.version).write(
            to: folder, at: context.now())
    }
}

extension Settings {
    package var backupsKept: Int { integer(.backupKeep) }
}
