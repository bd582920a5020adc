import CFileStatus
import FileAccess
import Foundation

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
