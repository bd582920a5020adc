import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import Synchronization
import Testing

@Suite struct RateSyncTests {
    private static func page(_ rows: [(String, String, String)], next: String? = nil) -> String {
        let rates = rows.map { "{\"day\":\"\($0.0)\",\"currency\":\"\($0.1)\",\"rate\":\"\($0.2)\",\"later\":1}" }
        let next = next.map { "\"\($0)\"" } ?? "null"
        return "{\"base\":\"EUR\",\"rates\":[\(rates.joined(separator: ","))],\"next_since\":\(next)}"
    }

    /// - Parameter answers: to requests for rates, in order; the last one is repeated.
    private func fixture(home: String? = "EUR", _ answers: [TransportAnswer]) throws -> ClientFixture {
        let asked = Atomic<Int>(0)
        let fixture = try ClientFixture { request, _ in
            guard request.url.contains("/rates") else { return TransportAnswer(status: 404) }
            let number = asked.wrappingAdd(1, ordering: .relaxed).newValue
            return answers[min(number, answers.count) - 1]
        }
        if let home {
            try fixture.store.settings.set(.homeCurrency, to: home, at: ClientFixture.moment("2026-11-20T10:00:00Z"))
        }
        return fixture
    }

    private func run(_ fixture: ClientFixture, at now: String, force: Bool = false) async -> SyncReport.Part? {
        await fixture.synchroniser().run(force: force, at: ClientFixture.moment(now)).parts.first { $0.name == .rates }
    }

    private func targets(_ fixture: ClientFixture) -> [String] {
        fixture.transport.targets.filter { $0.hasPrefix("/api/v1/rates") }
    }

    @Test func takesAllPagesOnceThenAsksFromTheNewestDayOn() async throws {
        let fixture = try fixture([
            .json(Self.page([("2016-01-04", "USD", "1.0898")], next: "2020-01-02")),
            .json(Self.page([("2020-01-02", "USD", "1.1193"), ("2026-11-19", "USD", "1.25")])),
            .json(Self.page([("2026-11-19", "USD", "1.24"), ("2026-11-20", "USD", "1.2")]), fields: ["etag": "\"e\""]),
            .json(Self.page([("2026-11-19", "USD", "1.24"), ("2026-11-20", "USD", "1.2")]), fields: ["etag": "\"f\""]),
            TransportAnswer(status: 304),
        ])
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.counts.first?.value == 3)
        #expect(await run(fixture, at: "2026-11-21T09:59:59Z")?.reason == "fresh")
        let later = await run(fixture, at: "2026-11-21T10:00:00Z")
        #expect(later?.reason == "changes" && later?.counts.first?.value == 2)
        #expect(await run(fixture, at: "2026-11-22T10:00:00Z")?.reason == "unchanged")
        #expect(await run(fixture, at: "2026-11-22T10:00:01Z", force: true)?.reason == "unchanged")
        #expect(
            targets(fixture) == [
                "/api/v1/rates?since=2016-01-01", "/api/v1/rates?since=2020-01-02", "/api/v1/rates?since=2026-11-12",
                "/api/v1/rates?since=2026-11-13", "/api/v1/rates?since=2026-11-13",
            ])
        #expect(fixture.transport.requests.last { $0.url.contains("/rates") }?.fields["If-None-Match"] == "\"f\"")
        let status = try fixture.store.rates.status(at: ClientFixture.moment("2026-11-22T10:00:01Z"))
        #expect(status.count == 4 && status.days?.upperBound.iso == "2026-11-20")
    }

    @Test func withoutAHomeCurrencyNothingIsAsked() async throws {
        let fixture = try fixture(home: nil, [.json(Self.page([]))])
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z", force: true)?.reason == "no_home_currency")
        #expect(targets(fixture).isEmpty)
    }

    @Test func aServerWithoutRatesIsAskedOnceADay() async throws {
        for answer in [TransportAnswer(status: 404), .json(Self.page([]))] {
            let fixture = try fixture([answer])
            #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.reason == "not_offered")
            #expect(await run(fixture, at: "2026-11-20T20:00:00Z")?.reason == "fresh")
            // Later it may have them all.
            #expect(await run(fixture, at: "2026-11-21T20:00:00Z")?.reason == "not_offered")
            #expect(targets(fixture) == ["/api/v1/rates?since=2016-01-01", "/api/v1/rates?since=2016-01-01"])
        }
    }

    @Test(
        "Answers that cannot be right change nothing",
        arguments: [
            page([("2026-11-20", "USD", "1,2")]), page([("2026-02-30", "USD", "1")]),
            page([("2027-01-01", "USD", "1")]),
            page([("2026-11-20", "USD", "1")], next: "2016-01-01"), page([("2026-11-20", "USD", "0")]), "[]",
            #"{"base":"USD","rates":[],"next_since":null}"#,
        ])
    func refuses(_ body: String) async throws {
        let fixture = try fixture([.json(body)])
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.result == .failed)
        #expect(try fixture.store.rates.newestDay() == nil)
        #expect(try fixture.store.rates.copy() == nil)
    }
}
