import SubGuardDomain
import Testing

@Suite struct CurrencyTests {
    @Test(arguments: [
        ("EUR", 2), ("USD", 2), ("JPY", 0), ("KWD", 3), ("TND", 3), ("CLP", 0), ("XOF", 0), ("XCG", 2), ("ZWG", 2),
        ("UYI", 0),
        ("MRU", 2), ("ISK", 0), ("HUF", 2),
    ])
    func knowsTheDecimals(_ code: String, _ exponent: Int) throws {
        let currency = try #require(Currency(code: code))
        #expect(currency.code == code)
        #expect(currency.exponent == exponent)
    }

    @Test(arguments: [
        "", "eur", "Eur", "EU", "EURO", "EUR ", " EUR", "ÉUR", "XXX", "XAU", "XTS", "CLF", "HRK", "ZZZ",
        "\u{0}\u{0}\u{0}", "€",
    ])
    func refusesAnythingElse(_ code: String) {
        #expect(Currency(code: code) == nil)
    }

    @Test func listsEveryCurrencyOnce() {
        let codes = Currency.all.map(\.code)
        #expect(codes == codes.sorted())
        #expect(Set(codes).count == codes.count)
        #expect(codes.count == 164)
        #expect(Currency.all.allSatisfy { Currency(code: $0.code) == $0 && [0, 2, 3].contains($0.exponent) })
        for exponent in [0, 3] {
            #expect(Currency.all.count { $0.exponent == exponent } == (exponent == 0 ? 17 : 7))
        }
    }

    @Test func namesTheUsualOnesAsTheTableDoes() {
        for currency in [Currency.eur, .usd, .gbp, .jpy] { #expect(Currency(code: currency.code) == currency) }
    }

    @Test func scalesByTheExponent() throws {
        #expect(Currency.jpy.minorUnitsPerMajorUnit == 1)
        #expect(Currency.eur.minorUnitsPerMajorUnit == 100)
        #expect(try #require(Currency(code: "BHD")).minorUnitsPerMajorUnit == 1000)
    }
}
