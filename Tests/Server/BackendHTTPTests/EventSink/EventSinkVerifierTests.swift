import Outbound
import SubGuardDomain
import Telemetry
import TestKit
import Testing

@testable import BackendHTTP

/// A ClickHouse may answer anything.
@Suite struct EventSinkVerifierTests {
    private static func answer(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    /// Verifies a ledger without ranges against a server that answers every query with these rows: block, week, events,
    /// distinct ids.
    private func verify(_ rows: [[Int64]]) throws -> EventSinkVerification {
        let lines = rows.map { ($0 + [0, 0, 0, 0, 0]).map { "\($0)" }.joined(separator: "\t") + "\n" }
        let clickHouse = try CannedServer(
            Self.answer("max_threads\n"), hangsUp: true, later: Self.answer(lines.joined()))
        let url = try #require(EventSinkURL("clickhouse://writer@127.0.0.1:\(clickHouse.port)/events?tls=off"))
        let settings = try Settings(flags: [], environment: [:], file: nil)
        let cluster = try EventSinkCluster(settings, url: url, stop: OutboundStop())
        let server = try TestServer()
        defer { server.end() }
        let verifier = EventSinkVerifier(
            context: server.outside.context,
            tables: EventSinkTables(cluster: cluster, database: "events", number: 1), firstWeek: 0)
        return try verifier.verify(before: .max)
    }

    @Test func hugeNumbersEndNothing() throws {
        // The first column of the rows is taken for the weeks too.
        let rows: [[Int64]] = [[0, 1, .max, .max], [0, 2, .max, .max], [0, 3, .max, .max]]
        #expect(try verify(rows).differenceCount == 1)
    }

    /// As in the log, an event dated ahead counts once its moment has come.
    @Test func eventsDatedAheadAreNotCounted() throws {
        let clickHouse = try CannedServer(Self.answer("max_threads\n"), hangsUp: true)
        let url = try #require(EventSinkURL("clickhouse://writer@127.0.0.1:\(clickHouse.port)/events?tls=off"))
        let cluster = try EventSinkCluster(
            try Settings(flags: [], environment: [:], file: nil), url: url, stop: OutboundStop())
        let today = try #require(CalendarDay(iso: "2026-11-20"))
        let query = EventSinkCounter.query(
            EventSelection(range: try SeriesRange(from: today, to: today, step: .day, today: today)),
            until: UTCInstant(millisecondsSinceEpoch: 1_795_168_800_123),
            EventSinkTables(cluster: cluster, database: "events", number: 1))
        #expect(query.contains(" AND moment <= 1795168800123 "))
    }

    @Test(arguments: [[[0, 1], [0, 1]], [[0, 2], [0, 1]], [[1, 0]], [[Int64.max, 0]]] as [[[Int64]]])
    func rowsMustBeThoseThatWereAskedFor(_ rows: [[Int64]]) throws {
        #expect(throws: EventSinkError.self) { try verify(rows.map { $0 + [1, 1] }) }
    }
}
