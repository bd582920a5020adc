import CFileStatus
package import FileAccess
import Foundation
package import SQLDatabase
import ServerAccess
import SubGuardDomain

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
