import Foundation
import SQLDatabase
import SubGuardDomain

/// A backup a week in a folder beside the store, the newest few of them kept.
extension DeviceStore.Backups {
    public static let automaticDays = 7
    public static let automaticKept = 8
    private static let lastKey = "last_automatic_backup"

    /// Where automatic backups are.
    public var folder: String { store.path + ".backups" }

    /// Makes a backup when the last one is a week old, or the clock was set back behind it, and the store is not empty;
    /// then removes the oldest beyond ``automaticKept``. Returns its path, or nil when none was due.
    @discardableResult
    public func makeIfDue(at moment: Moment) throws -> String? {
        let (last, isEmpty) = try store.read { session in
            (
                try Settings(session).value(Self.lastKey).flatMap { Int64($0) },
                try session.first("SELECT 1 FROM subscriptions LIMIT 1", [], { _ in true }) == nil
            )
        }
        let due = Int64(Self.automaticDays) * 86_400_000
        let now = moment.now.millisecondsSinceEpoch
        if isEmpty { return nil }
        if let last, now >= last, now - last < due { return nil }
        try createFolder()
        let file = "\(folder)/subguard-\(moment.now.rfc3339.filter { $0 != ":" }).json"
        try WholeFile.write(try make(at: moment), to: file)
        try store.write(at: moment) { try Settings.set("\(now)", for: Self.lastKey, in: $0.session) }
        for old in automatic().dropLast(Self.automaticKept) { unlink(old) }
        return file
    }

    /// Paths, oldest first.
    public func automatic() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("subguard-") && $0.hasSuffix(".json") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    private func createFolder() throws {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw DeviceStoreError.storage("cannot create \(folder)")
        }
    }
}
