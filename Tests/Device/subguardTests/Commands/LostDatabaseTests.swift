import Foundation
import JSONWire
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

/// Databases that were emptied, and copies of them.
@Suite struct LostDatabaseTests {
    @Test func anEmptiedDatabaseIsNotANewOne() throws {
        let client = try Client()
        _ = try client.add("Netflix")
        let path = client.store
        let backups = try FileManager.default.contentsOfDirectory(atPath: path + ".backups")
        try #require(backups.count == 1)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try Data().write(to: URL(fileURLWithPath: path))
        for arguments in [["list"], ["add", "Gym 10 € monthly"], ["backup", "x.json"], ["total", "--json"]] {
            let outcome = try client.run(arguments)
            #expect(
                outcome.status == 1 && outcome.errors.contains("is empty, although there are backups"), "\(outcome)")
            #expect(outcome.errors.contains("subguard restore \(path).backups/\(backups[0])"))
        }
        let json = try JSONValue.parse(Array(client.run("list", "--json").output.utf8))
        #expect(json["error"]?["code"]?.stringValue == "emptied_database")
        // Nothing was touched.
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + ".backups") == backups)
        #expect(try client.run("restore", "\(path).backups/\(backups[0])").status == 0)
        #expect(try client.json("list").each("name") == ["Netflix"])
    }

    @Test("An empty file without backups is a new database")
    func anEmptyFileAlone() throws {
        let client = try Client()
        try Data().write(to: URL(fileURLWithPath: client.store))
        #expect(try client.run("list").status == 0)
    }

    @Test func aConflictedCopyIsMergedAsADatabase() throws {
        let client = try Client()
        let id = try client.add("Netflix")
        // The copy that a shared folder made, on which another device worked.
        let other = try Client()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: client.store + suffix) {
            try FileManager.default.copyItem(atPath: client.store + suffix, toPath: other.store + suffix)
        }
        let copy = other.store
        #expect(try other.run("add", "Gym 10 € monthly", now: "2026-11-20T11:00:00Z").status == 0)
        #expect(try other.run("edit", id, "--amount", "15.99", now: "2026-11-20T11:00:00Z").status == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: copy))
        let preview = try client.json("merge", copy, "--dry-run", now: "2026-11-20T12:00:00Z")
        #expect(preview["added"]?["subscriptions"] == .number("1"))
        let merged = try client.run("merge", copy, now: "2026-11-20T12:00:00Z")
        #expect(merged.status == 0, "\(merged)")
        #expect(try client.json("list").each("amount").sorted() == ["10.00", "15.99"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
        #expect(try client.run("merge", client.store).errors.contains("Must be another database."))
        let store = try SQLiteStore(path: copy)
        try store.write { try $0.execute("CREATE TRIGGER skim AFTER UPDATE ON subscriptions BEGIN SELECT 1; END") }
        try store.close()
        let changed = try client.run("merge", copy)
        #expect(changed.status == 1 && changed.errors.contains("Another program has changed this database: trigger"))
        let foreign = try client.folder.write("SQLite format 3\u{0} but not really", to: "foreign.sqlite")
        #expect(try client.run("merge", foreign).status == 1)
    }

    @Test func theCopyOfAKilledDryRunGoesWithTheNext() throws {
        let temporary = try TemporaryFolder()
        let client = try Client(environment: ["TMPDIR": temporary.path])
        _ = try client.add("Netflix")
        let pipe = client.folder.file("pipe.csv")
        try #require(mkfifo(pipe, 0o600) == 0)
        let process = try client.process(["import", "--format", "csv", pipe, "--dry-run"])
        try process.run()
        var waited = 0
        while try temporary.names().isEmpty, waited < 1000 {
            usleep(10_000)
            waited += 1
        }
        // While it runs, its copy stays.
        #expect(try client.run("status").status == 0)
        #expect(try temporary.names().count == 1)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try temporary.names().count == 1)
        #expect(try client.run("status").status == 0)
        #expect(try temporary.names().isEmpty)
    }

    @Test func anExportOnATerminalHasNoControlCharacters() throws {
        let client = try Client()
        let person = try client.id("people", "add", "--name", "Zoé")
        _ = try client.id("groups", "add", "--name", "G", "--members", "me,\(person)")
        // A name that another device let through is shown harmlessly, whatever the format.
        _ = try client.add("Ni\u{200D}ce")
        for arguments in [
            ["export", "--format", "csv"], ["groups", "export", "G"], ["export", "--format", "ledger"],
        ] {
            let terminal = try Terminal()
            let process = try client.process(arguments)
            process.standardOutput = terminal.program
            try process.run()
            process.waitUntilExit()
            let text = try terminal.text()
            #expect(process.terminationStatus == 0)
            #expect(
                !text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\r" })
        }
    }
}
