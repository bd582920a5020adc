import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

extension OnlineTests {
    /// Over a long simulated use, the only entered data that leaves the device is the name of a suggestion.
    @Suite struct PrivacyTests {
        private static let secrets = [
            "Ärzte Geheim", "Kiné Xyloquartz", "Obskurfilm", "7319.87", "731987", "4242.42", "8181.93", "818193",
            "vertraulich “Notiz”",
            "Übertrag", "zoe.quartz@beispiel.example", "Zoé Quartz", "Maison Quartz", "+41795550123", "2027-03-19",
            "2027-08-31", "https://geheim.example/konto", "Kreditkarte 4111", "Hammergasse", "phrase", "store.sqlite",
        ]

        @Test func nothingLeavesButASuggestedName() throws {
            let server = try Server()
            let relay = try Relay(to: server.port)
            let environment = ["SUBGUARD_SERVER": "http://127.0.0.1:\(relay.port)"]
            let device = try Client(environment: environment)
            let other = try Client(environment: environment)
            let run = { (client: Client, arguments: [String], now: String) in
                let outcome = try client.run(arguments, now: now)
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
                return outcome.output.trimmingCharacters(in: .newlines)
            }
            try live(device, other, run)
            let paths = Set(relay.requestLines.map { $0.split(separator: " ")[1].prefix { $0 != "?" } })
            #expect(
                paths == [
                    "/api/v1/catalogue", "/api/v1/suggestions", "/api/v1/analytics", "/api/v1/analytics/erasure",
                    "/api/v1/crashes",
                ])
            let sent = relay.recorded.flatMap { $0 }
            #expect(LeakScan.secrets(Self.secrets, in: sent).isEmpty, "\(LeakScan.secrets(Self.secrets, in: sent))")
            #expect(LeakScan.secrets(["Vorgeschlagen & Söhne"], in: sent) == ["Vorgeschlagen & Söhne"])
            try expectOnlyKnownFields(sent)
            // The server has not received it by another way either.
            for name in ["server.sqlite", "server.sqlite-wal"] {
                let bytes = FileManager.default.contents(atPath: server.folder.file(name)) ?? Data()
                for secret in Self.secrets where secret.utf8.count > 5 {
                    #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
                }
            }
        }

        private func live(
            _ device: Client, _ other: Client, _ run: (Client, [String], String) throws -> String
        ) throws {
            let day = { (number: Int) in "2026-11-\(number < 10 ? "0" : "")\(number)T09:00:00Z" }
            _ = try run(device, ["consent", "grant"], day(1))
            _ = try run(device, ["search", "cine"], day(1))
            let first = try run(
                device,
                [
                    "add", "--name", "Ärzte Geheim", "--amount", "7319.87", "--currency", "EUR", "--cycle", "monthly",
                    "--next",
                    "2027-03-19", "--notes", "vertraulich “Notiz”", "--website", "https://geheim.example/konto",
                    "--payment-method", "Kreditkarte 4111", "--category", "Obskurfilm",
                ], day(1))
            _ = try run(device, ["sync"], day(1))
            _ = try run(
                device, ["add", "--from-catalogue", "netflix", "--next", "2026-11-05", "--name", "Kiné Xyloquartz"],
                day(2))
            _ = try run(device, ["edit", first, "--amount", "4242.42", "--name", "Übertrag"], day(3))
            _ = try run(device, ["price", first, "--amount", "8181.93", "--from", "2027-08-31"], day(3))
            let second = try run(device, ["list", "--json"], day(3))
            let id = try #require(try JSONValue.parse(Array(second.utf8)).each("id").first { $0 != first })
            _ = try run(device, ["ack", "\(id):2026-11-05"], day(5))
            _ = try run(device, ["paid", "\(id):2026-12-05", "--amount", "4242.42"], day(5))
            let zoe = try run(
                device, ["people", "add", "--name", "Zoé Quartz", "--email", "zoe.quartz@beispiel.example"], day(6))
            let group = try run(device, ["groups", "add", "--name", "Maison Quartz", "--members", zoe], day(6))
            _ = try run(
                device,
                [
                    "expenses", "add", "--group", group, "--title", "Hammergasse", "--amount", "7319.87", "--currency",
                    "EUR",
                    "--paid-by", zoe, "--on", "2026-11-06", "--split", "even", "--between", zoe,
                ], day(6))
            _ = try run(device, ["share", first, "--with", zoe, "--split", "even"], day(6))
            _ = try run(
                device, ["budget", "set", "--amount", "8181.93", "--currency", "EUR", "--period", "month"], day(6))
            _ = try run(device, ["suggest", "Vorgeschlagen & Söhne"], day(7))
            _ = try run(device, ["sync", "--force"], day(8))
            let backup = device.folder.file("quartz.json")
            _ = try run(device, ["backup", backup], day(9))
            _ = try run(other, ["consent", "grant"], day(9))
            _ = try run(other, ["merge", backup], day(9))
            _ = try run(other, ["sync"], day(9))
            _ = try run(other, ["delete", id], day(10))
            _ = try run(other, ["sync", "--force"], day(11))
            _ = try run(device, ["search", "musique"], day(12))
            _ = try run(device, ["pause", first], day(12))
            _ = try run(device, ["sync", "--force"], day(14))
            _ = try run(other, ["account", "erase"], day(15))
            _ = try run(device, ["consent", "revoke"], day(16))
            _ = try run(device, ["sync", "--force"], day(17))
        }

        /// Bodies and fields contain only what docs/privacy.md lists.
        private func expectOnlyKnownFields(_ sent: [UInt8]) throws {
            let text = String(decoding: sent, as: UTF8.self)
            let known: Set<String> = [
                "host", "user-agent", "accept", "accept-language", "accept-encoding", "content-type", "content-length",
                "if-none-match", "connection",
            ]
            for line in text.split(separator: "\r\n") where line.contains(": ") && !line.hasPrefix("{") {
                let name = line.prefix { $0 != ":" }.lowercased()
                #expect(known.contains(name), "\(line)")
                if name == "user-agent" { #expect(line.hasSuffix("subguard/0.1.0"), "\(line)") }
            }
            let members = Set(text.matches(of: /"([a-z_]+)":/).map { String($0.1) })
            let allowed: Set<String> = [
                "events", "sent_at", "id", "name", "user_id", "timestamp", "properties", "suggestions", "app_version",
                "platform", "catalogue_item_id", "sessions", "started_at", "total", "crashed",
            ]
            #expect(members.isSubset(of: allowed), "\(members.subtracting(allowed))")
        }
    }
}
