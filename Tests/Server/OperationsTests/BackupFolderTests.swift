import BackendTestKit
import Catalogue
import Foundation
import Operations
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import TestKit
import Testing

/// Backups made while a clock was wrong.
struct BackupFolderTests {
    private let fixture: BackendFixture
    private let folder: TemporaryFolder
    private let backups: BackupFolder

    init() throws {
        folder = try TemporaryFolder()
        fixture = try BackendFixture(path: folder.file("made/store.sqlite"), now: "2024-02-29T12:00:00Z")
        backups = BackupFolder(path: folder.file("backups"))
    }

    /// Writes a backup at `now`; `modified` is the modification time of its manifest.
    private func write(_ now: String, modified: String? = nil) throws -> String {
        let path = try BackupWriter(
            store: fixture.file, logos: LogoFolder(path: folder.file("logos")), program: "test"
        ).write(to: backups, at: try instant(now)).path
        let seconds = Double(try instant(modified ?? now).millisecondsSinceEpoch) / 1000
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path + "/manifest.json")
        return path
    }

    @Test func neverPrunesTheOneJustWritten() throws {
        let future = try write("2031-01-01T00:00:00Z")
        let present = try write("2024-02-29T12:00:00Z")
        #expect(backups.prune(keeping: 1, written: present, at: fixture.now) == 1)
        #expect(backups.list(at: fixture.now) == [present])
        #expect(!FileManager.default.fileExists(atPath: future))
        // Nor if the clock was set back since the previous backup.
        let earlier = try write("2023-03-26T01:30:00Z")
        #expect(backups.prune(keeping: 1, written: earlier, at: fixture.now) == 1)
        #expect(backups.list(at: fixture.now) == [earlier])
    }

    @Test func provesTheOneThatWasWrittenLast() throws {
        let future = try write("2031-01-01T00:00:00Z")
        let first = try write("2024-02-28T23:59:59.999Z")
        let second = try write("2024-02-29T00:00:00Z")
        #expect(backups.list(at: fixture.now) == [future, first, second])
        let drill = RestoreDrill(folder: backups, random: { 29 })
        #expect(try drill.run(at: fixture.now).backup == second)
        // Its own clock was wrong, that of the file system was right.
        let between = try write("2030-01-01T00:00:00Z", modified: "2024-02-29T00:00:00.500Z")
        #expect(backups.list(at: fixture.now) == [future, first, second, between])
        #expect(try drill.run(at: fixture.now).backup == between)
    }

    @Test func keepsAsManyAsItIsToldInTheOrderOfWriting() throws {
        let future = try write("2031-01-01T00:00:00Z")
        let all = try (0..<12).map { _ in try write("2024-02-29T12:00:00Z") }
        let last = try #require(all.last)
        #expect(backups.prune(keeping: 12, written: last, at: fixture.now) == 1)
        #expect(!FileManager.default.fileExists(atPath: future))
        #expect(Set(backups.list(at: fixture.now)) == Set(all))
        #expect(backups.prune(keeping: 3, written: last, at: fixture.now) == 9)
        #expect(backups.list(at: fixture.now).contains(last))
    }

    /// Sizes that no file has, and more than can be added up.
    @Test(arguments: ["-1", "9223372036854775807", "4611686018427387904"])
    func aManifestThatLiesAboutSizesIsNone(_ size: String) throws {
        let path = try write("2024-02-29T12:00:00Z") + "/manifest.json"
        let honest = try String(contentsOfFile: path, encoding: .utf8)
        let counts = honest.matches(of: /"bytes":[0-9]+/)
        #expect(!counts.isEmpty && backups.newest(5, at: fixture.now).count == 1)
        let file = String(try #require(honest.firstMatch(of: /\{"path":[^}]*\}/)?.output))
        let lie = file.replacing(/"bytes":[0-9]+/, with: "\"bytes\":\(size)")
        let text = honest.replacing(file, with: [lie, lie].joined(separator: ","))
        #expect(text != honest)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(backups.newest(5, at: fixture.now).isEmpty)
    }

    /// What others have added to a database would run with later statements.
    @Test(arguments: [
        (
            ["CREATE TRIGGER promote AFTER UPDATE ON access_tokens BEGIN DELETE FROM audit_entries; END"],
            #"trigger "promote""#
        ),
        (["CREATE VIEW everyone AS SELECT * FROM event_blocks"], #"view "everyone""#),
        (["CREATE TABLE loot (content)"], #"table "loot""#),
        ([#"CREATE INDEX "x y" ON catalogue_items (name)"#], #"index "x y""#),
        (["ALTER TABLE catalogue_items ADD COLUMN extra TEXT"], #"table "catalogue_items" differs"#),
        // The statement that is expected, as a name, in one that does something else.
        (
            [
                "DROP TRIGGER audit_entries_refuse_replace",
                #"""
                CREATE TRIGGER audit_entries_refuse_replace BEFORE INSERT ON audit_entries
                WHEN EXISTS (SELECT "--" FROM (SELECT 1 AS "--")) BEGIN DELETE FROM access_tokens; SELECT 1 AS "
                1 FROM audit_entries WHERE sequence = NEW.sequence)
                BEGIN
                    SELECT RAISE(ABORT, 'audit_entries is append-only')";
                END
                """#,
            ],
            #"trigger "audit_entries_refuse_replace" differs"#
        ),
    ])
    func refusesWhatTheMigrationsDidNotMake(statements: [String], named: String) throws {
        let drill = RestoreDrill(folder: backups, random: { 29 })
        _ = try write("2024-02-29T11:00:00Z")
        _ = try drill.run(at: fixture.now)
        _ = try fixture.file.alterSchema(lockTimeout: .seconds(1)) { session in
            for statement in statements { try session.execute(statement) }
        }
        _ = try write("2024-02-29T12:00:00Z")
        let error = #expect(throws: RestoreError.self) { try drill.run(at: fixture.now) }
        guard case .foreignSchema(let differences)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "verified")")
            return
        }
        #expect(differences.count == 1 && differences[0].hasPrefix(named))
    }
}
