import Foundation
import JSONWire
import TestKit
import Testing

extension ProgramTests {
    struct HistoryLoadTests {
        private func load(
            _ installation: Installation, port: Int, token: String?,
            _ more: [String] = ["--devices", "120", "--weeks", "6"]
        ) async throws -> Installation.Outcome {
            let process = try installation.start(
                .load, ["--history", "--url", "http://127.0.0.1:\(port)/"] + more,
                variables: token.map { ["SUBGUARD_TOKEN": $0] } ?? [:])
            let ending = try await process.ending(withinSeconds: 60)
            return Installation.Outcome(ending: ending, output: process.output, errors: process.errors)
        }

        /// The four numbers of the first line: sent, accepted, duplicates, rejected.
        private func totals(_ outcome: Installation.Outcome) throws -> [Int] {
            let line = String(try #require(outcome.outputLines.first))
            let numbers = /(\d+) events of 120 devices in [\d.]+ s: (\d+) accepted, (\d+) duplicates, (\d+) rejected/
            let match = try #require(try numbers.wholeMatch(in: line))
            return [match.1, match.2, match.3, match.4].compactMap { Int($0) }
        }

        /// The all-time values in the table.
        private func allTimeValues(_ outcome: Installation.Outcome) throws -> [String: Int] {
            var values: [String: Int] = [:]
            for name in ["total users", "subscriptions tracked", "premium conversions"] {
                let line = try #require(outcome.outputLines.first { $0.hasPrefix(name) })
                values[name] = Int(try #require(line.dropFirst(name.count).split(separator: " ").first))
            }
            return values
        }

        @Test func sendsItsHistoryOnceHoweverOftenItRuns() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            try await installation.importSmallCatalogue()
            #expect(try await holds { try server.json("/api/v1/catalogue")?["items"]?.arrayValue?.count == 4 })
            let token = try await installation.makeToken(role: "analyst")

            let first = try await load(installation, port: server.port, token: token)
            #expect(first.succeeded)
            let sent = try totals(first)
            #expect(sent[0] > 1000)
            #expect(sent == [sent[0], sent[0], 0, 0])
            #expect(first.errors.contains("100 %: 120 of 120 devices, \(sent[0]) events\n"))
            #expect(!first.errors.contains("\r"))

            let second = try await load(
                installation, port: server.port, token: token,
                [
                    "--devices", "120", "--weeks", "6", "--server-pid", "\(server.process.id)", "--server-store",
                    installation.storePath,
                ])
            #expect(second.outputLines.count { $0.hasPrefix("server: ") } == 2)
            #expect(try totals(second) == [sent[0], 0, sent[0], 0])
            // The totals are equal: nothing was counted twice. Weeks end now, so their values change between two runs.
            #expect(try allTimeValues(first).count == 3)
            #expect(try allTimeValues(second) == allTimeValues(first))

            let dashboard = try server.json("/api/v1/admin/dashboard", token: token)
            #expect(dashboard?["total_users"]?.objectValue?["value"]?.integerValue == 120)
            let tracked = try #require(
                dashboard?["subscriptions_tracked"]?.objectValue?["value"]?.integerValue)
            #expect(tracked > 100)
            #expect(first.outputLines.contains { $0.hasPrefix("total users ") && $0.contains(" 120 ") })
            #expect(first.outputLines.contains { $0.contains(" \(tracked) ") })
            #expect(try await server.stop() == .exited(0))
            #expect(try installation.eventIDs().count == sent[0])
            let verified = try await installation.run("figures", "verify")
            #expect(verified.output == "\(sent[0]) events, 120 users, no difference\n")
            let unknownItems = """
                SELECT count(*) FROM item_additions WHERE item_id NOT IN (SELECT id FROM catalogue_items)
                """
            #expect(try installation.integer(unknownItems) == 0)
        }

        @Test func failsClearlyBeforeItSendsAnything() async throws {
            let installation = try Installation()
            let server = try await installation.serve()
            let token = try await installation.makeToken(role: "analyst")
            let moderator = try await installation.makeToken(role: "moderator")
            let wrong = "sgt_AAAAbbbbCCCCddddEEEEffffGGGGhhhhIIIIjjjjKKK"
            for (token, status, words) in [
                (token, 1, ["catalogue is empty", "catalogue import"]), (moderator, 1, ["403", "metrics.read"]),
                (wrong, 1, ["401"]), (nil, 2, ["SUBGUARD_TOKEN"]), ("", 2, ["SUBGUARD_TOKEN"]),
            ] as [(String?, Int32, [String])] {
                let outcome = try await load(installation, port: server.port, token: token)
                #expect(outcome.ending == .exited(status))
                #expect(outcome.output.isEmpty)
                for word in words { #expect(outcome.errors.contains(word)) }
                if let token, !token.isEmpty { #expect(!outcome.errors.contains(token)) }
            }
            try await server.stop()
            let outcome = try await load(installation, port: server.port, token: token)
            #expect(outcome.ending == .exited(1))
            #expect(outcome.errors == "--url: nothing answers at 127.0.0.1:\(server.port)\n")
            #expect(try installation.eventIDs().isEmpty)
        }

        @Test(arguments: [
            ["--devices", "0"], ["--weeks", "57"], ["--weeks", "0"], ["--seed", "-1"], ["--url", "localhost:8080"],
            ["--url", "ftp://127.0.0.1"], ["--url", "http://me:secret@127.0.0.1"], ["--what"], ["--rate", "5"],
            ["--days", "3"], ["--json", "x.json"],
        ])
        func refusesArgumentsThatMakeNoSense(arguments: [String]) async throws {
            let installation = try Installation()
            let outcome = try await load(installation, port: 1, token: "x", arguments)
            #expect(outcome.ending == .exited(2))
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(arguments[0]))
            #expect(!outcome.errors.contains("secret"))
        }
    }
}
