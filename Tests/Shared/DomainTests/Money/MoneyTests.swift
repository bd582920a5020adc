import SubGuardDomain
import TestKit
import Testing

@Suite struct MoneyTests {
    @Test(
        arguments: [
            ("13.49", "EUR", 1349), ("13.4", "EUR", 1340), ("13", "EUR", 1300), ("0.05", "EUR", 5),
            ("-3.10", "EUR", -310), ("-0.01", "EUR", -1),
            ("0", "EUR", 0), ("-0", "EUR", 0), ("-0.00", "EUR", 0), ("007.50", "EUR", 750), ("1200", "JPY", 1200),
            ("12.345", "KWD", 12345),
            ("12.3", "KWD", 12300), ("92233720368547758.07", "EUR", .max), ("-92233720368547758.08", "EUR", .min),
            ("9223372036854775807", "JPY", .max), ("-9223372036854775.808", "BHD", .min),
            ("000000000000000000000000012.34", "EUR", 1234),
        ] as [(String, String, Int64)])
    func readsAmounts(_ text: String, _ code: String, _ minorUnits: Int64) throws {
        let currency = try #require(Currency(code: code))
        #expect(try Money(decimal: text, currency: currency).minorUnits == minorUnits)
    }

    @Test(arguments: [
        "", "-", ".", "-.", ".5", "5.", "-5.", "1.2.3", "+1", "1e2", "1,50", "1 000", " 1", "1 ", "1\n", "--1", "1-",
        "0x1", "١٢", "１２", "12.3４",
        "NaN", "∞", "1_000", "€5", "5€", "1.-5", "\u{0}",
    ])
    func refusesWhatIsNoAmount(_ text: String) {
        #expect(throws: MoneyError.malformed) { try Money(decimal: text, currency: .eur) }
    }

    @Test(arguments: [("1.234", "EUR"), ("1.000", "EUR"), ("1.0", "JPY"), ("12.3456", "KWD"), ("-0.000", "USD")])
    func refusesMoreDecimalsThanTheCurrencyHas(_ text: String, _ code: String) throws {
        let currency = try #require(Currency(code: code))
        #expect(throws: MoneyError.tooManyDecimals(allowed: currency.exponent)) {
            try Money(decimal: text, currency: currency)
        }
    }

    @Test(arguments: [
        "92233720368547758.08", "-92233720368547758.09", "99999999999999999999", "922337203685477580.7",
        "100000000000000000",
    ])
    func refusesWhatOverflows(_ text: String) {
        #expect(throws: MoneyError.outOfRange) { try Money(decimal: text, currency: .eur) }
    }

    /// A file of another device may hold any amounts.
    @Test func sumsStayWithinSixtyFourBits() throws {
        #expect([Int64.max, 1, -5].clampedSum == .max - 5 && [Int64.min, -1].clampedSum == .min)
        let most = Money(minorUnits: .max, currency: try #require(Currency(code: "EUR")))
        #expect(Money.sums(of: [most, most]) == [most])
    }

    @Test(
        arguments: [
            (1349, "EUR", "13.49"), (5, "EUR", "0.05"), (0, "EUR", "0.00"), (-310, "EUR", "-3.10"),
            (-5, "EUR", "-0.05"), (1200, "JPY", "1200"),
            (-7, "JPY", "-7"), (0, "JPY", "0"), (12, "KWD", "0.012"), (12345, "KWD", "12.345"),
            (.max, "EUR", "92233720368547758.07"),
            (.min, "EUR", "-92233720368547758.08"), (.min, "JPY", "-9223372036854775808"),
        ] as [(Int64, String, String)])
    func writesEveryDecimal(_ minorUnits: Int64, _ code: String, _ text: String) throws {
        let currency = try #require(Currency(code: code))
        let money = Money(minorUnits: minorUnits, currency: currency)
        #expect(money.decimal == text)
        #expect(money.description == "\(text) \(code)")
    }

    @Test func survivesRoundTripsInEveryCurrency() throws {
        var generator = SeededRandom(seed: 1349)
        for currency in Currency.all {
            for _ in 0..<50 {
                let shift = Int64.random(in: 0...63, using: &generator)
                let money = Money(
                    minorUnits: Int64.random(in: .min ... .max, using: &generator) >> shift, currency: currency)
                #expect(try Money(decimal: money.decimal, currency: currency) == money)
            }
        }
    }

    @Test func namesTheFault() {
        #expect(MoneyError.malformed.code == .invalidAmount)
        #expect(MoneyError.tooManyDecimals(allowed: 0).code == .tooManyDecimals)
        #expect(MoneyError.outOfRange.code == .outOfRange)
        #expect(MoneyError.tooManyDecimals(allowed: 3).sentence.text.contains("3"))
    }
}
