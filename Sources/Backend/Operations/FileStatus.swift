import Foundation

/// What the file system says of a file.
package struct FileStatus: Sendable {
    private let device: UInt64
    private let number: UInt64
    private let modifiedAt: Int

    /// Nil when there is none. A symbolic link is followed.
    package init?(of path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        device = UInt64(information.st_dev)
        number = UInt64(information.st_ino)
        modifiedAt = information.st_mtim.tv_sec
    }

    /// Since it was last written to, by the system's clock.
    package var ageSeconds: Int { time(nil) - modifiedAt }

    /// Whether both are one file, whatever it is called.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}
