import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct PortabilityCommandTests {
    @Test func backupRestoreAndMerge() throws {
        let (first, second) = (try Client(), try Client(isPremium: false))
        for number in 1...6 { _ = try first.add("n° \(number)") }
        let file = first.folder.file("backup.json")
        #expect(try first.json("backup", file)["sealed"] == .bool(false))
        #expect(try second.run("restore", file).status == 0)
        #expect(try second.json("list") == first.json("list"))
        let id = try #require(try first.json("list").each("id").first)
        #expect(try first.run("edit", id, "--notes", "neuf", now: "2026-11-20T11:00:00Z").status == 0)
        let added = try first.add("autre")
        let sealed = first.folder.file("sealed")
        #expect(try first.run("backup", sealed, "--seal").status == 0)
        let merge = try second.json("merge", sealed)
        #expect(merge["added"]?["subscriptions"] == .number("1"))
        #expect(merge["overridden"]?.each("field") == ["notes"] && merge["overridden"]?.each("new") == ["neuf"])
        #expect(try second.json("show", added)["name"] == .string("autre"))
        #expect(try second.json("merge", sealed)["overridden"] == .array([]))
        let damaged = try first.folder.write("{}", to: "damaged")
        #expect(try second.run("restore", damaged).status == 1)
        #expect(try second.json("list").arrayValue?.count == 7)
    }

    @Test(arguments: ["b", "./b", "b.json", "é"])
    func backupsTakeAnyName(_ name: String) throws {
        let client = try Client()
        _ = try client.add()
        let process = try client.process(["backup", name])
        process.currentDirectoryURL = client.folder.url
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try client.run("restore", client.folder.file(name)).status == 0)
    }

    @Test func importsRefuseWholeFiles() throws {
        let client = try Client()
        let text =
            "name,amount,currency,cycle,next_billing_on\na,1.00,EUR,monthly,2026-12-01\nb,x,EUR,monthly,2026-12-01\n"
        let file = try client.folder.write(text, to: "list.csv")
        let refused = try client.run("import", "--format", "csv", file)
        #expect(refused.status == 1 && refused.errors.contains("row 3: amount") && !refused.errors.contains("row 2"))
        #expect(try client.json("list") == .array([]))
        #expect(try client.run("import", "--format", "csv", file, "--dry-run").status == 1)
        let report = try client.json("import", "--format", "csv", file, "--skip-bad", "--dry-run")
        #expect(report["dry_run"] == .bool(true) && report["added"]?.arrayValue?.count == 1)
        #expect(try client.json("list") == .array([]))
        #expect(try client.json("import", "--format", "csv", file, "--skip-bad")["refused"]?.each("row") == ["3"])
        #expect(try client.json("list").each("name") == ["a"])
    }

    @Test func everyExportIsOneDocument() throws {
        let client = try Client()
        _ = try client.add("Été; \"x\"")
        for format in ["csv", "json", "ical", "ledger", "beancount"] {
            let outcome = try client.run("export", "--format", format, now: "2027-01-10T10:00:00Z")
            #expect(outcome.status == 0 && !outcome.output.isEmpty)
            _ = try client.json("export", "--format", format)
        }
    }

    @Test func theWeeklyBackupIsMade() throws {
        let client = try Client()
        _ = try client.add()
        let folder = client.store + ".backups"
        let names = { try FileManager.default.contentsOfDirectory(atPath: folder) }
        #expect(try names().count == 1)
        #expect(try client.run("pending").status == 0 && names().count == 1)
        let id = try #require(try client.json("list").each("id").first)
        #expect(try client.run("edit", id, "--notes", "x", now: "2026-11-27T10:00:00Z").status == 0)
        #expect(try names().count == 2)
    }

    @Test func aBackupNeverReplacesTheStore() throws {
        let client = try Client()
        _ = try client.add()
        let link = client.folder.file("link")
        #expect(symlink(client.store, link) == 0)
        let second = client.folder.file("second")
        #expect(Foundation.link(client.store, second) == 0)
        let folder = client.folder.path
        for path in [
            client.store, client.store + "-wal", client.store + "-shm", "\(folder)/./store.sqlite", link, second,
            client.store + ".backups/subguard-x.json", client.store + ".backups",
        ] {
            let outcome = try client.run("backup", path)
            #expect(outcome.status == 1 && outcome.errors.hasPrefix("error: file: "), "\(path): \(outcome)")
        }
        #expect(try client.json("list").each("name") == ["Netflix"])
    }

    @Test func aDryRunWritesNoBackup() throws {
        let client = try Client()
        _ = try client.add()
        let file = try client.folder.write("[]", to: "empty.json")
        let names = { try FileManager.default.contentsOfDirectory(atPath: client.store + ".backups").count }
        let count = try names()
        let later = "2026-12-20T10:00:00Z"
        #expect(try client.run("import", "--format", "json", file, "--dry-run", now: later).status == 0)
        #expect(try names() == count)
    }

    @Test func foreignTextMovesNoCursor() throws {
        let (first, second) = (try Client(), try Client())
        let id = try first.add()
        let file = first.folder.file("backup.json")
        #expect(try first.run("backup", file).status == 0 && second.run("restore", file).status == 0)
        let notes = "a\u{1B}]0;title\u{7}\u{202E}b"
        #expect(try first.run("edit", id, "--notes", notes, now: "2026-11-20T11:00:00Z").status == 0)
        #expect(try first.run("backup", file).status == 0)
        let merge = try second.run("merge", file)
        let refusal = try second.run("show", "x\u{1B}[2J")
        let usage = try second.run("sh\u{1B}[2Jow")
        #expect(merge.status == 0 && merge.output.contains("a ]0;title  b"))
        #expect(refusal.status == 1 && usage.status == 64)
        for text in [merge.output, refusal.errors, usage.errors] {
            #expect(!text.unicodeScalars.contains { "\u{1B}\u{7}\u{202E}".unicodeScalars.contains($0) }, "\(text)")
        }
    }
}
