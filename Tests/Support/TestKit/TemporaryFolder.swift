package import Foundation

/// A temporary folder for one test, deleted with its contents when the value is released.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package var path: String { url.path }

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("subguard-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in the folder, which need not exist.
    package func file(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a text file and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
        return file(name)
    }

    /// The path of a file in the folder, with the name as it is, which may be one that no file can have.
    package subscript(name: String) -> String { path + "/" + name }

    package func bytes(of name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }

    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: url.appendingPathComponent(name))
    }

    /// Sorted.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// The permission bits.
    package func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: self[name])[.posixPermissions] as? Int
    }
}
