import Foundation

/// Files of the repository that tests hold against the code.
enum RepositoryFile {
    static func bytes(_ path: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: path)))
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}
