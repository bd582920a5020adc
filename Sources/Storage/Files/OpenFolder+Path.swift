package import CFileStatus
import Foundation

extension OpenFolder {
    /// Opens a folder by its path.
    ///
    /// A process without root's rights opens it directly. Root opens it component by component, and follows a symbolic
    /// link only in a folder that only root can write to; any other link could lead anywhere its creator wants.
    package convenience init(_ path: String) throws(FileFailure) {
        if ProcessIdentity.canActAsRoot, let descriptor = Self.openAsRoot(path) {
            self.init(path: path, descriptor: descriptor, actsAsRoot: true)
        } else if geteuid() == 0 {
            let walk = try FolderWalk(path)
            try walk.finish()
            self.init(path: path, descriptor: try walk.openForReading(), actsAsRoot: false)
        } else {
            let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw errno == ENOTDIR
                    ? FileFailure(path: path, reason: .notAFolder) : FileFailure(path: path, errno: errno)
            }
            self.init(path: path, descriptor: descriptor, actsAsRoot: false)
        }
    }

    /// Opens a folder, creating it and missing ancestors with access for their owner only. Folders created by root
    /// belong to the owner of the existing folder above.
    package static func making(_ path: String) throws(FileFailure) -> OpenFolder {
        do {
            return try OpenFolder(path)
        } catch  where error.errno == ENOENT || error.errno == EACCES && ProcessIdentity.canActAsRoot {
            // Root may be able to open the parent folder and create this one there.
            let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            let (above, name) = FilePath.split(trimmed)
            guard above != trimmed, !name.isEmpty, name != ".", name != ".." else { throw error }
            return try making(above).makeFolder(name)
        }
    }

    /// Nil unless every component belongs to root and no other user can write to it or has created a link on the path.
    private static func openAsRoot(_ path: String) -> Int32? {
        ProcessIdentity.asRoot {
            do {
                let walk = try FolderWalk(path)
                try walk.finish()
                return walk.isRootsAlone ? try walk.openForReading() : nil
            } catch {
                return nil
            }
        }
    }
}

/// Path manipulation without file access.
package enum FilePath {
    /// The folder and the name in it: `.` and `a` for `a`, `/` and `a` for `/a`.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let name = String(path[path.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// The end of a chain of symbolic links, which may not exist yet.
    ///
    /// Throws for a link in a folder in which others may make files too, such as `/tmp` or the folder of a group,
    /// unless it belongs to this user or to root: it could lead to any file of this user. Linux refuses such links only
    /// in sticky folders, and only to programs that open them (fs.protected_symlinks).
    package static func target(of path: String) throws(FileFailure) -> String {
        var end = path
        // The limit of Linux.
        for _ in 0...40 {
            var status = file_status()
            guard file_status_of_link(end, &status), status.is_symbolic_link else { return end }
            try requireTrustworthy(status, at: end)
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: end) else {
                throw FileFailure(path: path, errno: errno)
            }
            end = next.hasPrefix("/") ? next : split(end).folder + "/" + next
        }
        throw FileFailure(path: path, errno: ELOOP)
    }

    /// Throws for a file that another user has put into a folder in which others may make files, to read or change what
    /// this user writes there. Does nothing if there is no file.
    ///
    /// - Parameter acceptsOwnerOfFolder: whether files of the folder's owner, and of a group to which root or this user
    ///   gave the folder, are accepted too, as in the folder of a service.
    package static func requireTrustworthy(
        _ path: String, acceptsOwnerOfFolder: Bool = false
    ) throws(FileFailure) {
        var status = file_status()
        guard file_status_of_link(path, &status) else { return }
        try requireTrustworthy(status, at: path, acceptsOwnerOfFolder: acceptsOwnerOfFolder)
    }

    /// The same for an open file.
    package static func requireTrustworthy(
        _ file: file_status, at path: String, acceptsOwnerOfFolder: Bool = false
    ) throws(FileFailure) {
        if file.owner == 0 || file.owner == geteuid() { return }
        var folder = file_status()
        guard file_status_at(split(path).folder, &folder),
            folder.permissions & 0o022 == 0 || acceptsOwnerOfFolder && isOfService(file, in: folder)
        else { throw FileFailure(path: path, reason: .ofAnotherUser(file.owner)) }
    }

    /// Whether the file is of the folder's owner, or of the group that root or this user lets write there.
    private static func isOfService(_ file: file_status, in folder: file_status) -> Bool {
        if file.owner == folder.owner { return true }
        return folder.permissions & 0o002 == 0 && (folder.owner == 0 || folder.owner == geteuid())
    }

    /// Whether only this user and root can replace the folder, or what this user makes in it: each folder on the
    /// way belongs to one of them, and others may not write to it or, because it is sticky, replace nothing in it.
    package static func isOutOfReach(ofOthers folder: String) -> Bool {
        guard let resolved = realpath(folder, nil) else { return false }
        defer { free(resolved) }
        var place = String(cString: resolved)
        while true {
            var status = file_status()
            guard file_status_of_link(place, &status), status.is_folder,
                status.owner == 0 || status.owner == geteuid(),
                status.permissions & 0o022 == 0 || status.permissions & 0o1000 != 0
            else { return false }
            if place == "/" { return true }
            place = split(place).folder
        }
    }
}
