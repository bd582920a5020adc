import CFileStatus
import CSQLite
import FileAccess
import Foundation
import SQLDatabase

/// A database file: creation with restrictive permissions, and durable renaming.
struct SQLiteFile {
    /// Absolute, so that it stays valid after a change of the working directory, and so that SQLite does not take it
    /// for a URI (`file:…`) or a special name (`:memory:`).
    let path: String

    /// Of the files that SQLite opens: the database, its log, its index and its journal.
    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    var folder: String {
        let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return parent.isEmpty ? "/" : String(parent)
    }

    /// Throws for an empty path and for one with a NUL, at which C would truncate it.
    init(path: String) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Self.cannotOpen("path") }
        self.path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// The file that a path leads to, as the options allow: at the end of links, or checked to be a plain one.
    ///
    /// Throws `FileFailure` for a link that another user may have put there.
    init(path: String, options: SQLiteOptions) throws {
        let named = try SQLiteFile(path: path)
        self = options.followsLinks ? try SQLiteFile(path: FilePath.target(of: named.path)) : named
        if !options.followsLinks { try requirePlain() }
    }

    /// An empty file is an empty database. SQLite creates its log and index with the same permissions.
    func createIfMissing() throws {
        try Self.createFolder(folder)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw Self.cannotOpen("create file")
        }
        Foundation.close(descriptor)
        try Self.synchronize(folder)
    }

    /// Throws `FileFailure` if the file, or one that SQLite opens beside it, is a link, not regular, or has several
    /// hard links. Does nothing if the folder is missing.
    func requirePlain() throws {
        let (path, name) = FilePath.split(path)
        let folder: OpenFolder
        do {
            folder = try OpenFolder(path)
        } catch {
            guard !error.isUnsafe || error.reason == .notAFolder else { throw error }
            // SQLite reports the reason when it opens the file.
            return
        }
        for suffix in Self.suffixes { try folder.requirePlainFile(name + suffix) }
    }

    /// Throws `FileFailure` if the file, or one that SQLite opens beside it, belongs to another user who may have put
    /// it there to read or change what is written. A service's files may belong to the owner of their folder.
    ///
    /// By name: closing another descriptor of the file would end the locks that this process has on it.
    func requireTrustworthy(_ options: SQLiteOptions) throws {
        for suffix in Self.suffixes {
            try FilePath.requireTrustworthy(path + suffix, acceptsOwnerOfFolder: !options.followsLinks)
        }
    }

    func requireMissing() throws {
        var information = file_status()
        guard !file_status_of_link(path, &information) else { throw Self.cannotOpen("file exists") }
    }

    /// A new empty file beside this one, with a unique name.
    func makeUnfinished() throws -> SQLiteFile {
        let file = try SQLiteFile(path: path + "." + Self.uniqueName() + ".unfinished")
        try file.createIfMissing()
        return file
    }

    /// Syncs the file to disk.
    func synchronize() throws { try Self.synchronize(path) }

    /// Gives the file its final name, unless that is taken, and syncs the name to disk.
    func publish(as file: SQLiteFile) throws {
        // A hard link, because `rename` would replace a file created meanwhile.
        if link(path, file.path) == 0 {
            unlink(path)
        } else if errno == EEXIST {
            throw Self.cannotOpen("file exists")
        } else {
            // Some file systems have no hard links.
            try file.requireMissing()
            guard rename(path, file.path) == 0 else { throw Self.cannotOpen("name file") }
        }
        try Self.synchronize(file.folder)
    }

    /// Gives the file its final name, replacing an existing file, and syncs the name to disk.
    func replace(_ file: SQLiteFile) throws {
        guard rename(path, file.path) == 0 else { throw Self.cannotOpen("name file") }
        try Self.synchronize(file.folder)
    }

    /// Does nothing if the file is missing.
    ///
    /// - Parameter suffix: for an auxiliary file, such as `-wal`.
    func remove(_ suffix: String = "") { unlink(path + suffix) }

    /// With access for this user only, also to missing folders above.
    static func createFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw cannotOpen("create folder")
        }
        try createFolder(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw cannotOpen("create folder") }
    }

    private static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw cannotOpen("synchronize") }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SQLError(sqliteCode: SQLITE_IOERR, context: "synchronize") }
    }

    private static func cannotOpen(_ context: String) -> SQLError {
        SQLError(sqliteCode: SQLITE_CANTOPEN, context: context)
    }
}

extension SQLiteFile {
    /// Ten milliseconds.
    static func pause() { usleep(10_000) }

    private static func uniqueName() -> String { UUID().uuidString.lowercased() }
}
