import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    @Suite struct HostileServerTests {
        /// Endless and extremely compressible responses, in a process limited to half a gigabyte of memory.
        @Test(.timeLimit(.minutes(2))) func whatGrowsWithoutBoundOnceItsCodingIsTakenOffCostsNoMemory() throws {
            let server = try CannedServer.bomb()
            defer { server.close() }
            let device = try Client()
            let process = try device.process(["sync", "--json", "--server", "http://127.0.0.1:\(server.port)"])
            let program = process.executableURL?.path ?? ""
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments =
                ["-c", "ulimit -d 524288 && exec \"$0\" \"$@\"", program] + (process.arguments ?? [])
            let outcome = try device.outcome(of: process)
            #expect(outcome.status == 1, "\(outcome)")
            let report = try JSONValue.parse(Array(outcome.output.utf8))
            #expect(report["catalogue"]?["reason"]?.stringValue == "answer_too_large", "\(outcome)")
        }

        /// The other parts fail within their timeouts and report errors.
        @Test(.timeLimit(.minutes(4))) func itHoldsUpNobodyForEver() throws {
            let server = try CannedServer.bomb()
            defer { server.close() }
            let device = try Client()
            _ = try device.id("suggest", "Été “26”")
            let outcome = try device.run("sync", "--json", "--server", "http://127.0.0.1:\(server.port)")
            #expect(outcome.status == 1)
            let report = try JSONValue.parse(Array(outcome.output.utf8))
            #expect(report["catalogue"]?["reason"]?.stringValue == "answer_too_large", "\(outcome)")
            #expect(report["suggestions"]?["reason"]?.stringValue == "unreachable", "\(outcome)")
            #expect(try device.json("status")["queues"]?["suggestions"]?.integerValue == 1)
        }
    }
}
