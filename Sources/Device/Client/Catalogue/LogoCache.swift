import CFileStatus
import Cryptography
import Foundation
import SubGuardContract
package import SubGuardDomain
public import SubGuardEngine
import TextCoding

/// A disk cache for logos, by the SHA-256 of their content.
public struct LogoCache: Sendable {
    private let folder: String
    private let maximumBytes: Int

    /// - Parameters:
    ///   - folder: created when needed.
    ///   - maximumBytes: total size; the least recently used logos are deleted beyond it. Default: 50 MB.
    public init(folder: String, maximumBytes: Int = 50_000_000) {
        self.folder = folder
        self.maximumBytes = maximumBytes
    }

    /// The folder beside a database, `….logos`.
    public init(beside store: DeviceStore) { self.init(folder: store.path + ".logos") }

    /// The path of a cached logo, or nil. Deletes damaged files.
    ///
    /// - Parameter logoURL: the path from a catalogue item, `/logos/<64 hexadecimal digits>.<suffix>`.
    public func file(_ logoURL: String) -> String? { content(logoURL)?.path }

    /// A cached logo, or nil. Its format is read from its bytes.
    package func image(_ logoURL: String) -> (bytes: [UInt8], format: ImageFile.Format)? {
        guard let content = content(logoURL), let image = try? ImageFile(content.bytes) else { return nil }
        return (content.bytes, image.format)
    }

    /// The size of a cached logo; nil if it is not here. Does not read it.
    package func byteCount(_ logoURL: String) -> Int? {
        guard let name = Self.name(logoURL) else { return nil }
        var status = file_status()
        guard PrivateFolder.isOwn(folder), file_status_of_link(folder + "/" + name, &status) else { return nil }
        return Int(status.byte_count)
    }

    /// The path of a logo; downloads it if needed. Refuses content that does not match the hash in the name, and
    /// anything but an image.
    public func fetch(_ logoURL: String, from server: ServerConnection) async throws(ClientError) -> String {
        if let file = file(logoURL) { return file }
        guard let name = Self.name(logoURL) else { throw .unreadable(call: APIOperation.logo.template) }
        _ = try await download(logoURL, from: server)
        trim(keeping: name)
        return folder + "/" + name
    }

    /// Downloads a logo, whether it is here or not, and returns its size. Deletes no other one.
    func download(_ logoURL: String, from server: ServerConnection) async throws(ClientError) -> Int {
        guard let name = Self.name(logoURL) else { throw .unreadable(call: APIOperation.logo.template) }
        var call = ServerCall(.logo, path: APIOperation.logo.path(name))
        call.maximumAnswerBytes = ImageFile.limitBytes
        call.accept = "image/*"
        let answer = try await server.answer(to: call)
        guard Self.matches(answer.body, name), (try? ImageFile(answer.body)) != nil else {
            throw .unreadable(call: APIOperation.logo.template)
        }
        do {
            guard PrivateFolder.make(folder) else { throw DeviceStoreError.storage("cannot create \(folder)") }
            try WholeFile.write(answer.body, to: folder + "/" + name)
        } catch {
            throw .store("\(error)")
        }
        return answer.body.count
    }

    /// Deletes all other logos.
    func keep(only logoURLs: [String]) {
        let kept = Set(logoURLs.compactMap(Self.name))
        for name in PrivateFolder.names(in: folder)
        where Self.name(Self.prefix + name) != nil && !kept.contains(name) {
            unlink(folder + "/" + name)
        }
    }

    /// The file name of a logo path; nil for any other path.
    package static func name(_ logoURL: String) -> String? {
        guard logoURL.hasPrefix(prefix) else { return nil }
        let parts = logoURL.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64,
            ImageFile.Format.allCases.contains(where: { $0.suffix == parts[1] }),
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return String(logoURL.dropFirst(prefix.count))
    }

    private static let prefix = "/logos/"

    private func content(_ logoURL: String) -> (path: String, bytes: [UInt8])? {
        guard let name = Self.name(logoURL) else { return nil }
        let path = folder + "/" + name
        guard PrivateFolder.isOwn(folder), let data = FileManager.default.contents(atPath: path) else { return nil }
        let bytes = Array(data)
        guard Self.matches(bytes, name) else {
            unlink(path)
            return nil
        }
        // The modification time records the last use.
        utimes(path, nil)
        return (path, bytes)
    }

    /// Deletes the least recently used files beyond the limit.
    private func trim(keeping newest: String) {
        var files: [(name: String, bytes: Int, usedAt: Date)] = []
        for name in PrivateFolder.names(in: folder) where name != newest {
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

    private static func matches(_ bytes: [UInt8], _ name: String) -> Bool {
        name.hasPrefix(Hexadecimal.text(SHA256.hash(of: bytes)))
    }
}

/// Downloads the logos of the catalogue, in its order: the same ones on every device, so that the requests reveal
/// nothing about subscriptions. A logo is named by the hash of its content, so none is downloaded twice.
struct LogoSync {
    let store: DeviceStore
    let server: ServerConnection
    let cache: LogoCache

    /// Logos of later items are not downloaded.
    private static let maximumCount = 2000
    /// Size of all logos together; the download of the last ones may exceed it.
    private static let maximumBytes = 20_000_000
    private static let parallelDownloads = 4

    struct Outcome {
        /// Logos of the catalogue within the limits, whether here or not.
        var all = 0
        var fetched = 0
        /// Logos that the server does not have, or whose content is no image or another one.
        var skipped = 0
    }

    /// Deletes logos that the catalogue does not have any more, and downloads those that are missing. Does nothing
    /// while the catalogue is that of another server. Throws an error that would concern the next logo too.
    func run() async throws -> Outcome {
        guard let copy = try store.catalogue.copy(), copy.server == server.address.text else { return Outcome() }
        let logos = try store.catalogue.logos().filter { LogoCache.name($0) != nil }
        cache.keep(only: logos)
        var outcome = Outcome()
        var bytes = 0
        var missing: [String] = []
        for logo in logos.prefix(Self.maximumCount) {
            if let size = cache.byteCount(logo) {
                bytes += size
                outcome.all += 1
            } else {
                missing.append(logo)
            }
        }
        while !missing.isEmpty, bytes < Self.maximumBytes {
            let batch = missing.prefix(Self.parallelDownloads)
            missing.removeFirst(batch.count)
            for result in await download(Array(batch)) {
                outcome.all += 1
                switch result {
                case .success(let size):
                    bytes += size
                    outcome.fetched += 1
                case .failure(let error):
                    guard error.concernsOneLogo else { throw error }
                    outcome.skipped += 1
                }
            }
        }
        return outcome
    }

    private func download(_ logos: [String]) async -> [Result<Int, ClientError>] {
        await withTaskGroup(of: Result<Int, ClientError>.self) { group in
            for logo in logos {
                group.addTask {
                    do throws(ClientError) {
                        return .success(try await cache.download(logo, from: server))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension ClientError {
    /// Whether the next logo may be well.
    fileprivate var concernsOneLogo: Bool {
        switch self {
        case .refused(let status, _, _): status == 404 || status == 410
        case .unreadable, .answerTooLarge: true
        default: false
        }
    }
}
