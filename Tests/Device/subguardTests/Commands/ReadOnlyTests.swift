import Foundation
import TestKit
import Testing

/// A database that the user can read but not write.
@Suite struct ReadOnlyTests {
    private let client: Client
    private let program: String

    init() throws {
        client = try Client()
        program = client.folder.file("subguard")
        try FileManager.default.copyItem(
            atPath: Client.programs.appendingPathComponent("subguard").path, toPath: program)
        _ = try client.add("Été \"26\"")
        _ = try client.add("autre")
    }

    private func expectReadingAlone(_ reason: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: client.store))
        let names = try FileManager.default.contentsOfDirectory(atPath: client.folder.path).sorted()
        // A month after the last write, so that days have passed that are not in the file.
        for (arguments, word) in [
            (["list"], "Été \"26\""), (["total"], "EUR"), (["pending"], "Well done"), (["missed"], "2026-12-25"),
            (["score"], "0"), (["upcoming"], "2027-01-25"), (["export", "--format", "json"], "subguard-export"),
            (["export", "--format", "csv"], "autre"), (["forecast"], "2027-01"), (["cancel-by"], "2027-01-24"),
        ] {
            let outcome = try run(arguments)
            #expect(outcome.status == 0 && outcome.output.contains(word), "\(arguments): \(outcome)")
        }
        let id = try #require(try client.json("list").each("id").first)
        #expect(try run(["show", id]).status == 0)
        for arguments in [
            ["edit", id, "--notes", "x"], ["delete", id], ["pause", id], ["ack", "\(id):2026-12-25"],
            ["people", "add", "--name", "x"], ["budget", "set", "--amount", "5", "--currency", "EUR"],
        ] {
            let outcome = try run(arguments)
            #expect(outcome.status == 1, "\(arguments): \(outcome)")
            #expect(
                outcome.errors.contains(client.store) && outcome.errors.contains("is read-only: \(reason)"),
                "\(arguments): \(outcome)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: client.store)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: client.folder.path).sorted() == names)
    }

    /// Runs as a user to whom file permissions apply; root may write everywhere.
    private func run(_ arguments: [String]) throws -> Client.Outcome {
        let process = try client.process(arguments, now: "2026-12-26T10:00:00Z")
        if geteuid() == 0 {
            process.arguments =
                ["--reuid", "65534", "--regid", "65534", "--clear-groups", program] + (process.arguments ?? [])
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        }
        return try client.outcome(of: process)
    }

    /// Temporary files have no room either. The log of a killed process cannot be read in place without its index.
    @Test(
        .enabled(if: TrustStore.isAvailable, "no private mount namespace: unshare --map-root-user --mount is refused"),
        arguments: [false, true])
    func aFileOnAFullDiskIsReadAsItIs(hasLog: Bool) throws {
        let log = client.store + "-wal"
        if hasLog { try Data().write(to: URL(fileURLWithPath: log)) }
        func run(_ arguments: [String]) throws -> Client.Outcome {
            let process = try client.process(arguments, now: "2026-12-26T10:00:00Z")
            process.environment?["TMPDIR"] = client.folder.path
            TrustStore.wrap(
                process,
                """
                mount -t tmpfs -o size=2m none /mnt
                cp \(client.store) \(hasLog ? log : "") /mnt
                ! cat /dev/zero >/mnt/zero
                mount --bind /mnt \(client.folder.path)
                """)
            return try client.outcome(of: process)
        }
        let elsewhere = try TemporaryFolder()
        for (arguments, word) in [
            (["list"], "Été \"26\""), (["missed"], "2026-12-25"), (["status"], client.store),
            (["remind", "--dry-run"], "reminders"), (["backup", elsewhere.file("b.json")], "b.json"),
        ] {
            let outcome = try run(arguments)
            #expect(outcome.status == 0 && outcome.output.contains(word), "\(arguments): \(outcome)")
        }
        let refused = try run(["people", "add", "--name", "x"])
        #expect(refused.status == 1 && refused.errors.contains("is read-only: the disk is full"), "\(refused)")
    }

    @Test func aFileOfMode0444IsReadAsItIs() throws {
        #expect(chmod(client.folder.path, 0o777) == 0 && chmod(client.store, 0o444) == 0)
        try expectReadingAlone("Permission denied")
    }

    @Test func aFileInAFolderOfMode0555IsReadAsItIs() throws {
        #expect(chmod(client.store, 0o666) == 0 && chmod(client.folder.path, 0o555) == 0)
        defer { chmod(client.folder.path, 0o755) }
        try expectReadingAlone("Permission denied")
    }
}
