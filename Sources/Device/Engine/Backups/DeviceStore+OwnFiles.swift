import CFileStatus
import Foundation
import SubGuardDomain

extension DeviceStore {
    /// Refuses a path that names one of the store's own files, however it is written and through whichever link: what
    /// is put there would destroy the store. So are the folder of automatic backups and what is in it, which come and
    /// go by themselves.
    ///
    /// - Parameter field: what the error names.
    public func requireForeign(_ path: String, field: String = "file") throws {
        let target = Self.resolved(path)
        let identity = Self.identity(path)
        let own = ["", "-wal", "-shm", "-journal", ".session", ".session-lock", ".sync-lock"].map { self.path + $0 }
        let isOwn = own.contains { file in
            Self.resolved(file) == target || identity != nil && Self.identity(file) == identity
        }
        let folder = Self.resolved(backupFolder)
        guard !isOwn, target != folder, !target.hasPrefix(folder + "/") else {
            throw DeviceStoreError.invalid(
                Fault(field, .sameItem, "Must not be one of the store's own files."))
        }
    }

    /// The path without links and dots; of a file that is not there, its folder's.
    private static func resolved(_ path: String) -> String {
        if let whole = realPath(path) { return whole }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        return (realPath(folder) ?? folder) + "/" + name
    }

    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func identity(_ path: String) -> [UInt64]? {
        var status = file_status()
        guard file_status_at(path, &status) else { return nil }
        return [status.device, status.number]
    }
}
