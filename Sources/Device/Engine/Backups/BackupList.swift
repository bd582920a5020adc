import CFileStatus
import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// A backup that was made on this device and is still there.
public struct StoredBackup: Sendable, Hashable {
    /// Why a backup was made.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Made by the program once a week.
        case automatic
        /// Made by the user.
        case manual
        /// What was there before a restore.
        case beforeRestore = "before_restore"
        /// What was there before a merge.
        case beforeMerge = "before_merge"
    }

    /// The absolute path of the file.
    public var path: String
    /// Why it was made.
    public var kind: Kind
    /// When it was made, by the device's clock.
    public var madeAt: UTCInstant
    /// The size of the file, in bytes.
    public var bytes: Int
    /// The number of subscriptions; nil for a file of an earlier version, whose content is not known.
    public var subscriptions: Int?
    /// Whether it is encrypted with a passphrase; only those made by the user can be.
    public var isSealed: Bool

    /// The file's name without its folder.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// When the last backup was made, and whether that is long ago.
public struct BackupAge: Sendable, Hashable {
    /// The newest one; those dated after today count only when there is no other. Nil without any.
    public var last: StoredBackup?
    /// Whole days since then; nil for one dated after today, made while the clock ran ahead.
    public var days: Int?
    /// After how many days to warn; 0 for never.
    public var warningDays: Int
    /// Whether there is something to lose and no backup younger than ``warningDays``.
    public var isOverdue: Bool
}

extension DeviceStore.Backups {
    /// Copies made before restores and merges that are kept, of each kind.
    public static let safetyCopiesKept = 4

    /// Backups that were made here and are still there, newest first: automatic ones, copies made before restores and
    /// merges, and the user's own.
    public func list() throws -> [StoredBackup] {
        let noted = try store.read { session in
            try session.query(
                "SELECT path, kind, made_at, bytes, subscriptions, is_sealed FROM backups ORDER BY num DESC"
            ) { row in
                StoredBackup(
                    path: try row.text(0), kind: StoredBackup.Kind(rawValue: try row.text(1)) ?? .manual,
                    madeAt: UTCInstant(millisecondsSinceEpoch: try row.integer(2)), bytes: Int(try row.integer(3)),
                    subscriptions: Int(try row.integer(4)), isSealed: try row.integer(5) != 0)
            }
        }
        let known = Set(noted.map(\.path))
        let others = PrivateFolder.names(in: folder).map { "\(folder)/\($0)" }.filter { !known.contains($0) }
            .compactMap(Self.unnoted)
        let isOwn = PrivateFolder.isOwn(folder)
        let present =
            noted.filter { backup in
                (isOwn || !backup.path.hasPrefix(folder + "/")) && FileManager.default.fileExists(atPath: backup.path)
            } + others
        // Of one moment, the one that was noted last is the newest.
        return present.enumerated()
            .sorted { ($1.element.madeAt, $0.offset) < ($0.element.madeAt, $1.offset) }.map(\.element)
    }

    /// The backup with this number in ``list()``, counted from 1, or with this name or the name without `.json`; nil
    /// when there is none.
    public func named(_ text: String) throws -> StoredBackup? {
        let all = try list()
        if let number = Int(text), all.indices.contains(number - 1) { return all[number - 1] }
        return all.first { $0.path == text || $0.name == text || $0.name == text + ".json" }
    }

    /// Remembers a backup that the user made, for the list. The path may be relative to the current folder.
    public func noteManual(_ path: String, bytes: Int, isSealed: Bool, at moment: Moment) throws {
        let backup = StoredBackup(
            path: StoreFile.absolute(path), kind: .manual, madeAt: moment.now, bytes: bytes,
            subscriptions: try store.subscriptionCount(), isSealed: isSealed)
        try store.write(at: moment) { try $0.note(backup) }
    }

    /// How old the last backup is.
    public func age(at moment: Moment) throws -> BackupAge {
        let all = try list()
        let age = { (backup: StoredBackup) in moment.time.day(at: backup.madeAt).days(until: moment.today) }
        let last = all.first { age($0) >= 0 } ?? all.first
        let days = last.map(age).flatMap { $0 >= 0 ? $0 : nil }
        let limit = try store.settings.backupWarningDays()
        let isEmpty = try !store.read(Self.hasData)
        let isOld = days.map { $0 >= limit } ?? true
        return BackupAge(last: last, days: days, warningDays: limit, isOverdue: limit > 0 && !isEmpty && isOld)
    }

    /// A file of the folder that no row names: its process was killed, or an earlier version or another database made
    /// it. Its name has the kind and the time.
    private static func unnoted(_ path: String) -> StoredBackup? {
        var status = file_status()
        guard file_status_at(path, &status), let name = path.split(separator: "/").last, name.hasSuffix(".json"),
            let kind = StoredBackup.Kind.allCases.first(where: { $0 != .manual && name.hasPrefix(prefix(of: $0)) })
        else { return nil }
        // subguard-2026-11-20T100000Z.json, before-merge-2026-11-20T100000Z-2.json
        let digits = name.dropFirst(prefix(of: kind).count)
        guard let split = digits.firstIndex(of: "T"), let end = digits.firstIndex(of: "Z"), split < end else {
            return nil
        }
        let time = digits[digits.index(after: split)...end]
        let two = { (start: Int) in time.dropFirst(start).prefix(2) }
        let text = "\(digits[..<split])T\(two(0)):\(two(2)):\(time.dropFirst(4))"
        guard let madeAt = UTCInstant(rfc3339: text) else { return nil }
        return StoredBackup(
            path: path, kind: kind, madeAt: madeAt, bytes: Int(status.byte_count), subscriptions: nil, isSealed: false)
    }

    /// So often what is there is saved while another program changes it.
    private static let mostCopies = 3

    /// Saves what is there, then runs `body` with its revision, which throws ``ChangedSinceShown`` if that has passed
    /// when it writes: what is replaced is always in the copy. The copy goes again when `body` throws, or returns false
    /// because nothing changed. A database without any data needs no copy.
    ///
    /// - Parameter shown: what the user has decided upon; nil to take the database as it is.
    func withCopy(
        _ kind: StoredBackup.Kind, _ keepsCopy: Bool, of shown: ShownState?, at moment: Moment,
        _ body: (_ revision: Int64?) throws -> Bool
    ) throws -> StoredBackup? {
        for _ in 0..<Self.mostCopies {
            do {
                return try withOneCopy(kind, keepsCopy, of: shown, at: moment, body)
            } catch is ChangedSinceShown where shown == nil {}
        }
        throw DeviceStoreError.storage("other programs keep changing the data; try again")
    }

    private func withOneCopy(
        _ kind: StoredBackup.Kind, _ keepsCopy: Bool, of shown: ShownState?, at moment: Moment,
        _ body: (_ revision: Int64?) throws -> Bool
    ) throws -> StoredBackup? {
        guard keepsCopy else {
            _ = try body(shown?.revision)
            return nil
        }
        let (document, revision) = try store.read(at: moment) { session in
            (try BackupDocument.read(session) { _, _ in }, try DeviceStore.revision(session))
        }
        guard shown == nil || shown?.revision == revision else { throw ChangedSinceShown() }
        guard document.tables.contains(where: { !$0.rows.isEmpty }) else {
            _ = try body(revision)
            return nil
        }
        let bytes = try bytes(of: document, at: moment)
        try createFolder()
        let name = Self.prefix(of: kind) + moment.now.rfc3339.filter { $0 != ":" }
        var path = "\(folder)/\(name).json"
        // A second one of the same moment.
        var number = 2
        while FileManager.default.fileExists(atPath: path) {
            path = "\(folder)/\(name)-\(number).json"
            number += 1
        }
        let subscriptions = document.tables.first { $0.table.name == EntityTables.subscriptions.name }?.rows.count
        let copy = StoredBackup(
            path: path, kind: kind, madeAt: moment.now, bytes: bytes.count, subscriptions: subscriptions,
            isSealed: false)
        try WholeFile.write(bytes, to: path)
        PrivateFolder.removeAbandoned(in: folder, before: path)
        var isNeeded = false
        defer { if !isNeeded { unlink(path) } }
        isNeeded = try body(revision)
        guard isNeeded else { return nil }
        // The change stands; a copy that is not noted is still in the folder.
        try? store.write(at: moment) { try $0.note(copy) }
        // The rows of a copied database also name the files of the original.
        let copies = try list().filter { $0.kind == kind && $0.path == "\(folder)/\($0.name)" }
        // Those dated ahead count as the oldest.
        let newestFirst = copies.filter { $0.madeAt <= moment.now } + copies.filter { $0.madeAt > moment.now }
        for old in newestFirst.dropFirst(Self.safetyCopiesKept) where old.path != path { unlink(old.path) }
        return copy
    }

    /// The beginning of the names of files in ``folder``, before the time.
    private static func prefix(of kind: StoredBackup.Kind) -> String {
        kind == .automatic ? "subguard-" : kind.rawValue.replacing("_", with: "-") + "-"
    }
}

/// What a user has seen of a database before a decision: its revision, and when.
package struct ShownState: Sendable {
    package var revision: Int64
    package var at: UTCInstant

    package init(revision: Int64, at: UTCInstant) {
        self.revision = revision
        self.at = at
    }
}

/// The database was changed after it was shown, so nothing was done.
package struct ChangedSinceShown: Error {
    package init() {}
}

extension UnitOfWork {
    /// Throws ``ChangedSinceShown`` for another one.
    ///
    /// - Parameter revision: nil for any.
    package func requireRevision(_ revision: Int64?) throws {
        guard try revision == nil || revision == DeviceStore.revision(session) else { throw ChangedSinceShown() }
    }

    func note(_ backup: StoredBackup) throws {
        let sql = """
            INSERT INTO backups (path, kind, made_at, bytes, subscriptions, is_sealed) VALUES (?, ?, ?, ?, ?, ?)
            """
        try session.execute("DELETE FROM backups WHERE path = ?", [.text(backup.path)])
        try session.execute(
            sql,
            [
                .text(backup.path), .text(backup.kind.rawValue), .instant(backup.madeAt), .count(backup.bytes),
                .count(backup.subscriptions ?? 0), .flag(backup.isSealed),
            ])
        // Files that are gone long since need no row.
        try session.execute("DELETE FROM backups WHERE num <= (SELECT max(num) - 200 FROM backups)")
    }
}

extension DeviceStore {
    func subscriptionCount() throws -> Int {
        try read { try $0.count("SELECT count(*) FROM subscriptions") }
    }
}
