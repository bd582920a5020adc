import CFileStatus
import FileAccess
import Foundation

/// A folder beside the database for files of its own, such as automatic backups.
package enum PrivateFolder {
    /// Makes the folder with access for this user only. Returns false unless it is there then, belongs to this user and
    /// cannot be changed by others: who may, could put links in the places of its files.
    package static func make(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST, let target = try? FilePath.target(of: path) else { return false }
        var status = file_status()
        return file_status_at(target, &status) && status.is_folder && status.owner == geteuid()
            && status.permissions & 0o022 == 0
    }
}
