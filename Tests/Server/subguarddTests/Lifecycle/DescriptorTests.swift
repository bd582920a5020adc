import Foundation
import TestKit
import Testing

extension ProgramTests {
    /// Behaviour when no descriptors are left. Needs a separate process, whose limit the test can set.
    struct DescriptorTests {
        @Test func servesOnWhileNothingCanBeAccepted() async throws {
            let server = try await Installation().serve()
            try Self.limit(server, to: 48)
            // Each has begun a request, so that none is idle and may be closed to make room.
            var crowd = try (0..<100).map { _ in try RawClient(port: server.port, timeoutSeconds: 20) }
            for client in crowd { try client.send("GET /healthz HTTP/1.1\r\n") }
            let before = try Self.cpuTicks(of: server)
            try await Task.sleep(for: .milliseconds(400))
            // A listener with waiting connections is always ready: without a pause the loop would spin, using about 40
            // hundredths of a second of CPU time in 400 ms.
            #expect(try Self.cpuTicks(of: server) - before < 20)
            for client in crowd.prefix(5) { #expect(try client.exchange("Host: h\r\n\r\n").status == 200) }
            crowd.removeAll()
            let late = try RawClient(port: server.port, timeoutSeconds: 20)
            #expect(try late.exchange(RequestText.get("/healthz")).status == 200)
            #expect(try await server.stop() == .exited(0))
        }

        /// Uses prlimit of util-linux, because the C library's function is not visible here.
        private static func limit(_ server: RunningServer, to count: Int) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
            process.arguments = ["--pid", "\(server.process.id)", "--nofile=\(count):\(count)"]
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }

        /// User and system time so far, in hundredths of a second.
        private static func cpuTicks(of server: RunningServer) throws -> Int {
            let line = try String(contentsOfFile: "/proc/\(server.process.id)/stat", encoding: .utf8)
            let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
            return (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
        }
    }
}
