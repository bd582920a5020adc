import Foundation
import SubGuardDomain

/// Databases in place of backups, such as the copy that a shared folder makes after a conflict.
extension DeviceStore.Backups {
    /// Whether bytes are those of an SQLite database.
    public static func isDatabase(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("SQLite format 3\0".utf8)) }

    /// The backup that another database would make of itself. It is read on a temporary copy and never changed.
    ///
    /// Throws a fault of `file` for the database itself, and the errors of opening it.
    public func bytes(ofDatabase path: String, at moment: Moment) throws -> [UInt8] {
        let number = { (path: String) in
            (try? FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path))?[
                    .systemFileNumber] as? Int
        }
        guard number(path) == nil || number(path) != number(store.path) else {
            throw DeviceStoreError.invalid(Fault("file", .sameItem, "Must be another database."))
        }
        let copy = try DeviceStore(path: path, access: .trial, now: moment.now)
        defer { try? copy.close() }
        // A foreign view or trigger would run.
        let foreign = try copy.foreignObjects()
        guard foreign.isEmpty else {
            let names = foreign.prefix(3).joined(separator: ", ")
            throw DeviceStoreError.invalid(
                Fault("file", .invalidFormat, "Another program has changed this database: \(names)."))
        }
        return try copy.backups.make(at: moment)
    }
}
