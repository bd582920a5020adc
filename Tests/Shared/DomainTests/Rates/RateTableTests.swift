import SubGuardDomain
import Testing

@Suite struct RateTableTests {
    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(iso: text)) }

    private func rates(_ code: String, _ pairs: [(String, String)]) throws -> [DatedRate] {
        let currency = try #require(Currency(code: code))
        return try pairs.map { try DatedRate(currency: currency, on: day($0), rate: #require(ExchangeRate($1))) }
    }

    @Test func decimalForm() {
        #expect(ExchangeRate("1.0823")?.decimal == "1.0823")
        #expect(ExchangeRate("157.250")?.decimal == "157.25")
        #expect(ExchangeRate("16543")?.decimal == "16543")
        #expect(ExchangeRate("0.000001")?.decimal == "0.000001")
        #expect(ExchangeRate("100.00") == ExchangeRate("100"))
        for bad in ["", "0", "0.00", "-1", "+1", "1,08", "1.", ".5", "1e3", "N/A", "1.2.3", "1234567890123456", "٣"] {
            #expect(ExchangeRate(bad) == nil, "\(bad)")
        }
    }

    @Test func weekends() throws {
        let table = RateTable(reference: try rates("USD", [("2026-11-20", "1.08"), ("2026-11-23", "1.09")]))
        #expect(try table.rate(of: .usd, on: day("2026-11-22"))?.rate == ExchangeRate("1.08"))
        #expect(try table.rate(of: .usd, on: day("2026-11-23"))?.rate == ExchangeRate("1.09"))
        #expect(try table.rate(of: .usd, on: day("2026-11-19")) == nil)
        #expect(try table.rate(of: .eur, on: day("1999-01-01"))?.rate == ExchangeRate("1"))
    }

    @Test func comingCharges() throws {
        let table = RateTable(reference: try rates("USD", [("2026-11-20", "1.08")]))
        let rate = try table.rate(of: .usd, on: day("2028-02-29"))
        #expect(try rate?.on == day("2026-11-20"))
    }

    @Test func endedCurrency() throws {
        let rouble = try rates("RUB", [("2022-03-01", "117.201")])
        let table = RateTable(reference: rouble + (try rates("USD", [("2022-03-01", "1.1"), ("2026-11-20", "1.08")])))
        let currency = try #require(Currency(code: "RUB"))
        #expect(try table.rate(of: currency, on: day("2022-03-15")) != nil)
        #expect(try table.rate(of: currency, on: day("2022-03-16")) == nil)
        #expect(try table.rate(of: currency, on: day("2027-01-01")) == nil)
    }

    @Test func ownRates() throws {
        let table = RateTable(
            reference: try rates("USD", [("2026-01-02", "1.10"), ("2026-06-01", "1.20"), ("2026-11-20", "1.08")]),
            own: try rates("USD", [("2026-06-01", "1.25")]) + rates("RUB", [("2024-01-01", "100")]))
        #expect(try table.rate(of: .usd, on: day("2026-06-01"))?.rate == ExchangeRate("1.25"))
        #expect(try table.rate(of: .usd, on: day("2026-09-01"))?.rate == ExchangeRate("1.25"))
        #expect(try table.rate(of: .usd, on: day("2026-11-21"))?.rate == ExchangeRate("1.08"))
        #expect(try table.rate(of: #require(Currency(code: "RUB")), on: day("2030-01-01"))?.rate == ExchangeRate("100"))
    }

    @Test func fixedRate() throws {
        let lev = try #require(Currency(code: "BGN"))
        let table = RateTable(reference: try rates("BGN", [("2025-12-31", "1.9558")]))
        #expect(try table.rate(of: lev, on: day("2025-12-31"))?.rate == ExchangeRate("1.9558"))
        let empty = RateTable(reference: [])
        #expect(try empty.rate(of: lev, on: day("2026-01-01"))?.rate == ExchangeRate("1.95583"))
        #expect(try empty.rate(of: lev, on: day("2025-12-31")) == nil)
    }
}
