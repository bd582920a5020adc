import Foundation

/// The folder in which the files of logos lie.
package struct LogoFolder: Sendable {
    package let path: String

    /// Made when the first logo comes.
    package init(path: String) { self.path = path }

    /// Puts the file there, unless it is. When this returns it is on disk.
    package func store(_ bytes: [UInt8], as file: LogoFile) throws {
        guard !exists(file.name) else { return }
        try DurableFile.makeFolder(path)
        try DurableFile.write(bytes, to: path + "/" + file.name, mode: 0o644)
    }

    /// Nil when there is no such file. `name` is one that ``LogoFile/format(ofName:)`` knows, so it leads nowhere else.
    package func read(_ name: String) -> [UInt8]? {
        guard LogoFile.format(ofName: name) != nil else { return nil }
        return FileManager.default.contents(atPath: path + "/" + name).map { Array($0) }
    }

    package func exists(_ name: String) -> Bool {
        LogoFile.format(ofName: name) != nil && access(path + "/" + name, R_OK) == 0
    }

    /// Names of all logos, in their order.
    package func names() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { LogoFile.format(ofName: $0) != nil }.sorted()
    }

    package func remove(_ name: String) {
        guard LogoFile.format(ofName: name) != nil else { return }
        unlink(path + "/" + name)
    }

    /// Files of an upload that was cut short, and logos that the store does not know, when they are older than a day.
    package func removeStrays(knows: (String) throws -> Bool) throws -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        var removed = 0
        for name in names where isOlderThanADay(name) {
            let isStray = LogoFile.format(ofName: name) == nil ? name.hasSuffix(".unfinished") : try !knows(name)
            guard isStray else { continue }
            unlink(path + "/" + name)
            removed += 1
        }
        return removed
    }

    private func isOlderThanADay(_ name: String) -> Bool {
        var information = stat()
        guard lstat(path + "/" + name, &information) == 0 else { return false }
        return time(nil) - information.st_mtim.tv_sec > 86_400
    }
}
