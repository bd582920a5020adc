import Outbound
import TestKit
import Testing

@testable import BackendHTTP

/// The servers of a cluster are named by one that responds, which may be another user's.
@Suite struct EventSinkClusterTests {
    /// What a ClickHouse says that lists these hosts.
    private func failure(listing hosts: String..., password: String) throws -> String? {
        let rows = hosts.enumerated().map { "\($0.offset)\t\($0.element)\n" }.joined()
        let body = "max_threads\n\(rows)"
        let server = try CannedServer(
            "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)", hangsUp: true)
        let text = "clickhouse://writer@127.0.0.1:\(server.port)/events?tls=off&cluster=main"
        let settings = try Settings(flags: [], environment: ["SUBGUARD_EVENT_SINK_PASSWORD": password], file: nil)
        let url = try #require(EventSinkURL(text))
        do throws(EventSinkError) {
            let cluster = try EventSinkCluster(settings, url: url, stop: OutboundStop(), seconds: 60)
            #expect(cluster.servers.map(\.server.host) == hosts)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        "127.9.9.9/admin/delete?x=", "127.0.0.1#", "user@127.0.0.1", "a b", "127.0.0.1:9000", "", "[::1]", "host/",
        "127.1", "2130706433", "x?y", "x\\ty",
    ])
    func aNameThatIsNoHostIsRefused(_ host: String) throws {
        for password in ["", "hunter2"] {
            let failure = try failure(listing: "127.0.0.1", host, password: password)
            #expect(failure?.hasSuffix("has a server whose name is not a host") == true, "\(failure ?? "accepted")")
        }
    }

    @Test func thePasswordGoesToConfiguredHostsOnly() throws {
        #expect(try failure(listing: "127.0.0.1", password: "hunter2") == nil)
        let failure = try failure(listing: "127.0.0.1", "127.9.9.9", password: "hunter2")
        #expect(failure?.contains("has the server 127.9.9.9, which event_sink_url does not name") == true)
        #expect(try self.failure(listing: "127.0.0.1", "127.9.9.9", password: "") == nil)
    }

    /// Only hosts that the operator configured may be such as the policy refuses.
    @Test func aListedHostObeysThePolicy() throws {
        let url = try #require(EventSinkURL("clickhouse://h,169.254.1.1/db?tls=off&cluster=c"))
        var limits = OutboundLimits()
        (limits.connectMilliseconds, limits.totalMilliseconds) = (50, 50)
        for (host, isChecked) in [("169.254.1.1", false), ("169.254.169.254", true)] {
            let server = ClickHouseServer(
                url: url, host: host, password: "", limits: limits, stop: OutboundStop())
            let error = #expect(throws: EventSinkError.self) { try server.execute("SELECT 1") }
            #expect(
                error?.description.contains("special range") == isChecked, "\(host): \(error.map(\.description) ?? "")")
        }
    }
}
