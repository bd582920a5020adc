import HTTPConformance
import HTTPServer
import TestKit
import Testing

/// Runs the table against our server. After each case the server must be running, and an unanswered canary must not
/// have reached the application.
@Suite struct ConformanceTests {
    @Test(arguments: ConformanceTable.all)
    func doesWhatTheTableSays(_ test: ConformanceCase) throws { try play(test, byteByByte: false) }

    /// The same octets one by one: the result must not depend on packet boundaries.
    @Test(arguments: ConformanceTable.all.filter { !$0.comesWhole })
    func doesTheSameByteByByte(_ test: ConformanceCase) throws { try play(test, byteByByte: true) }

    @Test func namesEachCaseOnce() {
        let ids = ConformanceTable.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(NginxDifferences.reasons.keys).subtracting(ids).isEmpty)
    }

    private func play(_ test: ConformanceCase, byteByByte: Bool) throws {
        let server = try TestServer(routes: ConformanceRoutes.all) { $0.loops = 1 }
        let observation = ConformanceClient(port: server.port, speaksTLS: TestServer.speaksTLS)
            .observe(test, byteByByte: byteByByte)
        #expect(test.verdict(on: observation) == .asOurs, "\(observation.summary): \(test.reason)")
        // The application saw exactly the answered requests: nothing else was taken for a request.
        let canary = observation.ending == .open ? [404] : []
        #expect(server.application.observed.map(\.status) == observation.answers.map(\.status) + canary)
        if test.closesOurs { #expect(server.application.timesAsked(ConformanceCase.canaryTarget) == 0) }
        #expect(try server.get("/healthz").status == 200)
    }
}
