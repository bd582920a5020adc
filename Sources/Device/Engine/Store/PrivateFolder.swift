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

    /// The names in the folder; none unless it is this user's own.
    package static func names(in path: String) -> [String] {
        isOwn(path) ? (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] : []
    }
}
