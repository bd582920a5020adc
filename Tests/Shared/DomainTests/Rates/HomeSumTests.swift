import Foundation
import SubGuardDomain
import Testing

@Suite struct HomeSumTests {
    private let today = CalendarDay(year: 2026, month: 11, day: 22)

    private func table(_ pairs: [(String, String)], on day: CalendarDay) throws -> RateTable {
        RateTable(
            reference: try pairs.map {
                DatedRate(
                    currency: try #require(Currency(code: $0)), on: day, rate: try #require(ExchangeRate($1)))
            })
    }

    private func money(_ text: String, _ code: String) throws -> Money {
        try Money(decimal: text, currency: #require(Currency(code: code)))
    }

    @Test func roundedOnce() throws {
        let day = try #require(today)
        // 0.01 / 2 = 0.005: one alone rounds to 0, three together are 0.015 and round to 0.02.
        let rates = try table([("USD", "2")], on: day)
        var sum = HomeSum(home: .eur, rates: rates)
        sum.add(try money("0.01", "USD"), on: day)
        #expect(sum.amount.decimal == "0.00")
        sum.add(try money("0.01", "USD"), on: day)
        #expect(sum.amount.decimal == "0.01")
        sum.add(try money("0.01", "USD"), on: day)
        #expect(sum.amount.decimal == "0.02")
        #expect(sum.rates.map(\.rate) == [ExchangeRate("2")])
    }

    @Test func decimals() throws {
        let day = try #require(today)
        let rates = try table([("JPY", "160"), ("KWD", "0.33"), ("USD", "1.1")], on: day)
        var yen = HomeSum(home: .jpy, rates: rates)
        yen.add(try money("12.34", "EUR"), on: day)
        #expect(yen.amount.decimal == "1974")
        var dinar = HomeSum(home: try #require(Currency(code: "KWD")), rates: rates)
        dinar.add(try money("16000", "JPY"), on: day)
        #expect(dinar.amount.decimal == "33.000")
        var dollars = HomeSum(home: .usd, rates: rates)
        dollars.add(try money("0.330", "KWD"), on: day)
        dollars.add(try money("8.90", "USD"), on: day)
        #expect(dollars.amount.decimal == "10.00")
    }

    @Test func unconverted() throws {
        let day = try #require(today)
        var sum = HomeSum(home: .eur, rates: RateTable(reference: []))
        sum.add(try money("5.00", "EUR"), on: day)
        sum.add(try money("9.99", "USD"), on: day)
        sum.add(try money("0.00", "GBP"), on: day)
        #expect(sum.amount.decimal == "5.00")
        #expect(sum.unconverted == [.usd])
        #expect(sum.rates.isEmpty)
    }

    @Test func factors() throws {
        let day = try #require(today)
        var sum = HomeSum(home: .eur, rates: try table([("USD", "3")], on: day))
        for _ in 0..<3 { sum.add(try money("1.00", "USD"), times: BillingCycle.monthly.annualFactor, on: day) }
        #expect(sum.amount.decimal == "12.00")
        #expect(sum.monthly.decimal == "1.00")
    }

    @Test("Quotients without an end that add up to a half round like a half")
    func halves() throws {
        let day = try #require(today)
        let rates = try table([("USD", "3"), ("GBP", "6")], on: day)
        for (dollars, pounds, wanted) in [
            ("0.01", "0.01", "0.00"), ("0.02", "0.05", "0.02"), ("0.07", "0.01", "0.02"), ("-0.02", "-0.05", "-0.02"),
            ("9999999999.98", "0.05", "3333333333.34"),
        ] {
            var sum = HomeSum(home: .eur, rates: rates)
            sum.add(try money(dollars, "USD"), on: day)
            sum.add(try money(pounds, "GBP"), on: day)
            #expect(sum.amount.decimal == wanted, "\(dollars) USD and \(pounds) GBP")
        }
        var yearly = HomeSum(home: .eur, rates: rates)
        for (years, amount) in [(3, "0.02"), (6, "0.05")] {
            let factor = try #require(BillingCycle(wire: "every:\(years)y")).annualFactor
            yearly.add(try money(amount, "EUR"), times: factor, on: day)
        }
        #expect(yearly.amount.decimal == "0.02")
    }

    /// Python's `decimal` with 60 digits is the reference.
    @Test func reference() throws {
        let day = try #require(today)
        var random = SplitMix64(seed: 20)
        let codes = ["EUR", "USD", "GBP", "JPY", "KWD", "CHF", "HUF", "IDR"]
        var lines: [String] = []
        var own: [String] = []
        for _ in 0..<10_000 {
            let rates = codes.dropFirst().map { code in
                (code, "\(random.below(20_000)).\(String(1_000_000 + random.below(999_999)).dropFirst())")
            }
            let table = try table(rates.map { ($0, $1 == "0.000000" ? "1" : $1) }, on: day)
            let home = try #require(Currency(code: codes[random.below(codes.count)]))
            var sum = HomeSum(home: home, rates: table)
            var parts = ["\(home.code):\(home.exponent):\(table.rate(of: home, on: day)?.rate.decimal ?? "")"]
            for _ in 0...random.below(6) {
                let currency = try #require(Currency(code: codes[random.below(codes.count)]))
                let units = Int64(random.below(2_000_000_000)) - 500_000
                sum.add(Money(minorUnits: units, currency: currency), on: day)
                let rate = table.rate(of: currency, on: day)?.rate.decimal ?? ""
                parts.append("\(units):\(currency.exponent):\(rate)")
            }
            lines.append(parts.joined(separator: " "))
            own.append("\(sum.amount.minorUnits)")
        }
        let script = """
            import sys
            from decimal import Decimal as D, getcontext, ROUND_HALF_EVEN
            getcontext().prec = 60
            for line in sys.stdin:
                home, *parts = line.split()
                _, exponent, rate = home.split(":")
                total = D(0)
                for part in parts:
                    units, own, its = part.split(":")
                    same = its == rate and own == exponent
                    euros = D(units).scaleb(-int(own)) if same else D(units).scaleb(-int(own)) * D(rate) / D(its)
                    total += euros
                print(total.scaleb(int(exponent)).quantize(D(1), rounding=ROUND_HALF_EVEN))
            """
        let expected = try Self.run(script, input: lines.joined(separator: "\n") + "\n").split(separator: "\n")
        #expect(expected.count == own.count)
        for (index, value) in expected.enumerated() where value != own[index] {
            Issue.record("\(lines[index]): \(own[index]), by the reference \(value)")
        }
    }

    private static func run(_ script: String, input: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (asked, answered) = (folder.appending(path: "sums"), folder.appending(path: "answers"))
        try Data(input.utf8).write(to: asked)
        try Data().write(to: answered)
        process.standardInput = try FileHandle(forReadingFrom: asked)
        process.standardOutput = try FileHandle(forWritingTo: answered)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try String(contentsOf: answered, encoding: .utf8)
    }
}
