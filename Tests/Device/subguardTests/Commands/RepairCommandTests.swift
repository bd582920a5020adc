import Foundation
import JSONWire
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

@Suite struct RepairCommandTests {
    private let now = "2026-11-20T10:00:00Z"

    /// The clock of the device ran ten years ahead for a day.
    @Test(arguments: ["en", "fr"])
    func whatLiesAheadIsRefusedElsewhereUntilItIsRepaired(_ language: String) throws {
        let (device, other) = (try Client(), try Client())
        let id = try device.id(
            "add", "--name", "Été “26” 🎉", "--amount", "12.34", "--currency", "EUR", "--cycle", "monthly", "--next",
            "2036-01-15", now: "2036-01-01T10:00:00Z")
        _ = try device.run("price", id, "--amount", "15", "--from", "2036-02-15", now: "2036-01-01T10:00:00Z")
        let file = device.folder.file("b.json")
        #expect(try device.run("backup", file).status == 0)
        let status = try device.run("status", "--lang", language)
        #expect(status.status == 0 && status.errors.contains("`subguard repair clock`"))
        #expect(try device.json("status")["clock_ahead"]?.stringValue == "2036-01-01T10:00:00Z")
        let refused = try other.run("merge", file, "--lang", language)
        #expect(refused.status == 0)
        let lines = refused.output.split(separator: "\n")
        #expect(lines.first == (language == "fr" ? "aucun changement" : "no changes"))
        #expect(
            refused.output.contains(language == "fr" ? "2 lignes datées du futur" : "2 rows with times of the future"))
        #expect(refused.output.contains("  Été “26” 🎉 (") && refused.output.contains("`subguard repair clock`"))
        #expect(try other.json("merge", file)["refused"]?.each("table") == ["subscriptions", "prices"])
        #expect(try other.json("list").arrayValue?.isEmpty == true)

        #expect(try device.json("repair", "clock")["rows"]?.integerValue == 2)
        #expect(try device.run("repair", "clock", "--lang", language).output.split(separator: "\n").count == 1)
        #expect(try device.json("status")["clock_ahead"] == .null)
        #expect(try device.run("backup", file).status == 0)
        #expect(try other.run("merge", file).status == 0)
        #expect(try other.json("list").each("name") == ["Été “26” 🎉"])
    }

    /// Each device put one of two subscriptions into the other, as a bundle; neither would be counted.
    @Test func subscriptionsThatIncludeEachOtherAreCounted() throws {
        let (device, other) = (try Client(), try Client())
        let (first, second) = (try device.add("Été “26”"), try device.add("Zoom 🎉"))
        let file = device.folder.file("b.json")
        func exchange(_ from: Client, _ to: Client) throws {
            #expect(try from.run("backup", file).status == 0)
            #expect(try to.run("merge", file).status == 0)
        }
        try exchange(device, other)
        #expect(try device.run("edit", first, "--bundled-in", second, now: "2026-11-20T10:00:01Z").status == 0)
        #expect(try other.run("edit", second, "--bundled-in", first, now: "2026-11-20T10:00:02Z").status == 0)
        try exchange(other, device)
        try exchange(device, other)
        for client in [device, other] {
            let rows = try client.json("list").arrayValue ?? []
            #expect(rows.count { $0["bundled"] == .bool(true) } == 1 && rows.count == 2)
            #expect(try client.json("total").each("count") == ["1"])
            #expect(try client.run("edit", first, "--notes", "12.34").status == 0)
        }
    }

    /// A trigger of another program would change what later commands store.
    @Test func statusNamesWhatAnotherProgramHasAddedToTheDatabase() throws {
        let device = try Client()
        _ = try device.add()
        #expect(try device.json("status")["foreign_objects"]?.arrayValue?.isEmpty == true)
        let store = try SQLiteStore(path: device.store)
        try store.write { try $0.execute("CREATE TRIGGER skim AFTER UPDATE ON subscriptions BEGIN SELECT 1; END") }
        try store.close()
        #expect(
            try device.json("status")["foreign_objects"]?.arrayValue?.map(\.stringValue)
                == [#"trigger "skim" is not part of it"#])
        let french = try device.run("status", "--lang", "fr")
        #expect(french.status == 0)
        #expect(french.errors.hasPrefix("attention : un autre programme a modifié la base de données : "))
    }
}
