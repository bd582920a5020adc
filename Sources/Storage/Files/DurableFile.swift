package import FileAccess
import Foundation

/// Writes files so that a crash leaves the old one or the new one, whole.
package enum DurableFile {
    package typealias Failure = FileFailure

    /// Replaces what is at the path; a symbolic link is replaced itself. When this returns, content and name are on disk.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws {
        let (folder, name) = FilePath.split(path)
        try write(bytes, to: name, in: OpenFolder(folder), mode: mode)
    }

    /// Replaces what bears the name in the folder.
    static func write(_ bytes: [UInt8], to name: String, in folder: OpenFolder, mode: UInt32 = 0o600) throws {
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

    /// Makes a folder that only its owner may enter, and those above it that are missing.
    package static func makeFolder(_ path: String) throws { _ = try OpenFolder.making(path) }

    package static func folder(of path: String) -> String { FilePath.split(path).folder }
}
