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

    @Test func aMergeSaysInWordsWhatItReplaced() throws {
        let (first, second) = (try Client(), try Client())
        let id = try first.add()
        let start = first.folder.file("start.json")
        _ = try first.run("backup", start)
        #expect(try second.run("restore", start).status == 0)
        let later = "2026-11-20T11:00:00Z"
        #expect(try first.run("edit", id, "--remind", "7,1", now: later).status == 0)
        let changed = first.folder.file("changed.json")
        _ = try first.run("backup", changed, now: later)
        let merged = try second.run("merge", changed, "--lang", "fr", now: later)
        #expect(
            merged.output.contains("Netflix : rappels comme réglé pour tous → 7 jours avant, 1 jour avant (20/11/2026"),
            "\(merged.output)")
        let third = try Client()
        #expect(try third.run("restore", start).status == 0)
        let english = try third.run("merge", changed, "--lang", "en", now: later)
        #expect(english.output.contains("reminders as set for all → 7 days before, 1 day before"), "\(english.output)")
    }

    @Test("Exports for accounting say how many transactions they have not", arguments: ["ledger", "beancount"])
    func transactionsOutsideOfAnExport(_ format: String) throws {
        let client = try Client()
        _ = try client.add()
        #expect(try client.run("export", "--format", format).errors.isEmpty)
        for (title, note) in [
            ("a", "note: 1 transaction is not in this export; JSON has it\n"),
            ("b", "note: 2 transactions are not in this export; JSON has them\n"),
        ] {
            _ = try client.id(
                "transactions", "add", "--title", title, "--amount", "1", "--currency", "EUR", "--on", "2026-11-20",
                "--type", "income")
            #expect(try client.run("export", "--format", format).errors == note)
        }
        #expect(try client.run("export", "--format", "json").errors.isEmpty)
    }

    @Test func aCSVSaysWhatOnlyTheJSONHas() throws {
        let (client, other) = (try Client(), try Client())
        let id = try client.add()
        for change in [
            ["price", id, "--amount", "15", "--from", "2027-02-01"],
            ["pause", id, "--from", "2027-03-01", "--until", "2027-04-30"],
            ["skip", "\(id):2026-12-25"], ["paid", "\(id):2026-11-25", "--amount", "12"],
        ] {
            #expect(try client.run(change).status == 0, "\(change)")
        }
        let csv = try client.run("export", "--format", "csv")
        #expect(csv.errors.hasPrefix("note: CSV has the subscriptions as of today, without other prices, planned"))
        #expect(csv.errors.hasSuffix("; JSON has them\n"))
        #expect(try client.run("export", "--format", "csv", "--lang", "fr").errors.contains("les fins de pause"))
        let json = try client.run("export", "--format", "json")
        #expect(json.errors.isEmpty)
        _ = try other.json("import", "--format", "json", try other.folder.write(json.output, to: "all.json"))
        #expect(try other.json("forecast") == client.json("forecast"))
    }

    @Test func aMergeNamesWhatWasUndone() throws {
        let (first, second) = (try Client(), try Client())
        let budget = ["budget", "set", "--currency", "EUR", "--amount"]
        for change in [
            ["people", "add", "--name", "Bea “é”"], budget + ["9", "--scope", "pro"],
            budget + ["50", "--category", "streaming"], budget + ["60"],
            ["repay", "Bea “é”", "--amount", "15", "--currency", "EUR"],
        ] {
            #expect(try first.run(change).status == 0, "\(change)")
        }
        let file = first.folder.file("backup.json")
        _ = try first.run("backup", file)
        #expect(try second.run("merge", file).status == 0)
        let later = "2026-11-21T10:00:00Z"
        for _ in 1...3 { #expect(try first.run("undo", now: later).status == 0) }
        #expect(try first.run(budget + ["10", "--scope", "pro"], now: later).status == 0)
        _ = try first.run("backup", file, now: later)
        let french = try second.run("merge", file, "--dry-run", "--lang", "fr", now: later).output
        #expect(french.contains("Bea “é” 15,00"), "\(french)")
        #expect(french.contains("15,00\u{A0}€") && french.contains("50,00\u{A0}€)"), "\(french)")
        let said = try second.run("merge", file, now: later).output
        for line in [
            "Bea “é” €15.00: removed, because its addition was undone",
            "budget (Streaming €50.00): removed, because", "budget (all subscriptions €60.00): removed, because",
            "budget (Pro): limit €9.00 → €10.00",
        ] {
            #expect(said.contains(line), "\(said)")
        }
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

    @Test func aDryRunLeavesTheFileAsItIs() throws {
        let client = try Client()
        let file = try client.folder.write("[]", to: "empty.json")
        // A missing database is not created.
        #expect(try client.run("import", "--format", "json", file, "--dry-run").status == 0)
        #expect(!FileManager.default.fileExists(atPath: client.store))
        _ = try client.add()
        let bytes = { try Data(contentsOf: URL(fileURLWithPath: client.store)) }
        let names = { try FileManager.default.contentsOfDirectory(atPath: client.folder.path).sorted() }
        let before = (try bytes(), try names())
        // Days have passed, which any other command would enter into the ledger.
        let report = try client.json("import", "--format", "json", file, "--dry-run", now: "2027-03-20T10:00:00Z")
        #expect(report["dry_run"] == .bool(true))
        #expect(try bytes() == before.0 && names() == before.1)
        #expect(try client.run("missed", now: "2027-03-20T10:00:00Z").status == 0)
        #expect(try bytes() != before.0)
    }

    @Test func aBackupIsWrittenThroughALink() throws {
        let client = try Client()
        _ = try client.add()
        let (link, target) = (client.folder.file("link"), client.folder.file("target"))
        #expect(symlink("target", link) == 0)
        for _ in 0..<2 {
            #expect(try client.run("backup", link).status == 0)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target")
            #expect(try client.run("restore", target).status == 0)
        }
        // A backup never replaces the database, even through several links.
        let second = client.folder.file("second")
        #expect(unlink(link) == 0 && symlink(client.store, link) == 0 && symlink("link", second) == 0)
        #expect(try client.run("backup", second).errors.hasPrefix("error: file: "))
        #expect(try client.json("list").each("name") == ["Netflix"])
    }

    @Test func aPassphraseFileIsTakenByteByByte() throws {
        let client = try Client()
        _ = try client.add()
        let sealed = client.folder.file("sealed")
        let file = { (bytes: [UInt8]) in
            let path = client.folder.file("phrase")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }
        #expect(try client.run("backup", sealed, "--seal", "--passphrase-file", file([0x0A, 0xE9, 0x0A])).status == 0)
        for wrong in [[0x0A, 0xE8, 0x0A], [0xE9, 0x0A], [0x0A, 0xE9, 0x0A, 0x0A]] as [[UInt8]] {
            let outcome = try client.run("restore", sealed, "--passphrase-file", file(wrong))
            #expect(outcome.status == 1 && outcome.errors.contains("wrong passphrase"), "\(outcome)")
        }
        #expect(try client.run("restore", sealed, "--passphrase-file", file([0x0A, 0xE9])).status == 0)
        // Anyone who gives a passphrase means to seal.
        #expect(try client.json("backup", sealed, "--passphrase-file", file([0x41]))["sealed"] == .bool(true))
        // Anyone who can write to the folder could put a plain one in its place.
        #expect(try client.run("backup", sealed).status == 0)
        for command in ["restore", "merge"] {
            let plain = try client.run(command, sealed, "--passphrase-file", file([0x0A, 0xE9]))
            #expect(plain.status == 1 && plain.errors.contains("is not sealed"), "\(plain)")
            #expect(try client.run(command, sealed).status == 0)
        }
        // A copy of a database is not sealed either.
        let other = try Client()
        _ = try other.add()
        let copy = client.folder.file("copy")
        try FileManager.default.copyItem(atPath: other.store, toPath: copy)
        for command in ["restore", "merge"] {
            let plain = try client.run(command, copy, "--passphrase-file", file([0x0A, 0xE9]))
            #expect(plain.status == 1 && plain.errors.contains("is not sealed"), "\(plain)")
        }
        let empty = try client.run("backup", sealed, "--seal", "--passphrase-file", file([0x0A]))
        #expect(empty.status == 1 && empty.errors.contains("requires a passphrase"))
    }

    @Test func jsonBringsEverySection() throws {
        let (first, second) = (try Client(), try Client())
        let people = try ["Zoé", "B"].map { try first.id("people", "add", "--name", $0) }
        _ = try first.id("groups", "add", "--name", "G", "--members", people.joined(separator: ","))
        let id = try first.add()
        #expect(try first.run("share", id, "--with", people[1]).status == 0)
        let text = try first.run("export", "--format", "json").output
        let file = try first.folder.write(text, to: "export.json")
        let report = try second.json("import", "--format", "json", file)
        #expect(report["others"]?["people"] == .number("2") && report["others"]?["groups"] == .number("1"))
        #expect(try second.run("export", "--format", "json").output == text)
        #expect(try second.json("show", id)["shares"]?.each("name") == ["B"])
        let unknown = try first.folder.write("{\"subscriptions\":[],\"wishes\":[]}", to: "unknown.json")
        let refused = try second.run("import", "--format", "json", unknown)
        #expect(refused.status == 1 && refused.errors.contains("wishes: Unknown section"))
    }
}
