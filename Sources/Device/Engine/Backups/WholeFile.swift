import CFileStatus
import FileAccess
import Foundation
import SubGuardDomain

/// Files that are there whole or not at all, readable by their owner alone.
package enum WholeFile {
    /// Larger files are not read, to protect memory: 512 MiB.
    package static let maximumBytes = 512 << 20

    /// Replaces the file. When this returns, the bytes are on disk; when it throws, the old file stays. A symbolic link
    /// stays, and the file that it leads to is replaced or made.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            try DurableFile.write(bytes, to: path, followsLinks: true)
        } catch let failure as FileFailure {
            throw refusal(failure, of: path)
        }
    }

    /// Makes a file under a name that is not in use, not even by a link that leads nowhere. Throws `Fault` of `file`
    /// where it is.
    package static func create(_ bytes: [UInt8], at path: String) throws {
        let (folder, name) = FilePath.split(path)
        do {
            let folder = try OpenFolder(folder)
            let file = try folder.create(name)
            do {
                try file.write(bytes)
                try folder.finish(file)
            } catch {
                folder.remove(name)
                throw error
            }
        } catch let failure as FileFailure where failure.errno == EEXIST {
            throw DeviceStoreError.invalid(Fault("file", .duplicate, "There is such a file already."))
        } catch let failure as FileFailure {
            throw refusal(failure, of: path)
        }
    }

    private static func refusal(_ failure: FileFailure, of path: String) -> DeviceStoreError {
        // Its owner matters more than what was to be done.
        if case .ofAnotherUser = failure.reason { return .file("\(failure)") }
        return .file("cannot write \(FileFailure(path: path, reason: failure.reason))")
    }

    /// - Parameter maximumBytes: larger files are refused, to protect memory.
    package static func read(_ path: String, maximumBytes: Int = maximumBytes) throws -> [UInt8] {
        guard !path.isEmpty else { throw DeviceStoreError.file("the name of the file is missing") }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            let code = errno
            throw DeviceStoreError.file(
                code == ENOENT ? "file not found: \(path)" : "cannot read \(FileFailure(path: path, errno: code))")
        }
        defer { try? handle.close() }
        do {
            let data = try handle.read(upToCount: maximumBytes + 1) ?? Data()
            guard data.count <= maximumBytes else { throw DeviceStoreError.file("\(path) is too large") }
            return Array(data)
        } catch let error as DeviceStoreError {
            throw error
        } catch {
            var isFolder: ObjCBool = false
            // A folder can be opened, but not read.
            let code =
                FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
                ? EISDIR : EIO
            throw DeviceStoreError.file("cannot read \(FileFailure(path: path, errno: code))")
        }
    }
}

/// A folder beside the database for files of its own, such as automatic backups.
package enum PrivateFolder {
    /// Makes the folder with access for this user only. Returns false unless it is there then, belongs to this user and
    /// cannot be changed by others: who may, could put links in the places of its files.
    package static func make(_ path: String) -> Bool {
        mkdir(path, 0o700) == 0 || errno == EEXIST && isOwn(path)
    }

    /// Whether the folder is there, belongs to this user and cannot be changed by others: what others put there is
    /// neither read nor listed.
    package static func isOwn(_ path: String) -> Bool {
        guard let target = try? FilePath.target(of: path) else { return false }
        var status = file_status()
        return file_status_at(target, &status) && status.is_folder && status.owner == geteuid()
            && status.permissions & 0o022 == 0
    }

    /// Deletes what killed processes were writing: unfinished files an hour older than one that was written now.
    package static func removeAbandoned(in path: String, before written: String) {
        var (new, old) = (file_status(), file_status())
        guard file_status_of_link(written, &new) else { return }
        for file in names(in: path).filter({ $0.hasSuffix(".unfinished") }).map({ "\(path)/\($0)" })
        where file_status_of_link(file, &old) && old.modified_seconds <= new.modified_seconds - 3600 {
            unlink(file)
        }
    }

    /// The names in the folder; none unless it is this user's own.
    package static func names(in path: String) -> [String] {
        isOwn(path) ? (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] : []
    }
}
