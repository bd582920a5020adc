import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    @Suite struct CrashReportTests {
        /// Ends a running `sync` with a signal, as a fault would.
        private func crash(_ device: Client, _ server: Server, with signal: Int32) throws {
            let stub = try Relay(to: server.port)
            stub.behave(.silent)
            let process = try device.process(["sync", "--server", "http://127.0.0.1:\(stub.port)"], now: nil)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            #expect(eventually { !stub.requestLines.isEmpty })
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        }

        @Test func aCrashIsReportedByTheNextSync() throws {
            let server = try Server()
            let device = try Client(environment: ["SUBGUARD_CONSENT": "true", "SWIFT_BACKTRACE": "enable=no"])
            _ = try device.run("list", now: nil)
            try crash(device, server, with: SIGSEGV)
            let status = try device.json("status", now: nil)
            #expect(status["queues"]?["sessions"]?.integerValue == 2 && status["queues"]?["crashes"]?.integerValue == 1)
            let report = try device.json("sync", "--server", server.address, now: nil)
            #expect(report["signals"]?["result"]?.stringValue == "done")
            #expect(
                report["signals"]?["sessions"]?.integerValue == 3 && report["signals"]?["crashes"]?.integerValue == 1)
            // Sent and settled.
            let again = try device.json("sync", "--server", server.address, now: nil)
            #expect(again["signals"]?["reason"]?.stringValue == "empty")
            let group = try #require(try server.get("/api/v1/admin/crashes")["items"]?.arrayValue?.first)
            #expect(group["title"]?.stringValue == "SIGSEGV: sync")
            #expect(try server.integer("SELECT sum(session_count) FROM session_hours") == 3)
            #expect(try server.integer("SELECT sum(crashed_count) FROM session_hours") == 1)
        }

        @Test func aSyncKilledFromOutsideIsNeitherACrashNorASession() throws {
            let server = try Server()
            let device = try Client(environment: ["SUBGUARD_CONSENT": "true", "SWIFT_BACKTRACE": "enable=no"])
            try crash(device, server, with: SIGKILL)
            try crash(device, server, with: SIGTERM)
            let queues = try device.json("status", now: nil)["queues"]
            #expect(queues?["crashes"]?.integerValue == 0 && queues?["sessions"]?.integerValue == 0)
        }

        @Test func withoutConsentNothingIsSentAndRevokingForgets() throws {
            let server = try Server()
            let device = try Client(environment: ["SWIFT_BACKTRACE": "enable=no"])
            try crash(device, server, with: SIGABRT)
            let report = try device.json("sync", "--server", server.address, now: nil)
            #expect(report["signals"]?["reason"]?.stringValue == "consent_undecided")
            #expect(try server.integer("SELECT count(*) FROM crash_groups") == 0)
            _ = try device.json("consent", "revoke", now: nil)
            _ = try device.json("list", now: nil)
            let queues = try device.json("status", now: nil)["queues"]
            #expect(queues?["crashes"]?.integerValue == 0 && queues?["sessions"]?.integerValue == 0)
        }
    }
}
