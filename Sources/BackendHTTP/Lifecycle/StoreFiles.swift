package import Backend
import Foundation
import SQLDatabase

/// Where the files of a store lie, also when none of them is open or there.
package struct StoreFiles: Sendable {
    package let store: String
    package let logos: LogoFolder
    package let backups: BackupFolder

    /// Throws for a database that is no file.
    package init(settings: Settings) throws {
        guard case .sqlite(let path) = try SQLDatabaseURL(settings.text(.databaseURL)).location else {
            throw StartError.postgresNotSupported
        }
        store = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let folder = DurableFile.folder(of: store)
        func place(_ setting: Setting, _ fallback: String) -> String {
            let path = settings.text(setting)
            return path.isEmpty ? "\(folder)/\(fallback)" : path
        }
        logos = LogoFolder(path: place(.logoFolder, "logos"))
        backups = BackupFolder(path: place(.backupFolder, "backups"))
    }

    /// Proves the newest backup.
    package func drill() throws -> (backup: String, copy: RestoredCopy) {
        try RestoreDrill(folder: backups, random: OpenStore.random).run(at: OpenStore.now())
    }

    /// Puts a backup in the place of the store.
    package func restore(_ backup: String, by actor: Actor) throws -> (copy: RestoredCopy, kept: String?) {
        try Restore(storePath: store, logos: logos, now: OpenStore.now, random: OpenStore.random)
            .run(backup, by: actor)
    }
}

extension OpenStore {
    /// Writes a backup; the store goes on being written to meanwhile.
    package func backUp(to folder: BackupFolder) throws -> (path: String, manifest: BackupManifest) {
        try BackupWriter(store: sqlite, logos: logos, program: BuildInfo.version).write(to: folder, at: context.now())
    }
}

extension Settings {
    package var backupsKept: Int { integer(.backupKeep) }
}
