import Crypto
import Foundation
import SubGuardContract
import SubGuardEngine
import TextCoding

/// Logos of the catalogue on disk, by the SHA-256 of their content, within a bound.
public struct LogoCache: Sendable {
    private let folder: String
    private let maximumBytes: Int

    /// A logo is smaller than this.
    private static let maximumLogoBytes = 500_000

    /// - Parameters:
    ///   - folder: made when the first logo comes.
    ///   - maximumBytes: of all logos together; beyond it those that were asked for longest ago go. Default: 50 MB.
    public init(folder: String, maximumBytes: Int = 50_000_000) {
        self.folder = folder
        self.maximumBytes = maximumBytes
    }

    /// The file of a logo that is here, or nil. One that was damaged on disk is removed.
    ///
    /// - Parameter logoURL: as an item has it, `/logos/<64 hexadecimal digits>.<suffix>`.
    public func file(_ logoURL: String) -> String? {
        guard let name = Self.name(logoURL) else { return nil }
        let path = folder + "/" + name
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        guard Self.matches(bytes, name) else {
            unlink(path)
            return nil
        }
        // The time of the last use, for the order in which they go.
        utimes(path, nil)
        return path
    }

    /// The file of a logo, fetched when it is not here. What does not have the content that its name promises is
    /// refused.
    public func fetch(_ logoURL: String, from server: ServerConnection) async throws(ClientError) -> String {
        if let file = file(logoURL) { return file }
        guard let name = Self.name(logoURL) else { throw .unreadable(call: APIRoute.logo.template) }
        var call = ServerCall(.logo, path: APIRoute.logo.path(name))
        call.maximumAnswerBytes = Self.maximumLogoBytes
        call.accept = "image/*"
        let answer = try await server.answer(to: call)
        guard Self.matches(Data(answer.body), name) else { throw .unreadable(call: APIRoute.logo.template) }
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

    /// Removes the files that were used longest ago until the bound holds.
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

    /// The name of the file behind a path of the contract; nil for anything that would lead elsewhere.
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
        name.hasPrefix(Hexadecimal.text(SHA256.hash(data: bytes)))
    }
}
