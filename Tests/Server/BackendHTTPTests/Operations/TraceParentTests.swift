import JSONWire
import TestKit
import Testing

/// W3C Trace Context in the log: only well-formed values.
@Suite struct TraceParentTests {
    private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func logsWhatIsATraceAndNothingElse() throws {
        let server = try TestServer()
        defer { server.end() }
        let wanted = [
            (Self.good, Self.good), ("01-\(Self.good.dropFirst(3))-later", "01-\(Self.good.dropFirst(3))"),
        ]
        for (index, (sent, logged)) in wanted.enumerated() {
            _ = try server.get("/healthz", "traceparent: \(sent)", "X-Request-Id: good-\(index)")
            #expect(
                try server.logs { line in
                    line["request_id"]?.stringValue == "good-\(index)" && line["trace_parent"]?.stringValue == logged
                }, "\(sent)")
        }
        let bad = [
            "x", Self.good.uppercased(), Self.good + "-more", "ff-\(Self.good.dropFirst(3))",
            Self.good.replacing("-01", with: ""),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", "'; DROP TABLE users; --",
        ]
        for (index, sent) in bad.enumerated() {
            _ = try server.get("/healthz", "traceparent: \(sent)", "X-Request-Id: bad-\(index)")
            #expect(
                try server.logs { line in
                    line["request_id"]?.stringValue == "bad-\(index)" && line["trace_parent"]?.isNull == true
                }, "\(sent)")
        }
    }
}
