import CFileStatus
import Foundation

/// Writes files atomically: after a crash, the path holds either the complete old file or the complete new one.
package enum DurableFile {
    /// Replaces the file at the path. On return, content and name are on disk; after an error, the old file is
    /// unchanged.
    ///
    /// - Parameter followsLinks: whether the target of a symbolic link is replaced or created; otherwise the link
    ///   itself is replaced.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, followsLinks: Bool = false
    ) throws {
        let (folder, name) = FilePath.split(followsLinks ? try FilePath.target(of: path) : path)
        try write(bytes, to: name, in: OpenFolder(folder), mode: mode)
    }

    /// Replaces the file of that name in the folder.
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
