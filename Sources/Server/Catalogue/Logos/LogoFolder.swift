import CFileStatus
import Cryptography
package import FileAccess
import Foundation
package import SQLDatabase
import ServerAccess
package import SubGuardDomain
import TextCoding

/// The folder of the logo files.
package struct LogoFolder: LogoContents {
    package let path: String

    /// The folder is created with the first logo.
    package init(path: String) { self.path = path }

    /// Writes the file, or updates the modification time of an existing one so that it does not count as a stray.
    package func prepare(_ file: LogoFile) throws {
        guard let folder = try open(), exists(file.name, in: folder) else { return try write(file) }
        folder.touch(file.name)
    }

    /// Writes the file only if it was deleted since ``prepare(_:)``.
    package func keep(_ file: LogoFile, in transaction: any SQLTransaction) throws {
        if !exists(file.name) { try write(file) }
    }

    package func read(_ name: String) -> [UInt8]? {
        guard LogoFile.format(ofName: name) != nil, let folder = try? open() else { return nil }
        return try? folder.open(name).bytes(maximumBytes: ImageFile.limitBytes)
    }

    package func exists(_ name: String) -> Bool {
        guard let folder = try? open() else { return false }
        return exists(name, in: folder)
    }

    package func exists(_ name: String, in folder: OpenFolder) -> Bool {
        LogoFile.format(ofName: name) != nil && folder.status(of: name)?.is_regular == true
    }

    package func exists(_ name: String, in session: any SQLSession) -> Bool { exists(name) }

    package func names() throws -> [String] { try open().map { names(in: $0) } ?? [] }

    package func names(in folder: OpenFolder) -> [String] {
        folder.names().filter { LogoFile.format(ofName: $0) != nil }.sorted()
    }

    package func remove(_ name: String, in transaction: any SQLTransaction) throws {
        guard LogoFile.format(ofName: name) != nil else { return }
        try open()?.remove(name)
    }

    /// Removes files of interrupted uploads and unreferenced logos that are older than one day.
    package func removeStrays(unknownTo catalogue: CatalogueStore) throws -> Int {
        guard let folder = try open() else { return 0 }
        var removed = 0
        for name in folder.names() where isOlderThanADay(name, in: folder) {
            if LogoFile.format(ofName: name) == nil {
                guard name.hasSuffix(".unfinished") else { continue }
                folder.remove(name)
                removed += 1
            } else if try !catalogue.knowsLogo(name) {
                // Checked again under the write lock: the logo may have been uploaded again.
                removed += try catalogue.context.store.write { transaction in
                    guard try !CatalogueStore.knowsLogo(name, in: transaction), isOlderThanADay(name, in: folder)
                    else { return 0 }
                    folder.remove(name)
                    return 1
                }
            }
        }
        return removed
    }

    /// Nil if the folder does not exist yet. Throws `FileFailure` if it cannot be used.
    package func open() throws -> OpenFolder? {
        do {
            return try OpenFolder(path)
        } catch {
            guard error.errno == ENOENT else { throw error }
            return nil
        }
    }

    private func write(_ file: LogoFile) throws {
        try DurableFile.write(file.bytes, to: file.name, in: OpenFolder.making(path), mode: 0o644)
    }

    private func isOlderThanADay(_ name: String, in folder: OpenFolder) -> Bool {
        folder.status(of: name).map { Int64(time(nil)) - $0.modified_seconds > 86_400 } ?? false
    }
}

/// A logo file named after the SHA-256 of its content, so a name always identifies the same content.
package struct LogoFile: Sendable, Hashable {
    /// 64 hexadecimal digits and a suffix, e.g. `….png`.
    package let name: String
    package let bytes: [UInt8]

    /// The path of its URL.
    package var path: String { Self.prefix + name }

    static let prefix = "/logos/"

    package init(_ image: ImageFile) { self.init(image.bytes, format: image.format) }

    package init(_ bytes: [UInt8], format: ImageFile.Format) {
        name = Hexadecimal.text(SHA256.hash(of: bytes)) + "." + format.suffix
        self.bytes = bytes
    }

    /// The content stored under a name; nil if it does not match the name.
    package init?(_ bytes: [UInt8], named name: String) {
        guard let format = Self.format(ofName: name) else { return nil }
        self.init(bytes, format: format)
        guard self.name == name else { return nil }
    }

    /// The format given by the suffix; nil for an invalid name.
    package static func format(ofName name: String) -> ImageFile.Format? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64,
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return ImageFile.Format.allCases.first { $0.suffix == parts[1] }
    }

    /// The file name in the path of an item's logo.
    package static func name(inPath path: String) -> String? {
        guard path.hasPrefix(prefix) else { return nil }
        let name = String(path.dropFirst(prefix.count))
        return format(ofName: name) == nil ? nil : name
    }
}
