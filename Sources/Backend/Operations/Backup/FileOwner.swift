import CFileStatus
import Foundation

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
        user = information.owner
        group = information.group
        mode = information.permissions
    }

    private init(user: UInt32, group: UInt32, mode: UInt32) {
        self.user = user
        self.group = group
        self.mode = mode
    }

    /// Of what is about to be at the path: of what lies there, else its folder's owner with `mode`.
    static func successor(at path: String, mode: UInt32) -> FileOwner? {
        FileOwner(of: path) ?? inherited(from: DurableFile.folder(of: path), mode: mode)
    }

    /// Gives the file or folder this owner and mode. Throws where the user of the process may not: only root can give a
    /// file to somebody else.
    func apply(to path: String) throws {
        guard let present = FileOwner(of: path) else { throw DurableFile.Failure(path: path, errno: errno) }
        if present.user != user || present.group != group, chown(path, user, group) != 0 {
            throw DurableFile.Failure(path: path, errno: errno)
        }
        // After the owner, because a change of owner takes bits away.
        guard chmod(path, mode) == 0 else { throw DurableFile.Failure(path: path, errno: errno) }
    }

    /// Makes a folder that only its owner may enter, and those above it that are missing; their owner is that of the folder
    /// which was there.
    static func makeFolder(_ path: String) throws {
        guard FileOwner(of: path) == nil else { return }
        let above = DurableFile.folder(of: path)
        if above != path { try makeFolder(above) }
        try DurableFile.makeFolder(path)
        try inherited(from: above, mode: 0o700)?.apply(to: path)
    }

    private static func inherited(from folder: String, mode: UInt32) -> FileOwner? {
        FileOwner(of: folder).map { FileOwner(user: $0.user, group: $0.group, mode: mode) }
    }
}
