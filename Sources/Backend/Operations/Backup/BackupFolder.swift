import CFileStatus
import Foundation
package import SubGuardDomain

/// The folder in which backups lie, each a folder of its own named after its moment.
package struct BackupFolder: Sendable {
    package let path: String

    private static let prefix = "subguard-"
    private static let unfinished = ".unfinished-"

    /// Made when the first backup is.
    package init(path: String) { self.path = path }

    /// Paths of whole backups, in the order in which they were written.
    ///
    /// That is when their manifests say, unless it lies after `now`: then the clock was wrong at one of the two moments,
    /// and the time of the file counts. Those for which neither can be true come first.
    package func list(at now: UTCInstant) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { $0.hasPrefix(Self.prefix) }
            .compactMap { WrittenBackup("\(path)/\($0)", at: now) }
            .sorted().map(\.path)
    }

    /// A folder to write into, and what it is to be called.
    func begin(at instant: UTCInstant) throws -> (unfinished: String, finished: String) {
        try DurableFile.makeFolder(path)
        let stamp = instant.rfc3339.filter { $0.isNumber || $0 == "T" || $0 == "Z" || $0 == "." }
        let name = Self.prefix + stamp
        var finished = "\(path)/\(name)"
        var number = 2
        while FileManager.default.fileExists(atPath: finished) {
            finished = "\(path)/\(name)-\(number)"
            number += 1
        }
        let unfinished = "\(path)/\(Self.unfinished)\(UUID().uuidString.lowercased())"
        try DurableFile.makeFolder(unfinished + "/logos")
        return (unfinished, finished)
    }

    /// Removes all but the newest so many, `written` being one of them whatever the clock says, and what earlier attempts
    /// left behind. Returns how many backups went.
    @discardableResult
    package func prune(keeping count: Int, written: String, at now: UTCInstant) -> Int {
        let old = list(at: now).filter { $0 != written }.dropLast(max(0, count - 1))
        for backup in old { try? FileManager.default.removeItem(atPath: backup) }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        where name.hasPrefix(Self.unfinished) && isOlderThanADay(name) {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
        return old.count
    }

    private func isOlderThanADay(_ name: String) -> Bool {
        var information = file_status()
        guard file_status_of_link("\(path)/\(name)", &information) else { return false }
        return Int64(time(nil)) - information.modified_seconds > 86_400
    }
}
