import BackendHTTP
import Catalogue
import JSONWire
import SubGuardDomain
import TestKit
import Testing

/// Reference rates: fetched from a source that runs here, and listed for devices.
@Suite struct RateTests {
    private static let history = """
        Date,USD,JPY,CYP,
        2026-11-20,1.25,160,N/A,
        2026-11-19,1.2,157.25,N/A,
        1999-01-04,1.1789,133.73,0.58231,

        """

    private static func answer(_ body: [UInt8], status: String = "200 OK") -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8) + body
    }

    private func server(
        fetching body: [UInt8], status: String = "200 OK", logsErrors: Bool = false
    ) throws -> (TestServer, CannedServer) {
        let source = try CannedServer(Self.answer(body, status: status), hangsUp: true)
        var setup = TestServer.Setup()
        setup.logsErrors = logsErrors
        setup.settings = ["rates_url": "http://127.0.0.1:\(source.port)/eurofxref-hist.zip"]
        return (try TestServer(setup), source)
    }

    private func rows(_ answer: RawResponse) throws -> [String] {
        try #require(try answer.json()["rates"]?.arrayValue).map { row in
            ["day", "currency", "rate"].map { row[$0]?.stringValue ?? "-" }.joined(separator: " ")
        }
    }

    @Test(arguments: [false, true])
    func fetchesTheHistoryAndListsItFromADayOn(isZipped: Bool) throws {
        let body =
            isZipped ? ZipSample.archive([("eurofxref-hist.csv", Self.history)]) : Array(Self.history.utf8)
        let (server, source) = try server(fetching: body)
        defer {
            server.end()
            source.close()
        }
        #expect(try eventually { try rows(try server.get("/api/v1/rates")).count == 6 })
        let whole = try server.get("/api/v1/rates")
        #expect(
            try rows(whole).prefix(3) == ["1999-01-04 JPY 133.73", "1999-01-04 USD 1.1789", "2026-11-19 JPY 157.25"])
        #expect(try whole.json()["base"]?.stringValue == "EUR")
        #expect(try whole.json()["next_since"]?.isNull == true)
        #expect(
            try rows(try server.get("/api/v1/rates?since=2026-11-20")) == ["2026-11-20 JPY 160", "2026-11-20 USD 1.25"])
        #expect(try rows(try server.get("/api/v1/rates?since=2026-11-21")) == [])
        let tag = try #require(whole["ETag"])
        #expect(try server.get("/api/v1/rates", "If-None-Match: \(tag)").status == 304)
        #expect(try server.get("/api/v1/rates?since=2026-11-20", "If-None-Match: \(tag)").status == 200)
        // Once a day, not at each look.
        #expect(source.requestLines.filter { $0.contains("eurofxref-hist.zip") }.count == 1, "\(source.requestLines)")
    }

    @Test func aWrongDayIsNamed() throws {
        let server = try TestServer()
        defer { server.end() }
        #expect(try rows(try server.get("/api/v1/rates")) == [])
        for day in ["2026-02-30", "yesterday", ""] {
            try server.expectInvalid(try server.get("/api/v1/rates?since=\(day)"), [("since", "invalid_day")])
        }
    }

    @Test(
        "A faulty or hostile file changes nothing, and the reason is logged",
        arguments: [
            ("Date,USD\n2026-11-20,1\n2026-11-19,x\n", "200 OK", "line 3"),
            ("Date,USD\n2026-12-20,1\n", "200 OK", "the future"),
            ("<html>Please sign in</html>", "200 OK", "file"), ("", "200 OK", "empty"), ("PK", "200 OK", "zip archive"),
            ("Date,USD\n2026-11-20,1\n", "302 Found", "HTTP 302"),
            ("Date,USD\n2026-11-20,1\n", "500 Internal Server Error", "HTTP 500"),
        ])
    func refuses(_ body: String, _ status: String, reason: String) throws {
        let (server, source) = try server(fetching: Array(body.utf8), status: status, logsErrors: true)
        defer {
            server.end()
            source.close()
        }
        let isLogged = try server.logs {
            $0["job"]?.stringValue == "rates" && $0["error"]?.stringValue?.contains(reason) == true
        }
        #expect(isLogged)
        #expect(try rows(try server.get("/api/v1/rates")) == [])
    }

    @Test func pagesEndWithWholeDays() throws {
        let server = try TestServer()
        defer { server.end() }
        let store = RateStore(context: server.outside.context)
        let days = (0..<4000).map { CalendarDay.earliest.adding(days: 730_000 + $0) }
        let rates = days.flatMap { day in
            ["USD", "JPY", "CHF"].compactMap { code in
                Currency(code: code).flatMap { currency in
                    ExchangeRate("1.5").map { DatedRate(currency: currency, on: day, rate: $0) }
                }
            }
        }
        #expect(try store.store(rates.shuffled()) == 12_000)
        #expect(try store.store(rates) == 0)
        let first = try server.get("/api/v1/rates")
        #expect(try rows(first).count == 9999)
        let next = try #require(try first.json()["next_since"]?.stringValue)
        #expect(next == days[3333].iso)
        let second = try server.get("/api/v1/rates?since=\(next)")
        #expect(try rows(second).count == 2001 && (try second.json()["next_since"]?.isNull) == true)
        #expect(Set(try rows(first) + rows(second)).count == 12_000)
    }
}
