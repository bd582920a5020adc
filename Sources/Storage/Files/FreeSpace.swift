import Foundation

/// The room on a disk.
package enum FreeSpace {
    /// How many bytes this user can still write to the file system of a path; nil if that is unknown.
    package static func bytes(at path: String) -> Int64? {
        var system = statvfs()
        // Some file systems have no size.
        guard statvfs(path, &system) == 0, system.f_blocks > 0 else { return nil }
        let blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail
        return Int64(clamping: UInt64(blocks) * UInt64(system.f_frsize))
    }
}
