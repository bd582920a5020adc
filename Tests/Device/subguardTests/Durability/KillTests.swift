import Foundation
import JSONWire
import TestKit
import Testing

/// Kills the program with SIGKILL at random times: each command must have happened completely or not at all.
@Suite(.serialized) struct KillTests {
    /// Runs a command and kills it after a while. Returns whether it had ended on its own.
    private func runAndKill(_ client: Client, _ arguments: [String], after microseconds: UInt32) throws -> Bool {
        let process = try client.process(arguments)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        usleep(microseconds)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .exit
    }

    private func names(_ client: Client) throws -> [String] { try client.json("list").each("name") }

    private func requireSound(_ client: Client) throws {
        let check = try CertificateMaker.command(
            "python3",
            [
                "-c",
                """
                import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); \
                print(d.execute('pragma integrity_check').fetchall(), d.execute('pragma foreign_key_check').fetchall())
                """,
                client.store,
            ])
        #expect(check == "[('ok',)] []\n")
    }

    @Test func importsAreAllOrNothing() throws {
        let client = try Client()
        var random = SeededRandom(seed: 21)
        let rows = (0..<1500).map { "n\($0),1.00,EUR,monthly,2026-12-01" }
        let file = try client.folder.write(
            "name,amount,currency,cycle,next_billing_on\n" + rows.joined(separator: "\n"), to: "many.csv")
        _ = try client.add("first")
        var counts: Set<Int> = []
        var killed = 0
        for _ in 0..<(SeededRandom.isThorough ? 12 : 6) {
            let before = try names(client).count
            let ended = try runAndKill(
                client, ["import", "--format", "csv", file], after: UInt32.random(in: 20_000...900_000, using: &random))
            let after = try names(client).count
            #expect(after == before || after == before + 1500)
            if !ended { killed += 1 }
            counts.insert(after - before)
        }
        #expect(killed > 0, "every run ended before it was killed")
        try requireSound(client)
    }

    @Test func undosAreAllOrNothing() throws {
        let client = try Client()
        var random = SeededRandom(seed: 23)
        let rows = (0..<800).map { "n\($0),1.00,EUR,monthly,2026-12-01" }
        let file = try client.folder.write(
            "name,amount,currency,cycle,next_billing_on\n" + rows.joined(separator: "\n"), to: "many.csv")
        _ = try client.add("first")
        #expect(try client.run("import", "--format", "csv", file).status == 0)
        for _ in 0..<(SeededRandom.isThorough ? 8 : 4) {
            let before = try names(client).count
            let command = before == 1 ? "redo" : "undo"
            let ended = try runAndKill(client, [command], after: UInt32.random(in: 20_000...900_000, using: &random))
            let after = try names(client).count
            #expect(after == before || after == 802 - before)
            if ended { #expect(after != before) }
            let journal = try client.json("undo", "--list")
            #expect(journal.arrayValue?.first?["is_undone"] == .bool(after == 1))
        }
        try requireSound(client)
    }

    @Test func editsAndMergesAreAllOrNothing() throws {
        let (client, other) = (try Client(), try Client())
        var random = SeededRandom(seed: 22)
        let id = try client.add("0")
        for number in 0..<300 { if number % 100 == 0 { _ = try other.add("fremd \(number)") } }
        let rows = (0..<800).map { "m\($0),1.00,EUR,monthly,2026-12-01" }
        let many = try other.folder.write(
            "name,amount,currency,cycle,next_billing_on\n" + rows.joined(separator: "\n"), to: "many.csv")
        #expect(try other.run("import", "--format", "csv", many).status == 0)
        let file = other.folder.file("backup.json")
        #expect(try other.run("backup", file).status == 0)
        for round in 1...(SeededRandom.isThorough ? 15 : 7) {
            let ended = try runAndKill(
                client, ["edit", id, "--name", "\(round)", "--notes", "\(round)"],
                after: UInt32.random(in: 1000...60_000, using: &random))
            let shown = try client.json("show", id)
            #expect(shown["name"]?.stringValue == (shown["notes"]?.stringValue ?? "").ifEmpty("0"))
            if ended { #expect(shown["name"] == .string("\(round)")) }
        }
        for _ in 0..<(SeededRandom.isThorough ? 8 : 4) {
            _ = try runAndKill(client, ["merge", file], after: UInt32.random(in: 20_000...600_000, using: &random))
            let count = try names(client).count
            #expect(count == 1 || count == 804)
        }
        #expect(try client.run("merge", file).status == 0)
        #expect(try names(client).count == 804)
        try requireSound(client)
    }
}

extension String {
    fileprivate func ifEmpty(_ other: String) -> String { isEmpty ? other : self }
}
