package import Catalogue
import FileAccess
import Foundation
import JSONWire
import SQLDatabase
import SQLiteDatabase
package import ServerAccess
package import SubGuardDomain

/// Replaces a database with a backup.
package struct Restore: Sendable {
    /// The path of the database file.
    private let storePath: String
    private let logos: LogoFolder
    private let now: @Sendable () -> UTCInstant
    private let random: @Sendable () -> UInt64

    package init(
        storePath: String, logos: LogoFolder, now: @escaping @Sendable () -> UTCInstant,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.storePath = storePath
        self.logos = logos
        self.now = now
        self.random = random
    }

    /// Verifies the backup first, and replaces nothing if verification fails. The previous database is kept beside the
    /// new one, under the returned name; nil if there was none.
    ///
    /// Database, logos and folders keep their owner and mode, so that root can restore for a service; new ones get the
    /// owner of the parent folder.
    ///
    /// The restored database gets a new identity, so that devices that synced after the backup start over, and a row in
    /// its audit log; everyone is signed out. Throws ``RestoreError/storeIsServed`` while a server uses the database.
    package func run(_ backup: String, by actor: Actor) throws -> (copy: RestoredCopy, kept: String?) {
        let (path, name) = FilePath.split(storePath)
        let folder = try OpenFolder.making(path)
        guard let lock = try StoreLock(store: storePath, alone: true) else { throw RestoreError.storeIsServed }
        return try withExtendedLifetime(lock) {
            let instant = now()
            // Checks the target and determines the owner of the new files before anything is copied.
            let owner = try FileOwner.successor(of: name, in: folder, mode: 0o600)
            Self.removeRemains(of: name, in: folder)
            let place = "\(name)\(Self.unfinished)\(UUID().uuidString.lowercased())"
            defer { folder.removeTree(place) }
            let copy = try RestoredCopy(of: backup, into: folder, named: place, at: instant, random: random)
            try mark(copy, backup: backup, by: actor, at: instant)
            try restoreLogos(copy)
            try owner.apply(to: copy.folder.open(BackupManifest.storeName))
            guard let kept = try keepPresent(name, in: folder, at: instant) else {
                try copy.folder.rename(BackupManifest.storeName, to: folder, as: name)
                return (copy, nil)
            }
            // If the process ends in between, there is a database all the same: a start without one makes a new one.
            // The new one has the name of the kept one for that long: it is never a name that a start clears.
            try copy.folder.rename(BackupManifest.storeName, to: folder, as: name + kept)
            try folder.exchange(name, with: name + kept)
            return (copy, storePath + kept)
        }
    }

    private static let unfinished = ".restoring-"

    /// Removes the copies of backups that killed restores left beside a database. Returns false, and removes nothing,
    /// if they left no database either. No restore may run meanwhile.
    @discardableResult
    package static func removeRemains(of storePath: String) throws -> Bool {
        let (path, name) = FilePath.split(storePath)
        return removeRemains(of: name, in: try OpenFolder(path))
    }

    @discardableResult
    private static func removeRemains(of name: String, in folder: OpenFolder) -> Bool {
        let remains = folder.names().filter { $0.hasPrefix(name + unfinished) }
        guard !remains.isEmpty else { return true }
        guard folder.contains(name) else { return false }
        for place in remains { folder.removeTree(place) }
        return true
    }

    private func mark(_ copy: RestoredCopy, backup: String, by actor: Actor, at instant: UTCInstant) throws {
        let store = try SQLiteStore(path: copy.storePath)
        defer { try? store.close() }
        let context = BackendContext(store: store, now: { instant }, random: random)
        let after = JSONWriter.text { writer in
            writer.field("backup", backup.split(separator: "/").last.map(String.init))
            writer.field("created_at", copy.manifest.createdAt.rfc3339)
        }
        try store.write { transaction in
            try transaction.execute(
                "UPDATE store_metadata SET value = ? WHERE key = 'epoch'", [.blob(context.makeRandomBytes(8))])
            // What was ended or used up after the backup must not begin again. Notices and the tokens of accounts go
            // with their sessions.
            for table in [
                "console_sessions", "console_links", "console_challenges", "console_openid_pending", "account_sessions",
            ] {
                try transaction.execute("DELETE FROM \(table)")
            }
            try AuditLog.append(.storeRestore, after: after, by: actor, at: instant, in: transaction)
        }
        try store.close()
    }

    /// Files are named by their content, so existing ones need no copy. The folder may be a volume of its own, into
    /// which nothing can be renamed from outside.
    private func restoreLogos(_ copy: RestoredCopy) throws {
        let names = copy.manifest.files.filter { $0.path != BackupManifest.storeName }.map {
            FilePath.split($0.path).name
        }
        guard !names.isEmpty else { return }
        let (copies, target) = (try copy.folder.folder("logos"), try OpenFolder.making(logos.path))
        for name in names where !logos.exists(name, in: target) {
            let unfinished = "\(name).\(UUID().uuidString.lowercased()).unfinished"
            do {
                try HashedCopy.copy(copies.open(name), to: unfinished, in: target)
                try FileOwner.successor(of: name, in: target, mode: 0o644).apply(to: target.open(unfinished))
                try target.rename(unfinished, to: target, as: name)
            } catch {
                target.remove(unfinished)
                throw error
            }
        }
    }

    /// Closes the present database and returns the ending of its name from now on; nil if there is none.
    private func keepPresent(_ name: String, in folder: OpenFolder, at instant: UTCInstant) throws -> String? {
        guard folder.contains(name) else { return nil }
        // Closing merges the write-ahead log into the file, so that the file is complete. A damaged database is kept as
        // is.
        try? SQLiteStore(path: storePath).close()
        let kept = ".before-restore-\(instant.rfc3339.filter { $0.isNumber || $0 == "T" || $0 == "Z" })"
        for suffix in ["-wal", "-shm"] where folder.contains(name + suffix) {
            try folder.rename(name + suffix, to: folder, as: name + kept + suffix)
        }
        return kept
    }
}
