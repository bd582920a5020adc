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

        /// The other parts report the same error at once.
        @Test(.timeLimit(.minutes(1))) func itHoldsUpNobodyForEver() throws {
            let server = try CannedServer.bomb()
            defer { server.close() }
            let device = try Client()
            _ = try device.id("suggest", "Été “26”")
            let outcome = try device.run("sync", "--json", "--server", "http://127.0.0.1:\(server.port)")
            #expect(outcome.status == 1)
            let report = try JSONValue.parse(Array(outcome.output.utf8))
            #expect(report["catalogue"]?["reason"]?.stringValue == "answer_too_large", "\(outcome)")
            #expect(report["suggestions"]?["reason"]?.stringValue == "answer_too_large", "\(outcome)")
            #expect(try device.json("status")["queues"]?["suggestions"]?.integerValue == 1)
        }

        /// http is allowed only because it stays on the machine.
        @Test(.timeLimit(.minutes(1))) func aProxyOfTheEnvironmentIsForHttpsAlone() throws {
            let server = try CannedServer("HTTP/1.1 503 X\r\nContent-Length: 9223372036854775807\r\n\r\n{}")
            let proxy = try CannedServer("HTTP/1.1 407 X\r\nContent-Length: 0\r\n\r\n", hangsUp: true)
            let address = "http://127.0.0.1:\(proxy.port)"
            let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            let device = try Client(environment: Dictionary(uniqueKeysWithValues: names.map { ($0, address) }))
            for host in ["127.0.0.1", "localhost"] {
                let outcome = try device.run("sync", "--force", "--server", "http://\(host):\(server.port)")
                #expect(outcome.status == 1 && outcome.output.contains("too large"), "\(outcome)")
            }
            #expect(server.requests > 1 && proxy.requests == 0)
            let outcome = try device.run("sync", "--force", "--server", "https://subguard.invalid")
            #expect(outcome.status == 1 && outcome.output.contains("407"), "\(outcome)")
            #expect(proxy.requests > 0)
        }
    }
}
