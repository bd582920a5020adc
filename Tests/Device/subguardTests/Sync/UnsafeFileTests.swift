import Foundation
import JSONWire
import TestKit
import Testing

/// Unexpected or unsafe files beside the database.
@Suite struct UnsafeFileTests {
    private let device: Client
    private var session: String { device.store + ".session" }

    init() throws {
        device = try Client(isPremium: false)
        _ = try device.add("Été “26”")
        _ = try device.run("suggest", "Radio")
        let credentials = #"{"server":"https://a.example","access_token":"a","refresh_token":"r"}"#
        try Data(credentials.utf8).write(to: URL(fileURLWithPath: session))
    }

    private func expectStatus(_ english: String, _ french: String) throws {
        let status = try device.run("status")
        #expect(status.status == 0 && status.errors == "", "\(status)")
        #expect(status.output.contains("account      \(english)\n"), "\(status)")
        for line in ["suggestions  1 waiting", "consent      not given yet", "premium      no"] {
            #expect(status.output.contains(line + "\n"), "\(line): \(status)")
        }
        let translated = try device.run("status", "--lang", "fr")
        #expect(translated.output.contains(" \(french)\n"), "\(translated)")
        let json = try device.json("status")
        #expect(json["account"]?["signed_in"] == .bool(false) && json["account"]?["problem"]?.stringValue == english)
        #expect(json["queues"]?["suggestions"]?.integerValue == 1)
    }

    @Test func aSessionThatOthersMayReadHidesNothingElse() throws {
        #expect(chmod(session, 0o644) == 0)
        try expectStatus(
            "\(session) can be read by other users; run chmod 600 on it, or sign out",
            "\(session) est lisible par d’autres utilisateurs ; lance chmod 600 dessus, ou déconnecte-toi")
        #expect(chmod(session, 0o600) == 0)
        #expect(try device.json("status")["account"]?["signed_in"] == .bool(true))
        #expect(try device.json("status")["account"]?["problem"] == .null)
    }

    @Test func neitherDoesALinkAPipeAFolderNorRubbish() throws {
        let elsewhere = try device.folder.write("{}", to: "elsewhere")
        let replace = { (make: (String) -> Int32) in
            #expect(unlink(session) == 0 || rmdir(session) == 0)
            #expect(make(session) == 0)
        }
        for make in [
            { symlink(elsewhere, $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) },
        ] as [(String) -> Int32] {
            replace(make)
            try expectStatus(
                "\(session) is not a regular file that you own",
                "\(session) n’est pas un fichier ordinaire qui t’appartient")
        }
        replace { open($0, O_WRONLY | O_CREAT, 0o600) >= 0 ? 0 : -1 }
        try expectStatus(
            "\(session) is damaged; sign out and in again",
            "\(session) est endommagé ; déconnecte-toi puis reconnecte-toi")
    }

    /// The target of a link is neither created nor opened.
    @Test func aLockThatIsALinkOrNoFileIsRefused() throws {
        let lock = device.store + ".sync-lock"
        let victim = device.folder.file("victim")
        for make in [
            { symlink(victim, $0) }, { symlink("/dev/null", $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) },
        ] as [(String) -> Int32] {
            #expect(unlink(lock) == 0 || rmdir(lock) == 0 || errno == ENOENT)
            #expect(make(lock) == 0)
            let outcome = try device.run("sync", "--server", "http://127.0.0.1:1")
            let reason = "\(lock) is not a regular file that you own; remove it"
            #expect(
                outcome.status == 1 && outcome.output.contains("catalogue    failed: \(reason)\n"), "\(outcome)")
            let translated = try device.run("sync", "--server", "http://127.0.0.1:1", "--lang", "fr")
            let french = "\(lock) n’est pas un fichier ordinaire qui t’appartient ; supprime-le"
            #expect(translated.output.contains("échec : \(french)\n"), "\(translated)")
            #expect(!FileManager.default.fileExists(atPath: victim))
            let json = try device.run("sync", "--server", "http://127.0.0.1:1", "--json")
            #expect(
                try JSONValue.parse(Array(json.output.utf8))["premium"]?["reason"]?.stringValue == "unsafe_lock")
        }
    }

    /// A database and a lock that a neighbour has put into a folder of a group.
    @Test(.enabled(if: geteuid() == 0, "only root can make files of another user"))
    func filesOfANeighbourAreRefused() throws {
        let device = try Client(database: "group/a.sqlite")
        let (group, store) = (device.folder.file("group"), device.store)
        try #require(mkdir(group, 0o777) == 0 && chmod(group, 0o2770) == 0)
        let giveAway = { (path: String) in chmod(path, 0o666) == 0 && lchown(path, 65_534, 65_534) == 0 }
        let add = { (language: String) in
            try device.run(
                "add", "--name", "Secret", "--amount", "9.99", "--currency", "EUR", "--cycle", "monthly", "--next",
                "2026-12-20", "--lang", language)
        }
        try device.folder.write("", to: "group/a.sqlite")
        try #require(giveAway(store))
        let refused = try add("en")
        let reason =
            "\(store) belongs to another user (nobody), in a folder that others may change; "
            + "move it away, or use a folder that only you may change"
        #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused)")
        let french = try add("fr")
        #expect(french.errors.contains("\(store) appartient à un autre utilisateur (nobody)"), "\(french)")
        #expect(try device.folder.bytes(of: "group/a.sqlite").isEmpty)

        try #require(unlink(store) == 0)
        #expect(try add("en").status == 0)
        for (lock, command) in [
            (".remind-lock", ["remind"]), (".sync-lock", ["sync", "--server", "http://127.0.0.1:1"]),
        ] {
            unlink(store + lock)
            try device.folder.write("", to: "group/a.sqlite" + lock)
            try #require(giveAway(store + lock))
            let outcome = try device.run(command)
            let reason = "\(store + lock) is not a regular file that you own; remove it"
            #expect(
                outcome.status == 1 && (outcome.errors + outcome.output).contains(reason), "\(outcome)")
        }
    }
}
