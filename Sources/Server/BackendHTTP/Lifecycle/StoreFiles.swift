package import Catalogue
import FileAccess
import Foundation
package import Operations
import SQLDatabase
package import ServerAccess

/// The paths of a database's files, whether or not they exist.
package struct StoreFiles: Sendable {
    /// Nil for PostgreSQL.
    package let store: String?
    /// The folder of the SQLite file; nil for PostgreSQL.
    var folder: String? { store.map { FilePath.split($0).folder } }
    /// Nil if the logos are in the database.
    package let logos: LogoFolder?
    package let backups: BackupFolder

    package init(settings: Settings) {
        store = settings[\.databaseURL].filePath
        let folder = store.map { FilePath.split($0).folder } ?? "\(FileManager.default.currentDirectoryPath)/data"
        let logoFolder = settings[\.logoFolder] ?? (store == nil ? nil : "\(folder)/logos")
        logos = logoFolder.map { LogoFolder(path: $0) }
        backups = BackupFolder(path: settings[\.backupFolder] ?? "\(folder)/backups")
    }

    /// For the newest backup, and for the folders that a restore writes to.
    var restoreDrill: RestoreDrill {
        RestoreDrill(
            folder: backups, targets: [folder, store == nil ? nil : logos?.path].compactMap(\.self),
            random: OpenStore.random)
    }

    /// Verifies the newest backup.
    package func drill() throws -> (backup: String, copy: RestoredCopy) {
        try restoreDrill.run(
            at: OpenStore.now(), in: store.map { FilePath.split($0).folder })
    }

    /// Replaces the database with a backup.
    package func restore(
        _ backup: String, by actor: Actor
    ) throws -> (store: String, copy: RestoredCopy, kept: String?) {
        guard let store, let logos else { throw StartError.notAFile("restore it with the tool that made its backup") }
        let restored = try Restore(storePath: store, logos: logos, now: OpenStore.now, random: OpenStore.random)
            .run(backup, by: actor)
        return (store, restored.copy, restored.kept)
    }
}

extension OpenStore {
    /// Writes a backup; the database stays writable during the backup.
    package func backUp(to folder: BackupFolder) throws -> (path: String, manifest: BackupManifest) {
        guard let sqlite, let logos = files.logos else {
            throw StartError.notAFile("back it up with pg_dump, or copy it into a file with subguardd migrate-store")
        }
        return try BackupWriter(store: sqlite, logos: logos, program: BuildInfo.version).write(
            to: folder, at: context.now())
    }
}

/// The user rights with which a command uses the files of a database.
package enum StoreRights {
    /// Drops to the rights of the owner of the database folder if root runs the command. Does nothing for other users,
    /// for a database owned by root, and for PostgreSQL.
    ///
    /// Call it after reading the settings, the certificates and the files named on the command line, and before using
    /// any file of the database. `FileRights` determines the owner.
    ///
    /// - Parameter permanently: whether root's rights are dropped permanently, as a server does.
    package static func assume(_ settings: Settings, permanently: Bool = false) throws {
        try assume([StoreFiles(settings: settings).store].compactMap(\.self), permanently: permanently)
    }

    /// The same for the SQLite databases among these URLs. Throws ``StoreRightsError`` if they have different owners.
    package static func assume(urls: [String]) throws {
        // An invalid URL is reported when the database is opened.
        try assume(urls.compactMap { (try? SQLDatabaseURL($0))?.filePath }, permanently: false)
    }

    private static func assume(_ paths: [String], permanently: Bool) throws {
        guard geteuid() == 0, !paths.isEmpty else { return }
        let rights = try paths.map { try FileRights(ofFile: $0) }
        guard let first = rights.first, rights.allSatisfy({ $0.user == first.user }) else {
            throw StoreRightsError(paths: paths, users: rights.map(\.user))
        }
        try ProcessIdentity.assume(user: first.user, folderGroup: first.group, permanently: permanently)
    }
}

/// The databases belong to different users: root must not copy files from one user to another.
package struct StoreRightsError: Error, CustomStringConvertible {
    let paths: [String]
    let users: [UInt32]

    package var description: String {
        let list = zip(paths, users).map { "\($0) to user \($1)" }.joined(separator: ", ")
        return "the stores belong to different users (\(list)): change the owner of one folder first"
    }
}
