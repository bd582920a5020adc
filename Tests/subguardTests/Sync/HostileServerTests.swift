import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    @Suite struct HostileServerTests {
        /// Two megabytes that become two gigabytes, in a process that may have half of one.
        @Test func whatGrowsWithoutBoundOnceItsCodingIsTakenOffCostsNoMemory() throws {
            let server = try CannedServer(CannedServer.bomb(mebibytes: 2000))
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
    }
}
