import CFileStatus
import Foundation

/// Writes files so that a crash leaves the old one or the new one, whole.
package enum DurableFile {
    /// Replaces what is at the path. When this returns, content and name are on disk; when it throws, the old file stays.
    ///
    /// - Parameter followsLinks: whether a symbolic link stays and the file that it leads to is replaced or made; without it
    ///   the link itself is replaced.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, followsLinks: Bool = false
    ) throws {
        let (folder, name) = FilePath.split(followsLinks ? try FilePath.target(of: path) : path)
        try write(bytes, to: name, in: OpenFolder(folder), mode: mode)
    }

    /// Replaces what bears the name in the folder.
    package static func write(_ bytes: [UInt8], to name: String, in folder: OpenFolder, mode: UInt32 = 0o600) throws {
        let unfinished = "\(name).\(UUID().uuidString.lowercased()).unfinished"
        let file = try folder.create(unfinished, mode: mode)
        do {
            try file.write(bytes)
            try folder.finish(file)
            try folder.rename(unfinished, to: folder, as: name)
        } catch {
            folder.remove(unfinished)
            throw error
        }
    }
}
