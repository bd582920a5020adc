import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    @Suite struct QueueCommandTests {
        private func names(_ server: Server) throws -> [(name: String, count: String)] {
            let items = try server.get("/api/v1/admin/suggestions?status=pending")["items"]
            return Array(zip(items?.each("name") ?? [], items?.each("count") ?? []))
        }

        @Test func whatIsSentAgainCountsOnce() throws {
            let server = try Server()
            let relay = try Relay(to: server.port)
            let device = try Client(
                environment: ["SUBGUARD_SERVER": "http://127.0.0.1:\(relay.port)", "SUBGUARD_CONSENT": "true"])
            for number in 1...5 { _ = try device.add("Name \(number)") }
            _ = try device.run("suggest", "Été “Radio” 12.34% 🎉")
            // Every response of a whole synchronisation is lost: 3 attempts for the first part, then one for each other
            // part.
            relay.behave(.dropAnswers(50))
            let failed = try device.run("sync", "--json")
            #expect(failed.status == 1 && relay.droppedAnswers >= 5)
            relay.behave(.pass)
            let report = try JSONValue.parse(Array(failed.output.utf8))
            for part in ["catalogue", "suggestions", "analytics"] {
                #expect(report[part]?["result"]?.stringValue == "failed", "\(part)")
            }
            let again = try device.json("sync")
            #expect(again["analytics"]?["accepted"]?.integerValue == 0)
            #expect(again["analytics"]?["duplicates"]?.integerValue == 9)
            #expect(again["suggestions"]?["duplicates"]?.integerValue == 1)
            #expect(try server.figure("subscriptions_tracked") == 5)
            #expect(try server.figure("total_users") == 1)
            #expect(try names(server).map(\.count) == ["1"])
            // Sent and settled: nothing is left, and a further synchronisation makes no request.
            #expect(try device.json("status")["queues"]?["events"]?.integerValue == 0)
            _ = try device.json("sync")
            let requests = relay.requestLines.count
            _ = try device.json("sync")
            #expect(relay.requestLines.count == requests)
        }

        @Test func severalProcessesOnOneStoreSendNothingTwice() throws {
            let server = try Server()
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address, "SUBGUARD_CONSENT": "true"])
            let rows = (1...1200).map { "S\($0),1.50,EUR,monthly,2026-12-24" }
            let csv = try device.folder.write(
                (["name,amount,currency,cycle,next"] + rows).joined(separator: "\n"), to: "many.csv")
            _ = try device.json("import", "--format", "csv", csv)
            let processes = try (0..<4).map { _ in try device.process(["sync", "--json"]) }
            for process in processes {
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
            }
            for process in processes { process.waitUntilExit() }
            #expect(processes.allSatisfy { $0.terminationStatus == 0 })
            #expect(try server.figure("subscriptions_tracked") == 1200)
            #expect(try device.json("status")["queues"]?["events"]?.integerValue == 0)
        }

        @Test func aProcessThatIsKilledLosesAndDoublesNothing() throws {
            let server = try Server()
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address, "SUBGUARD_CONSENT": "true"])
            for round in 1...6 {
                for number in 1...3 { _ = try device.add("S\(round)-\(number)") }
                let process = try device.process(["sync"])
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                Thread.sleep(forTimeInterval: Double(round) * 0.015)
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            _ = try device.json("sync")
            #expect(try server.figure("subscriptions_tracked") == 18)
        }

        @Test func consentIsTheUsers() throws {
            let server = try Server()
            let device = try Client(environment: ["SUBGUARD_SERVER": server.address])
            _ = try device.add()
            // Without a terminal there is no prompt, and nothing is sent.
            #expect(try device.json("sync")["analytics"]?["reason"]?.stringValue == "consent_undecided")
            #expect(try server.figure("total_users") == 0)
            #expect(try device.json("consent", "grant")["consent"]?.stringValue == "granted")
            #expect(try device.json("sync")["analytics"]?["accepted"]?.integerValue == 4)
            #expect(try server.figure("total_users") == 1)
            let revoked = try device.json("consent", "revoke")
            #expect(revoked["pending_erasures"]?.integerValue == 0)
            _ = try device.add("After")
            let status = try device.json("status")
            #expect(status["consent"]?.stringValue == "revoked" && status["queues"]?["events"]?.integerValue == 0)
            #expect(try device.json("sync")["analytics"]?["reason"]?.stringValue == "consent_revoked")
            // The figures do not change.
            #expect(try server.figure("total_users") == 1)
            #expect(try server.figure("subscriptions_tracked") == 1)
        }

        @Test func theEnvironmentDecidesForOneRun() throws {
            let server = try Server()
            let environment = ["SUBGUARD_SERVER": server.address]
            let device = try Client(environment: environment)
            _ = try device.add()
            let bad = try device.run("sync", "--json", now: nil)
            #expect(bad.status == 0)
            let wrong = try Client(environment: ["SUBGUARD_CONSENT": "maybe"]).run("list")
            #expect(wrong.status == 1 && wrong.errors.contains("SUBGUARD_CONSENT"))
        }
    }
}
