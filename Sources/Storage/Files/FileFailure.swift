import Foundation

/// Why a file or folder was not used, with its path.
package struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// What the system said.
        case system(Int32)
        case symbolicLink
        /// A folder, a pipe, a device or a socket stands where a file is expected.
        case notAFile
        case notAFolder
        /// Other names lead to the same file, so that a change made here shows there.
        case hardLinks(Int)
        /// The folder's owner could replace it while root works in it.
        case insideFolderOfAnotherUser(folder: String)
        /// Others replaced the file again and again while it was opened.
        case keepsChanging
        case tooLarge(maximumBytes: Int)
    }

    package let path: String
    package let reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// - Parameter errno: what the system said.
    package init(path: String, errno: Int32) { self.init(path: path, reason: .system(errno)) }

    /// What the system said; 0 for a reason of our own.
    package var errno: Int32 {
        if case .system(let number) = reason { return number }
        return 0
    }

    /// Whether something stands at the path that must not be used, whatever the rights of the process.
    package var isUnsafe: Bool {
        if case .system = reason { return false }
        return true
    }

    package var description: String {
        switch reason {
        case .system(let number): "\(path): \(String(cString: strerror(number)))"
        case .symbolicLink: "\(path) is a symbolic link"
        case .notAFile: "\(path) is not a regular file"
        case .notAFolder: "\(path) is not a folder"
        case .hardLinks(let count): "\(path) has \(count) hard links; a file with one name is needed"
        case .insideFolderOfAnotherUser(let folder):
            "\(path) belongs to root, but the folder \(folder) above it belongs to another user, who could replace it"
        case .keepsChanging: "\(path) keeps being replaced by another process"
        case .tooLarge(let maximum): "\(path) is larger than \(maximum) bytes"
        }
    }
}
