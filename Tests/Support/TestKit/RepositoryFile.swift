package import Foundation

/// Files of this repository, for tests that compare them with the code.
package enum RepositoryFile {
    /// The folder of Package.swift.
    package static let root: URL = {
        var folder = URL(filePath: #filePath)
        repeat {
            folder.deleteLastPathComponent()
        } while !FileManager.default.fileExists(
            atPath: folder.appending(path: "Package.swift").path)
        return folder
    }()

    package static func url(_ path: String) -> URL { root.appending(path: path) }

    package static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: url(path))) }

    package static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// The names in a folder, sorted.
    package static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(folder).path).sorted()
    }

    /// An image of the fuzzer's initial corpus, by number.
    package static func logo(_ number: Int) throws -> [UInt8] {
        try bytes("Fuzzing/Corpus/logo/\("00\(number)".suffix(3))")
    }
}
