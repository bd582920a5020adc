import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct EngineMigrationTests {
    /// A file written by a version with only the first migrations, with a row in each of its tables.
    private func file(of version: Int, in folder: TemporaryFolder) throws -> String {
        let path = folder.file("store.sqlite")
        let store = try SQLiteStore(path: path)
        defer { try? store.close() }
        try Migrator(migrations: Array(EngineMigrations.all.prefix(version))).migrate(
            store, now: "2026-01-01T00:00:00Z")
        let rows: [(since: Int, sql: String)] = [
            (
                1,
                """
                INSERT INTO subscriptions (id, name, amount, currency, anchor_day, cycle, tracked_from, started_on, created_at,
                category) VALUES (x'000102030405060708090a0b0c0d0e0f', 'Été ''26 🎉', 1234, 'EUR', 20484, 'monthly', 20454, 20454, 0,
                'personal')
                """
            ),
            (1, "INSERT INTO prices (subscription, from_day, amount, currency) VALUES (1, 20500, 1500, 'EUR')"),
            (1, "INSERT INTO states (subscription, from_day, state) VALUES (1, 20600, 1)"),
            (1, "INSERT INTO ledger (subscription, due_day, fate, acted_at) VALUES (1, 20484, 1, 5)"),
            (2, "INSERT INTO people (id, name, created_at) VALUES (x'010102030405060708090a0b0c0d0e0f', 'Zoé', 0)"),
            (2, "INSERT INTO groups (id, name, created_at) VALUES (x'020102030405060708090a0b0c0d0e0f', 'Maison', 0)"),
            (
                2,
                """
                INSERT INTO group_members (group_id, person_id, is_member) VALUES (x'020102030405060708090a0b0c0d0e0f',
                x'010102030405060708090a0b0c0d0e0f', 1)
                """
            ),
            (
                3,
                """
                INSERT INTO budgets (id, category, amount, currency, period)
                VALUES (x'030102030405060708090a0b0c0d0e0f', '', 5000, 'EUR', 'month')
                """
            ),
        ]
        try store.write { session in
            for row in rows where row.since <= version { try session.execute(row.sql) }
        }
        return path
    }

    @Test(arguments: 1...EngineMigrations.all.count)
    func everyOlderFileOpensWithItsData(_ version: Int) throws {
        let folder = try TemporaryFolder()
        let path = try file(of: version, in: folder)
        let moment = try EngineFixture.moment("2026-03-10")
        let store = try EngineFixture.open(path, now: moment.now)
        let subscription = try #require(try store.subscriptions.all().first)
        #expect(subscription.name == "Été '26 🎉" && subscription.prices.count == 1 && subscription.states.count == 1)
        #expect(try store.ledger.history(subscription.id, at: moment).map(\.status).contains(.confirmed))
        #expect(try store.sharing.people().map(\.name) == (version >= 2 ? ["Zoé"] : []))
        #expect(try store.sharing.groups().map(\.memberIDs.count) == (version >= 2 ? [1] : []))
        #expect(try store.budgets.list(at: moment).count == (version >= 3 ? 1 : 0))
        try store.subscriptions.edit(subscription.id, [.notes: "x"], at: moment)
        try store.close()
        // There is a copy from before the migration, unless there was nothing to migrate.
        let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".before-") }
        #expect(copies.count == (version < EngineMigrations.all.count ? 1 : 0))
    }

    @Test func scopesComeOutOfCategories() throws {
        let folder = try TemporaryFolder()
        let path = try file(of: 8, in: folder)
        let store = try SQLiteStore(path: path)
        let stamp = "00000000000200000000000000000000"
        let image = "'{\"id\":\"00\",\"category\":\"pro\",\"stamp\":\"\",\"stamps\":\"\"}'"
        try store.write { session in
            for (id, category) in ["pro", "Musique", "ÉCHECS", "Home"].enumerated() {
                try session.execute(
                    """
                    INSERT INTO subscriptions (id, name, amount, currency, anchor_day, cycle, tracked_from, started_on,
                    created_at, category, stamps) VALUES (x'0\(id + 1)0102030405060708090a0b0c0d0e0f', '\(category)', 1234,
                    'EUR', 20484, 'monthly', 20454, 20454, \(id + 1), '\(category)', 'amount=\(stamp);category=\(stamp)')
                    """)
            }
            try session.execute(
                """
                INSERT INTO budgets (id, category, amount, currency, period)
                VALUES (x'040102030405060708090a0b0c0d0e0f', 'pro', 5000, 'EUR', 'month')
                """)
            try session.execute(
                "INSERT INTO journal (num, made_at, kind, details) VALUES (1, 0, 'subscription_edited', '{}')")
            try session.execute(
                """
                INSERT INTO journal_records (entry, position, name, before, after)
                VALUES (1, 0, 'subscriptions', \(image), \(image))
                """)
        }
        try store.close()
        let moment = try EngineFixture.moment("2026-03-10")
        let opened = try EngineFixture.open(path, now: moment.now)
        let all = try opened.subscriptions.all()
        #expect(all.map(\.scope) == [.personal, .pro, .personal, .personal, .personal])
        #expect(all.map(\.category.wire) == ["other", "other", "music", "ÉCHECS", "home"])
        #expect(try Set(opened.budgets.list(at: moment).map(\.budget.target)) == [.all, .scope(.pro)])
        try opened.close()
        let raw = try SQLiteStore(path: path)
        let stamps = try raw.read {
            try $0.query("SELECT stamps FROM subscriptions WHERE name = 'pro'") { try $0.text(0) }
        }
        #expect(stamps == ["amount=\(stamp);category=\(stamp);scope=\(stamp)"])
        let images = try raw.read {
            try $0.query("SELECT before ->> 'scope' || ' ' || (after ->> 'category') FROM journal_records") {
                try $0.text(0)
            }
        }
        #expect(images == ["pro other"])
        try raw.close()
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
        #expect(throws: DeviceStoreError.self) { try EngineFixture.open(path, now: UTCInstant(secondsSinceEpoch: 0)) }
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
            let error = #expect(throws: DeviceStoreError.self) {
                try DeviceStore(path: path, access: access, now: moment.now)
            }
            #expect(error?.description.contains("another program") == true)
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
        for (folder, path) in [(fixture.folder, fixture.store.path), (older, try file(of: 1, in: older))] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let trial = try DeviceStore(path: path, access: .trial, now: moment.now)
            // Days have passed that are not in the file; writes work while the temporary copy is open.
            if folder === fixture.folder { #expect(try trial.ledger.missed(at: moment).count == 4) }
            try trial.subscriptions.edit(try #require(trial.subscriptions.all().first).id, [.notes: "x"], at: moment)
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
