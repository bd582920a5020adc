import Foundation
package import SQLDatabase

/// The folder in which the files of logos lie.
package struct LogoFolder: LogoContents {
    package let path: String

    /// Made when the first logo comes.
    package init(path: String) { self.path = path }

    /// Writes the file. One that is there already counts as new from now on, so that it is not taken for a stray.
    package func prepare(_ file: LogoFile) throws {
        guard exists(file.name) else { return try write(file) }
        utimensat(AT_FDCWD, place(file.name), nil, 0)
    }

    /// Writes the file only when it went since ``prepare(_:)``.
    package func keep(_ file: LogoFile, in transaction: any SQLTransaction) throws {
        if !exists(file.name) { try write(file) }
    }

    package func read(_ name: String) -> [UInt8]? {
        guard LogoFile.format(ofName: name) != nil else { return nil }
        return FileManager.default.contents(atPath: place(name)).map { Array($0) }
    }

    package func exists(_ name: String) -> Bool {
        LogoFile.format(ofName: name) != nil && access(place(name), R_OK) == 0
    }

    package func exists(_ name: String, in session: any SQLSession) -> Bool { exists(name) }

    package func names() -> [String] { files().filter { LogoFile.format(ofName: $0) != nil }.sorted() }

    package func remove(_ name: String, in transaction: any SQLTransaction) {
        guard LogoFile.format(ofName: name) != nil else { return }
        unlink(place(name))
    }

    /// Files of an upload that was cut short, and logos that the catalogue does not know, when they are older than a day.
    package func removeStrays(unknownTo catalogue: CatalogueStore) throws -> Int {
        var removed = 0
        for name in files() where isOlderThanADay(name) {
            if LogoFile.format(ofName: name) == nil {
                guard name.hasSuffix(".unfinished") else { continue }
                unlink(place(name))
                removed += 1
            } else if try !catalogue.knowsLogo(name) {
                // Once more while nobody else writes: it may have been uploaded again just now.
                removed += try catalogue.context.store.write { transaction in
                    guard try !CatalogueStore.knowsLogo(name, in: transaction), isOlderThanADay(name) else { return 0 }
                    unlink(place(name))
                    return 1
                }
            }
        }
        return removed
    }

    private func write(_ file: LogoFile) throws {
        try DurableFile.makeFolder(path)
        try DurableFile.write(file.bytes, to: place(file.name), mode: 0o644)
    }

    private func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// `name` is a file of the folder, or one that ``LogoFile/format(ofName:)`` knows, so it leads nowhere else.
    private func place(_ name: String) -> String { path + "/" + name }

    private func isOlderThanADay(_ name: String) -> Bool {
        FileStatus(of: place(name)).map { $0.ageSeconds > 86_400 } ?? false
    }
}
