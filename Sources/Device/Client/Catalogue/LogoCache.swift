import Cryptography
import Foundation
import SubGuardContract
import SubGuardEngine
import TextCoding

/// A disk cache for logos, by the SHA-256 of their content.
public struct LogoCache: Sendable {
    private let folder: String
    private let maximumBytes: Int

    /// Maximum size of a logo.
    private static let maximumLogoBytes = 500_000

    /// - Parameters:
    ///   - folder: created when needed.
    ///   - maximumBytes: total size; the least recently used logos are deleted beyond it. Default: 50 MB.
    public init(folder: String, maximumBytes: Int = 50_000_000) {
        self.folder = folder
        self.maximumBytes = maximumBytes
    }

    /// The path of a cached logo, or nil. Deletes damaged files.
    ///
    /// - Parameter logoURL: the path from a catalogue item, `/logos/<64 hexadecimal digits>.<suffix>`.
    public func file(_ logoURL: String) -> String? {
        guard let name = Self.name(logoURL) else { return nil }
        let path = folder + "/" + name
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        guard Self.matches(bytes, name) else {
            unlink(path)
            return nil
        }
        // The modification time records the last use.
        utimes(path, nil)
        return path
    }

    /// The path of a logo; downloads it if needed. Refuses content that does not match the hash in the name.
    public func fetch(_ logoURL: String, from server: ServerConnection) async throws(ClientError) -> String {
        if let file = file(logoURL) { return file }
        guard let name = Self.name(logoURL) else { throw .unreadable(call: APIOperation.logo.template) }
        var call = ServerCall(.logo, path: APIOperation.logo.path(name))
        call.maximumAnswerBytes = Self.maximumLogoBytes
        call.accept = "image/*"
        let answer = try await server.answer(to: call)
        guard Self.matches(Data(answer.body), name) else { throw .unreadable(call: APIOperation.logo.template) }
        let path = folder + "/" + name
        do {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw DeviceStoreError.storage("cannot create \(folder)")
            }
            try WholeFile.write(answer.body, to: path)
        } catch {
            throw .store("\(error)")
        }
        trim(keeping: name)
        return path
    }

    /// Deletes the least recently used files beyond the limit.
    private func trim(keeping newest: String) {
        var files: [(name: String, bytes: Int, usedAt: Date)] = []
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name != newest {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name),
                let bytes = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
            else { continue }
            files.append((name, bytes, date))
        }
        var total = files.reduce(0) { $0 + $1.bytes }
        for file in files.sorted(by: { $0.usedAt < $1.usedAt }) where total > maximumBytes {
            unlink(folder + "/" + file.name)
            total -= file.bytes
        }
    }

    /// The file name of a logo path; nil for any other path.
    private static func name(_ logoURL: String) -> String? {
        let prefix = "/logos/"
        guard logoURL.hasPrefix(prefix) else { return nil }
        let parts = logoURL.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64, ["png", "jpg", "webp"].contains(parts[1]),
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return String(logoURL.dropFirst(prefix.count))
    }

    private static func matches(_ bytes: Data, _ name: String) -> Bool {
        name.hasPrefix(Hexadecimal.text(SHA256.hash(of: bytes)))
    }
}
