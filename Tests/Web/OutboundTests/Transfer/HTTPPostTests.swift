import Outbound
import TestKit
import Testing

/// Tests targets that must not be reached; `Scripts/check alerts` tests those that must.
@Suite struct HTTPPostTests {
    private func send(_ text: String, _ policy: TargetPolicy = TargetPolicy(), stop: OutboundStop = OutboundStop())
        throws
    {
        let url = try #require(OutboundURL(text, schemes: HTTPPost.schemes))
        var limits = OutboundLimits()
        limits.connectMilliseconds = 500
        limits.totalMilliseconds = 500
        _ = try HTTPPost(url: url, fields: [], body: []).send(policy: policy, limits: limits, stop: stop)
    }

    private func refusal(_ text: String, _ policy: TargetPolicy) -> OutboundError? {
        do {
            try send(text, policy)
            return nil
        } catch {
            return error as? OutboundError
        }
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://localhost/", "http://2130706433/", "http://[::1]/", "http://10.1.2.3/",
        "http://[fd00::1]/",
    ])
    func staysOutOfTheOperatorsNetworks(_ text: String) {
        guard case .notAllowed = refusal(text, TargetPolicy()) else {
            Issue.record("\(text) passes")
            return
        }
    }

    @Test(arguments: ["http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]:9/"])
    func goesThereWhenAllowed(_ text: String) throws {
        #expect(refusal(text, TargetPolicy(permittedHosts: ["127.0.0.2", "example.org"])) != nil)
        let host = try #require(OutboundURL(text, schemes: ["http"])).host
        // Both policies allow the attempt; nothing is listening there.
        for policy in [TargetPolicy(allowsOwnNetworks: true), TargetPolicy(permittedHosts: [host.uppercased()])] {
            guard case .failed = refusal(text, policy) else {
                Issue.record("\(text) is refused")
                continue
            }
        }
    }

    @Test(arguments: ["http://169.254.169.254/", "http://[::ffff:127.0.0.1]/", "http://[64:ff9b::a00:1]/", "http://0/"])
    func staysOutOfSpecialRangesEvenThen(_ text: String) {
        guard case .notAllowed = refusal(text, TargetPolicy(allowsOwnNetworks: true)) else {
            Issue.record("\(text) passes")
            return
        }
    }

    /// Nothing is decoded, so a receiver may name any coding of its answer; one of the transfer would be undone.
    @Test(arguments: [("Content-Encoding: br, gzip", true), ("Transfer-Encoding: gzip, chunked", false)])
    func takesCodingsThatNobodyUndoes(_ field: String, _ isTaken: Bool) throws {
        let server = try CannedServer("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\nok")
        let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)/", schemes: HTTPPost.schemes))
        let post = HTTPPost(url: url, fields: [], body: [])
        let answer = try? post.send(
            policy: TargetPolicy(allowsOwnNetworks: true), limits: OutboundLimits(), stop: OutboundStop())
        #expect((answer?.status == 200) == isTaken)
    }

    @Test func doesNotBeginOnceStopped() {
        let stop = OutboundStop()
        stop.stop()
        #expect(throws: OutboundError.stopped) {
            try send("http://127.0.0.1:9/", TargetPolicy(allowsOwnNetworks: true), stop: stop)
        }
    }
}
