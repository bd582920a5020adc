import CFileStatus
import FileAccess

/// Whose a file is and who may read it. What an operator puts in place as root must stay the service's.
struct FileOwner: Sendable, Hashable {
    let user: UInt32
    let group: UInt32
    /// The permission bits.
    let mode: UInt32

    /// Of what lies at the path; nil when nothing does.
    init?(of path: String) {
        var information = file_status()
        guard file_status_at(path, &information) else { return nil }
        self.init(information, mode: information.permissions)
    }

    private init(_ status: file_status, mode: UInt32) {
        user = status.owner
        group = status.group
        self.mode = mode
    }

    /// Of what is about to bear the name: of the file that bears it, else of the folder, with `mode`. Throws `FileFailure`
    /// where something other than a regular file with one name stands there.
    static func successor(of name: String, in folder: OpenFolder, mode: UInt32) throws -> FileOwner {
        try folder.requirePlainFile(name)
        if let status = folder.status(of: name) { return FileOwner(status, mode: status.permissions) }
        return FileOwner(try folder.status(), mode: mode)
    }

    /// Gives the file this owner and mode, as the last step of what is done with it. Only root can give a file to another
    /// user.
    func apply(to file: OpenFile) throws { try file.give(user: user, group: group, mode: mode) }
}
