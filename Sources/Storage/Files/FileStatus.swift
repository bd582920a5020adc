import CFileStatus

/// What the file system says of a file.
package struct FileStatus: Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Nil when there is none. A symbolic link is followed.
    package init?(of path: String) {
        var information = file_status()
        guard file_status_at(path, &information) else { return nil }
        device = information.device
        number = information.number
    }

    /// Whether both are one file, whatever it is called.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}
