import Foundation
import JSONWire
import TestKit
import Testing

@Suite struct RemindCommandTests {
    private let due = "2026-11-22T10:00:00Z"

    /// A shell script on the PATH of the client.
    private func script(_ name: String, _ lines: String, in client: Client) throws -> String {
        let folder = client.folder.file("bin")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try client.folder.write("#!/bin/sh\n\(lines)\n", to: "bin/\(name)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    private func lines(_ name: String, _ client: Client) -> [String] {
        let text = (try? client.folder.bytes(of: name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    @Test func printsWhatIsDueOnce() throws {
        let client = try Client()
        let id = try client.add("Netflix")
        #expect(try client.json("remind") == .array([]))
        #expect(try client.json("remind", "--dry-run", now: due).each("name") == ["Netflix"])
        #expect(
            try client.json("remind", "--dry-run", "--lang", "fr", now: due).each("text")
                == ["Netflix\u{202F}: échéance de 13,49\u{A0}€ dans 3 jours, le 25/11/2026"])
        let told = try client.json("remind", now: due)
        #expect(told[0]?.names == ["id", "kind", "subscription_id", "name", "on", "due_at", "text"])
        #expect(told.each("id") == ["subscription-\(id)-2026-11-25-3"] && told.each("kind") == ["charge"])
        #expect(told.each("due_at") == ["2026-11-22T08:00:00Z"] && told.each("on") == ["2026-11-25"])
        #expect(told.each("text") == ["Netflix: €13.49 due in 3 days, on 2026-11-25"])
        #expect(try client.json("remind", now: due) == .array([]))
        #expect(try client.run("remind", "--lang", "fr", now: due).output == "Aucun rappel à faire.\n")
    }

    @Test func aProgramGetsJSONAndItsStatusCounts() throws {
        let client = try Client()
        let names = ["Ça \"va\" 🎉", "b <&> c\\n"]
        for name in names { _ = try client.add(name) }
        #expect(try client.json("remind") == .array([]))
        let failing = try script("fail", "exit 3", in: client)
        let refused = try client.run("remind", "--exec", failing, now: due)
        #expect(refused.status == 1)
        #expect(refused.errors == "error: 2 of 2 reminders not delivered: \(failing) exited with status 3\n")
        let french = try client.run("remind", "--exec", failing, "--lang", "fr", "--json", now: due)
        #expect(french.errors.contains("s’est terminé avec le statut 3"))
        #expect(try JSONValue.parse(Array(french.output.utf8))["error"]?["code"] == .string("not_delivered"))
        // The first one is refused, the other one is not.
        let half = try script("half", "cat >>\"$HOME/got\"; ! tail -1 \"$HOME/got\" | grep -q '<'", in: client)
        #expect(try client.run("remind", "--exec", half, now: due).status == 1)
        let taking = try script("take", "cat >>\"$HOME/taken\"; echo noise", in: client)
        let told = try client.json("remind", "--exec", taking, now: due)
        #expect(told.each("name") == [names[1]])
        let got = try lines("taken", client).map { try JSONValue.parse(Array($0.utf8)) }
        #expect(got.map { $0["name"] } == [.string(names[1])])
        #expect(try client.json("remind", "--exec", taking, now: due) == .array([]))
        let ignoring = try client.run("remind", "--exec", "/bin/true", now: due)
        #expect(ignoring.status == 0 && ignoring.output.isEmpty)
    }

    /// Such as a player of a sound. Its status is that of the program, not of what runs on.
    @Test(arguments: [0, 3])
    func aProgramMayLeaveAnotherOneRunning(status: Int) throws {
        let client = try Client()
        _ = try client.add("a")
        #expect(try client.json("remind") == .array([]))
        let leaving = try script(
            "leave", "sleep 600 >/dev/null 2>&1 & echo $! >\"$HOME/left\"; exit \(status)", in: client)
        let outcome = try client.run("remind", "--exec", leaving, now: due)
        let left = try #require(lines("left", client).first.flatMap { Int32($0) })
        #expect(kill(left, SIGKILL) == 0, "it runs on")
        #expect(outcome.status == (status == 0 ? 0 : 1), "\(outcome)")
        #expect(outcome.errors.contains("exited with status 3") == (status == 3), "\(outcome)")
    }

    @Test func programsGetNoSecretsOfThisOne() throws {
        let secrets = [
            "SUBGUARD_PASSPHRASE": "correct horse", "SUBGUARD_SMTP_URL": "smtps://a:b@c", "GREETING": "hello",
        ]
        let client = try Client(environment: secrets)
        _ = try client.add("a")
        #expect(try client.json("remind") == .array([]))
        let dumping = try script("dump", "env >\"$HOME/environment\"", in: client)
        #expect(try client.run("remind", "--exec", dumping, now: due).status == 0)
        let names = lines("environment", client).map { $0.prefix { $0 != "=" } }
        #expect(
            names.contains("GREETING")
                && !names.contains { $0.hasPrefix("SUBGUARD_PASS") || $0.hasPrefix("SUBGUARD_SMTP") })
    }

    @Test func programsThatCannotBeStarted() throws {
        let client = try Client()
        _ = try client.add("a")
        #expect(try client.json("remind") == .array([]))
        for (program, reason) in [
            ("/no/such", "No such file or directory"), ("/tmp", "Is a directory"),
            ("no-such-program", "not found on PATH"),
        ] {
            let refused = try client.run("remind", "--exec", program, now: due)
            #expect(refused.status == 1 && refused.errors.contains("cannot start \(program): \(reason)"), "\(refused)")
        }
        #expect(try client.run("remind", "--notify", "--mail", now: due).status == 64)
        #expect(try client.json("remind", now: due).each("name") == ["a"])
    }

    @Test func notificationsGoThroughNotifySend() throws {
        let folder = try TemporaryFolder()
        let client = try Client(environment: ["PATH": folder.path + ":/usr/bin:/bin"])
        let path = try folder.write(
            "#!/bin/sh\nfor word; do echo \"$word\"; done >>\"$HOME/shown\"\n", to: "notify-send")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let added = try client.run(
            "add", "--name=--urgent <b>", "--amount", "13.49", "--currency", "EUR", "--cycle", "monthly", "--next",
            "2026-11-25")
        #expect(added.status == 0, "\(added.errors)")
        #expect(try client.json("remind") == .array([]))
        #expect(try client.run("remind", "--notify", now: due).output == "1 reminder delivered\n")
        #expect(
            lines("shown", client) == [
                "--app-name=SubGuard", "--icon=appointment-soon", "--category=reminder", "--", "--urgent <b>",
                "€13.49 due in 3 days, on 2026-11-25",
            ])
        #expect(try client.run("remind", "--notify", now: due).output.isEmpty)
    }

    @Test func twoAtOnceTellEachOnce() throws {
        let client = try Client()
        for number in 1...5 { _ = try client.add("n\(number)") }
        #expect(try client.json("remind") == .array([]))
        let slow = try script("slow", "sleep 0.1; cat >>\"$HOME/told\"", in: client)
        let processes = try (1...4).map { _ in try client.process(["remind", "--exec", slow], now: due) }
        for process in processes { try process.run() }
        for process in processes { process.waitUntilExit() }
        #expect(processes.map(\.terminationStatus) == [0, 0, 0, 0])
        #expect(lines("told", client).count == 5)
    }

    /// Only the one that the program was taking may come twice.
    @Test func whatWasTakenBeforeARunIsKilledIsToldOnce() throws {
        let client = try Client()
        for number in 1...5 { _ = try client.add("n\(number)") }
        #expect(try client.json("remind") == .array([]))
        let killing = try script(
            "kill", "cat >>\"$HOME/told\"; [ $(wc -l <\"$HOME/told\") != 3 ] || kill -9 $PPID", in: client)
        let process = try client.process(["remind", "--exec", killing], now: due)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && lines("told", client).count == 3)
        #expect(try client.run("remind", "--exec", killing, now: due).status == 0)
        let names = try lines("told", client).map { try JSONValue.parse(Array($0.utf8))["name"]?.stringValue ?? "" }
        #expect(names.count == 6 && Set(names).count == 5 && names[2] == names[3])
    }

    @Test func mailNeedsItsVariables() throws {
        for (environment, reason) in [
            ([:], "SUBGUARD_SMTP_URL is not set"),
            (["SUBGUARD_SMTP_URL": "http://a"], "SUBGUARD_SMTP_URL is invalid"),
            (["SUBGUARD_SMTP_URL": "smtp://127.0.0.1:9"], "SUBGUARD_MAIL_TO is not set"),
            (["SUBGUARD_SMTP_URL": "smtp://127.0.0.1:9", "SUBGUARD_MAIL_TO": "a"], "SUBGUARD_MAIL_TO is invalid"),
            (
                ["SUBGUARD_SMTP_URL": "smtp://u:secret@127.0.0.1:9", "SUBGUARD_MAIL_TO": "a@b.c"],
                "the mail server cannot be reached: Couldn't connect to server"
            ),
        ] as [([String: String], String)] {
            let client = try Client(environment: environment)
            _ = try client.add("a")
            #expect(try client.json("remind") == .array([]))
            let refused = try client.run("remind", "--mail", now: due)
            #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused.errors)")
            #expect(!refused.errors.contains("secret"))
            let french = try client.run("remind", "--mail", "--lang", "fr", now: due).errors
            #expect(!french.contains(" is ") && !french.contains("connect to"), "\(french)")
            #expect(try client.json("remind", now: due).each("name") == ["a"])
        }
    }

    @Test func nothingIsToldWithoutTheLock() throws {
        let client = try Client()
        _ = try client.add("a")
        #expect(try client.json("remind") == .array([]))
        let taking = try script("take", "cat >>\"$HOME/taken\"", in: client)
        // The lock is a folder: two runs at once could not be kept apart.
        let lock = client.store + ".remind-lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let refused = try client.run("remind", "--exec", taking, now: due)
        #expect(
            refused.status == 1 && refused.errors.contains("is not a regular file that you own; remove it"),
            "\(refused.errors)")
        #expect(lines("taken", client).isEmpty)
        #expect(try client.json("remind", "--dry-run", now: due).each("name") == ["a"])
    }

    @Test func preferencesAreSettings() throws {
        let client = try Client()
        _ = try client.add("a")
        let id = try client.add("b", "--remind", "default,no-charge")
        #expect(try client.json("show", id)["remind"] == .string("default,no-charge"))
        #expect(try client.json("reminders").each("title") == ["a is due in 3 days"])
        #expect(try client.run("settings", "set", "reminders.days", "1,2").output == "2,1\n")
        #expect(try client.run("settings", "set", "reminders.time", "21:30").status == 0)
        #expect(try client.json("reminders").each("title") == ["a is due in 2 days", "a is due tomorrow"])
        #expect(try client.json("reminders").each("fire_at")[0] == "2026-11-23T20:30:00Z")
        #expect(try client.run("undo").status == 0)
        #expect(try client.json("reminders").each("fire_at")[0] == "2026-11-23T08:00:00Z")
        #expect(try client.json("reminders", "--at", "10:00").each("fire_at")[0] == "2026-11-23T09:00:00Z")
        let refused = try client.run("settings", "set", "reminders.kinds", "all", "--lang", "fr")
        let reason = "reminders.kinds : doit être none, ou une partie de ces valeurs : charge,trial_end,"
        #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused.errors)")
    }
}
