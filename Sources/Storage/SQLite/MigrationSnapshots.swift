import Foundation

/// The copies of a store that were made before it was migrated: `<file>.before-<number>`.
struct MigrationSnapshots {
    private static let kept = 3
    private let store: SQLiteStore

    init(_ store: SQLiteStore) {
        self.store = store
    }

    /// Replaces the copy of an earlier attempt at the same migration, then removes all but the newest three.
    func take(before number: Int) throws {
        do {
            try store.copy(to: SQLiteFile(path: store.path + ".before-\(number)"), replaces: true)
        } catch let error as SQLError {
            throw MigrationError.snapshotFailed(number: number, cause: error)
        }
        removeOld()
    }

    /// A copy that cannot be removed costs room and nothing else, so it does not stop the migration.
    private func removeOld() {
        let file = URL(fileURLWithPath: store.path)
        let prefix = file.lastPathComponent + ".before-"
        let folder = file.deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = names.compactMap { $0.hasPrefix(prefix) ? Int($0.dropFirst(prefix.count)) : nil }
        for number in numbers.sorted(by: >).dropFirst(Self.kept) {
            // The file itself: a folder or what a link leads to stays.
            unlink(store.path + ".before-\(number)")
        }
    }
}
