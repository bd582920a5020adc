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
}
