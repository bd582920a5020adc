import CFileStatus
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Weekly backups in a folder beside the database.
extension DeviceStore.Backups {
    /// Days between two automatic backups.
    public static let automaticDays = 7
    /// How many automatic backups are kept.
    public static let automaticKept = 8
    private static let lastKey = "last_automatic_backup"

    /// The folder of automatic backups.
    public var folder: String { store.path + ".backups" }

    /// Makes a backup when the last one is at least ``automaticDays`` old, or the clock was set back before it. Then
    /// deletes the oldest beyond ``automaticKept``, first those dated ahead. Returns the path, or nil when none was due
    /// or the database is empty.
    @discardableResult
    public func makeIfDue(at moment: Moment) throws -> String? {
        let (last, isEmpty) = try store.read { session in
            (
                try Settings(session).value(Self.lastKey).flatMap { Int64($0) },
                try !Self.hasData(session)
            )
        }
        let due = Int64(Self.automaticDays) * 86_400_000
        let now = moment.now.millisecondsSinceEpoch
        if isEmpty { return nil }
        if let last, now >= last, now - last < due { return nil }
        try createFolder()
        let file = "\(folder)/subguard-\(moment.now.rfc3339.filter { $0 != ":" }).json"
        let bytes = try make(at: moment)
        try WholeFile.write(bytes, to: file)
        PrivateFolder.removeAbandoned(in: folder, before: file)
        let backup = StoredBackup(
            path: file, kind: .automatic, madeAt: moment.now, bytes: bytes.count,
            subscriptions: try store.subscriptionCount(), isSealed: false)
        try store.write(at: moment) { unit in
            try Settings.set("\(now)", for: Self.lastKey, in: unit.session)
            try unit.note(backup)
        }
        // Made while the clock ran ahead, they would otherwise push out each new one.
        let all = automatic()
        for old in (all.filter { $0 > file } + all.filter { $0 <= file }).dropLast(Self.automaticKept) { unlink(old) }
        return file
    }

    /// Whether there is anything that a person entered. What only says that something was deleted does not count:
    /// backups of an emptied database would push out those with data.
    static func hasData(_ session: any SQLSession) throws -> Bool {
        let tables = [
            EntityTables.subscriptions, EntityTables.groups, EntityTables.expenses, EntityTables.transactions,
            EntityTables.repayments, EntityTables.budgets, EntityTables.ownRates,
        ].map { "SELECT 1 FROM \($0.name)" }
        let others = "SELECT 1 FROM people WHERE id <> ?"
        let sql = "SELECT 1 WHERE EXISTS (\((tables + [others]).joined(separator: " UNION ALL ")))"
        return try session.first(sql, [.uuid(Person.me)]) { _ in true } != nil
    }

    /// Paths, oldest first.
    public func automatic() -> [String] {
        PrivateFolder.names(in: folder).filter { $0.hasPrefix("subguard-") && $0.hasSuffix(".json") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    func createFolder() throws {
        guard PrivateFolder.make(folder) else { throw DeviceStoreError.storage("cannot create \(folder)") }
    }

    /// Refuses a path that leads to a file of the database, also through links: writing there would destroy it. Also
    /// refuses the folder of automatic backups, whose files are deleted automatically.
    ///
    /// Throws ``DeviceStoreError/invalid(_:)`` with a fault of `field`.
    public func requireOutsideDatabase(_ path: String, field: String = "file") throws {
        let target = Self.resolved(path)
        let identity = Self.identity(path)
        let own = ["", "-wal", "-shm", "-journal", ".session", ".session-lock", ".sync-lock"].map { store.path + $0 }
        let isOwn = own.contains { file in
            Self.resolved(file) == target || identity != nil && Self.identity(file) == identity
        }
        let ownFolder = Self.resolved(folder)
        guard !isOwn, target != ownFolder, !target.hasPrefix(ownFolder + "/") else {
            throw DeviceStoreError.invalid(
                Fault(field, .sameItem, "Must not be a file of the database or its backup folder."))
        }
    }

    /// The path without links and dots. For a missing file, the resolved folder with its name.
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
