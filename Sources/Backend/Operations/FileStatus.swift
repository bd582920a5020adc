import CFileStatus
import Foundation

/// What the file system says of a file.
package struct FileStatus: Sendable {
    private let device: UInt64
    private let number: UInt64
    private let modifiedAt: Int64

    /// Nil when there is none. A symbolic link is followed.
    package init?(of path: String) {
        var information = file_status()
        guard file_status_at(path, &information) else { return nil }
        device = information.device
        number = information.number
        modifiedAt = information.modified_seconds
    }

    /// Since it was last written to, by the system's clock.
    package var ageSeconds: Int64 { Int64(time(nil)) - modifiedAt }

    /// Whether both are one file, whatever it is called.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}
