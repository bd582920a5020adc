import CFileStatus
import Foundation

/// Whose rights root takes for the files of a store.
package struct FileRights: Sendable, Hashable {
    package let user: UInt32
    /// Of the folder, for a user that the user database does not know.
    package let group: UInt32

    /// Finds the user to whom a file belongs, or will belong: the owner of its folder, or of the nearest folder above it
    /// that is there. In a folder of root to which others may write, the owner of the file itself.
    ///
    /// Throws ``FileFailure`` for a link that root must not follow, and for a folder of root below one of another user,
    /// who could replace it. Call it as root.
    package init(ofFile path: String) throws(FileFailure) {
        let (folder, name) = FilePath.split(path)
        let walk = try FolderWalk(folder)
        try walk.goAsFarAsPossible()
        if walk.status.owner != 0 {
            (user, group) = (walk.status.owner, walk.status.group)
            return
        }
        if let above = walk.folderOfAnother {
            throw FileFailure(path: folder, reason: .insideFolderOfAnotherUser(folder: above))
        }
        let open = try? OpenFolder(folder)
        if walk.status.permissions & 0o022 != 0, let file = open?.status(of: name), file.is_regular,
            file.link_count == 1
        {
            (user, group) = (file.owner, file.group)
        } else {
            (user, group) = (0, 0)
        }
    }
}
