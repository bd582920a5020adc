import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct EngineMigrationTests {
    /// A file with only the first migration, as if the others came with later releases.
    private func olderFile(in folder: TemporaryFolder) throws -> String {
        let path = folder.file("store.sqlite")
        let store = try SQLiteStore(path: path)
        defer { try? store.close() }
        try Migrator(migrations: Array(EngineMigrations.all.prefix(1))).migrate(store, now: "2026-01-01T00:00:00Z")
        try store.write { try $0.execute("INSERT INTO settings (key, value) VALUES ('language', 'fr')") }
        return path
    }

    @Test func anOlderFileIsMigratedAndKeptAsItWas() throws {
        let folder = try TemporaryFolder()
        let path = try olderFile(in: folder)
        let moment = try EngineFixture.moment("2026-03-10")
        let store = try EngineFixture.open(path, now: moment.now)
        #expect(try store.subscriptions.all().isEmpty)
        try store.close()
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".before-") }
        #expect(copies == ["store.sqlite.before-2"])
    }

    @Test func aStoreOfABuildBeforeTheFirstReleaseStaysUntouched() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let store = try SQLiteStore(path: path)
        let first = Migration(number: 1, slug: "subscriptions", sql: "CREATE TABLE subscriptions (num INTEGER) STRICT;")
        try Migrator(migrations: [first]).migrate(store, now: "2026-01-01T00:00:00Z")
        try store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for access in [DeviceStore.Access.full, .trial] {
            #expect(throws: DeviceStoreError.earlierBuild) {
                try DeviceStore(path: path, access: access, now: UTCInstant(secondsSinceEpoch: 0))
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func aStoreOfANewerVersionStaysUntouched() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let store = try SQLiteStore(path: path)
        let next = Migration(
            number: EngineMigrations.all.count + 1, slug: "later", sql: "CREATE TABLE later (x INTEGER) STRICT;")
        try Migrator(migrations: EngineMigrations.all + [next]).migrate(store, now: "2026-01-01T00:00:00Z")
        try store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: DeviceStoreError.tooNew("the database")) {
            try EngineFixture.open(path, now: UTCInstant(secondsSinceEpoch: 0))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func areTheFilesOfTheRepository() throws {
        let files = try RepositoryFile.names(in: "Migrations/engine")
        #expect(files == EngineMigrations.all.map { String(format: "%04d", $0.number) + "-\($0.slug).sql" })
        for (file, migration) in zip(files, EngineMigrations.all) {
            let text = try RepositoryFile.text("Migrations/engine/\(file)")
            #expect(text == migration.sql, "\(file) is not embedded; run Scripts/generate")
        }
    }

    @Test func aFileThatIsNoStoreIsRefusedUntouched() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "not a database\n", count: 100), to: "x")
        #expect(throws: DeviceStoreError.damagedDatabase) {
            try EngineFixture.open(path, now: UTCInstant(secondsSinceEpoch: 0))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("not a database"))
    }

    @Test func anotherProgramsDatabaseStaysUntouched() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("other.db")
        let other = try SQLiteStore(path: path)
        try other.write { try $0.execute("CREATE TABLE notes (body TEXT)") }
        try other.close()
        // Like most database files, not in write-ahead-log mode.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.replaceSubrange(18...19, with: [1, 1])
        try bytes.write(to: URL(fileURLWithPath: path))
        let moment = try EngineFixture.moment("2026-03-10")
        for access in [DeviceStore.Access.full, .trial] {
            #expect(throws: DeviceStoreError.foreignDatabase) {
                try DeviceStore(path: path, access: access, now: moment.now)
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["other.db"])
    }

    @Test func aTrialWritesNothingAtAll() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.store.close()
        let older = try TemporaryFolder()
        let moment = try EngineFixture.moment("2027-02-28")
        for (folder, path) in [(fixture.folder, fixture.store.path), (older, try olderFile(in: older))] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let trial = try DeviceStore(path: path, access: .trial, now: moment.now)
            // Days have passed that are not in the file; writes work while the temporary copy is open.
            if folder === fixture.folder { #expect(try trial.ledger.missed(at: moment).count == 4) }
            if let first = try trial.subscriptions.all().first {
                try trial.subscriptions.edit(first.id, [.notes: "x"], at: moment)
            }
            #expect(trial.path == path)
            try trial.close()
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == names)
        }
        #expect(try EngineFixture.open(fixture.store.path, now: moment.now).subscriptions.load(id).notes.isEmpty)
        let missing = try DeviceStore(path: older.file("missing"), access: .trial, now: moment.now)
        #expect(try missing.subscriptions.list(at: moment).isEmpty)
        try missing.close()
        #expect(!FileManager.default.fileExists(atPath: older.file("missing")))
    }
}
