import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct UndoCommandTests {
    @Test func undoAndRedoAnswerWhatTheyDid() throws {
        let client = try Client()
        let id = try client.add()
        _ = try client.json("price", id, "--amount", "15.99", "--from", "2027-01-01")
        let listed = try client.json("undo", "--list")
        #expect(listed.each("what") == ["Netflix: price €15.99 from 2027-01-01", "Netflix: added €13.49"])
        #expect(listed.each("at") == Array(repeating: "2026-11-20T10:00:00Z", count: 2))
        // Programs get the spaces of print; the terminal below gets plain ones.
        #expect(
            try client.json("undo", "--list", "--lang", "fr").each("what")
                == [
                    "Netflix\u{202F}: prix 15,99\u{A0}€ à partir du 01/01/2027",
                    "Netflix\u{202F}: ajouté 13,49\u{A0}€",
                ])
        let undone = try client.json("undo")
        #expect(undone["undone"]?.each("what") == ["Netflix: price €15.99 from 2027-01-01"])
        #expect(undone["undone"]?.each("id") == [listed.each("id")[0]] && undone["left"]?.arrayValue == [])
        #expect(try client.json("show", id)["prices"]?.arrayValue?.count ?? 0 <= 1)
        #expect(try client.run("redo").output == "redone: Netflix: price €15.99 from 2027-01-01\n")
        #expect(
            try client.run("undo", "2", "--lang", "fr").output
                == """
                annulé : Netflix : prix 15,99\u{A0}€ à partir du 01/01/2027
                annulé : Netflix : ajouté 13,49\u{A0}€\n
                """
        )
        #expect(try client.json("list").arrayValue?.isEmpty == true)
        let table = try client.run("undo", "--list").output.split(separator: "\n").map(String.init)
        #expect(table.count == 3 && table[1].hasSuffix("undone"))
    }

    @Test func whatCannotBeUndoneIsSaidInBothLanguages() throws {
        let client = try Client()
        for (command, english, french) in [
            ("undo", "nothing to undo", "rien à annuler"), ("redo", "nothing to redo", "rien à rétablir"),
        ] {
            #expect(try client.run(command).errors == "error: \(english)\n")
            #expect(try client.run(command, "--lang", "fr").errors == "erreur : \(french)\n")
            let refused = try client.run(command, "--json")
            #expect(refused.status == 1 && refused.output.contains("\"nothing_to_\(command)\""))
        }
        _ = try client.add()
        #expect(try client.run("undo", "2").errors == "error: count: Must be at most 1: there are no more changes.\n")
        #expect(
            try client.run("undo", "2", "--lang", "fr").errors.contains(
                "Doit être au plus 1 : il n’y a pas d’autre modification"))
    }

    @Test func anUndoneAdditionGoesFromOtherDevicesAndDoesNotReturn() throws {
        let (client, other) = (try Client(), try Client())
        let (file, theirs) = (client.folder.file("a.json"), other.folder.file("b.json"))
        let id = try client.add("Café “é”")
        _ = try client.json("backup", file)
        _ = try other.json("merge", file)
        _ = try other.json("backup", theirs)
        _ = try client.json("undo")
        #expect(try client.run("merge", theirs).output == "no changes\n")
        #expect(try client.json("list").arrayValue?.isEmpty == true)
        _ = try client.json("backup", file)
        let preview = try other.run("merge", file, "--dry-run", "--lang", "fr").output
        #expect(preview == "Café “é” : retiré, car son ajout a été annulé\n")
        let merged = try other.json("merge", file)
        #expect(merged["removed"]?.each("name") == ["Café “é”"] && merged["removed"]?.each("key") == [id])
        #expect(merged["removed"]?.each("table") == ["subscriptions"])
        #expect(try other.json("list").arrayValue?.isEmpty == true)
        _ = try client.json("redo")
        _ = try client.json("backup", file)
        #expect(try other.run("merge", file).output.hasPrefix("1 subscription added\n"))
    }

    @Test func restoreAndMergeSayWhereTheCopyIs() throws {
        let (client, other) = (try Client(), try Client())
        _ = try client.add("a")
        _ = try other.add("b")
        let (file, theirs) = (client.folder.file("a.json"), other.folder.file("b.json"))
        #expect(try client.run("backup", file).status == 0 && other.run("backup", theirs).status == 0)
        let merged = try client.json("merge", theirs)
        let copy = try #require(merged["safety_copy"]?.stringValue)
        #expect(copy.contains("/store.sqlite.backups/before-merge-") && FileManager.default.fileExists(atPath: copy))
        let text = try client.run("restore", file).output
        #expect(text.hasPrefix("restored 1 subscription\nwhat was there before is kept in "))
        let listed = try client.json("backups")
        #expect(listed.each("kind") == ["before_restore", "before_merge", "manual", "automatic"])
        #expect(listed.each("subscriptions") == ["2", "1", "1", "1"] && listed.each("number") == ["1", "2", "3", "4"])
        #expect(listed.each("path")[2] == file)
        // By its number, then by its name.
        #expect(try client.json("restore", "1")["subscriptions"] == .integer(2))
        #expect(try client.json("restore", listed.each("name")[1])["subscriptions"] == .integer(1))
        #expect(try client.json("undo", "2")["undone"]?.arrayValue?.count == 2)
        #expect(try client.json("list").each("name") == ["a"])
        #expect(try client.run("restore", "99").status == 1)
        let table = try client.run("backups", "--lang", "fr").output
        #expect(table.contains("avant une fusion") && table.contains("manuelle") && table.contains(" ko"))
    }

    @Test func statusShowsAndWarnsOfTheLastBackup() throws {
        let client = try Client()
        #expect(try client.json("status")["backup"]?["is_overdue"] == .bool(false))
        _ = try client.add()
        let fresh = try client.json("status")
        #expect(fresh["backup"]?["last_at"] == .string("2026-11-20T10:00:00Z"))
        let late = try client.run("status", now: "2026-12-20T10:00:00Z")
        #expect(late.output.contains("last backup  2026-11-20 11:00, automatic"))
        #expect(late.errors == "warning: the last backup is 30 days old; run `subguard backup FILE`\n")
        #expect(
            try client.run("status", "--lang", "fr", now: "2026-12-20T10:00:00Z").errors.contains("date de 30 jours"))
        #expect(try client.run("settings", "set", "backup_warning_days", "31").output == "31\n")
        #expect(try client.run("status", now: "2026-12-20T10:00:00Z").errors.isEmpty)
    }

    @Test func settingsAreListedCheckedAndUndone() throws {
        let client = try Client()
        let names = [
            "home_currency", "language", "backup_warning_days", "reminders.time", "reminders.quiet_hours",
            "reminders.days", "reminders.cancel_by_days", "reminders.kinds",
        ]
        #expect(try client.json("settings", "list").each("name") == names)
        #expect(try client.json("settings", "get", "backup_warning_days")["value"] == .string("30"))
        #expect(try client.run("settings", "set", "language", "fr").output == "fr\n")
        // The language holds for refusals too; the flag wins.
        #expect(try client.run("restore", "99").errors.hasPrefix("erreur : fichier introuvable"))
        #expect(try client.run("undo", "--lang", "en").output == "undone: language: French\n")
        #expect(try client.run("restore", "99").errors.hasPrefix("error: file not found"))
        let unknown = try client.run("settings", "get", "theme")
        #expect(unknown.errors == "error: name: Must be one of \(names.joined(separator: ", ")).\n")
        #expect(try client.run("settings", "set", "home_currency", "EURO").status == 1)
        #expect(
            try client.run("settings", "set", "language", "de").errors == "error: language: Must be one of fr, en.\n")
    }
}
