import SubGuardDomain
import TestKit
import Testing

@Suite struct CurrencySignTests {
    private func currency(_ code: String) throws -> Currency { try #require(Currency(code: code)) }

    /// The signs of the 34 currencies that Wallos comes with.
    static let wallos: [(sign: String, code: String)] = [
        ("€", "EUR"), ("$", "USD"), ("¥", "JPY"), ("лв", "BGN"), ("Kč", "CZK"), ("kr", "DKK"), ("£", "GBP"),
        ("Ft", "HUF"), ("zł", "PLN"), ("lei", "RON"), ("kr", "SEK"), ("Fr", "CHF"), ("kr", "ISK"), ("kr", "NOK"),
        ("₽", "RUB"), ("₺", "TRY"), ("$", "AUD"), ("R$", "BRL"), ("$", "CAD"), ("¥", "CNY"), ("HK$", "HKD"),
        ("Rp", "IDR"), ("₪", "ILS"), ("₹", "INR"), ("₩", "KRW"), ("Mex$", "MXN"), ("RM", "MYR"), ("NZ$", "NZD"),
        ("₱", "PHP"), ("S$", "SGD"), ("฿", "THB"), ("R", "ZAR"), ("₴", "UAH"), ("NT$", "TWD"),
    ]

    @Test("Each currency of Wallos is read before and behind the number", arguments: wallos)
    func wallosCurrencies(_ sign: String, _ code: String) throws {
        let named = try currency(code)
        for text in ["\(sign)1299", "\(sign) 1299", "1299 \(sign)", "1299\u{A0}\(sign)"] {
            let read = try #require(AmountText.read(text), "\(text)")
            #expect(read.decimal == "1299" && read.sign?.currency(preferring: [named]) == named, "\(text)")
        }
        #expect(try AmountText.decimal("\(sign)1299", in: named, field: "amount") == "1299")
    }

    @Test(arguments: [
        ("kr. 99", "DKK", "99"), ("99,50 kr.", "SEK", "99.50"), ("Fr. 12.90", "CHF", "12.90"),
        ("Fr.12.90", "CHF", "12.90"),
        ("12.90 Fr.", "CHF", "12.90"), ("SFr. 1'200.50", "CHF", "1200.50"), ("Rs.499", "INR", "499"),
        ("Rs. 1,299.00", "PKR", "1299.00"), ("499 Rs", "LKR", "499"), ("KR 99", "NOK", "99"), ("99 Zł", "PLN", "99"),
        ("￥1200", "JPY", "1200"), ("＄13.49", "CAD", "13.49"), ("US$ 9.99", "USD", "9.99"), ("9,99 $US", "USD", "9.99"),
        ("9,99 $ CA", "CAD", "9.99"), ("12 د.إ.\u{200F}", "AED", "12"), ("-$13.49", "CAD", "-13.49"),
        ("–13,49 €", "EUR", "-13.49"), ("15.– CHF", "CHF", "15"), ("kr 99,-", "NOK", "99"), ("12 euros", "EUR", "12"),
        ("F CFA 500", "XOF", "500"), ("S/ 19.90", "PEN", "19.90"), ("Bs 70", "BOB", "70"),
    ])
    func readsSigns(_ text: String, _ code: String, _ decimal: String) throws {
        let read = try #require(AmountText.read(text), "\(text)")
        let named = try currency(code)
        #expect(read.decimal == decimal && read.sign?.currency(preferring: [named]) == named)
    }

    @Test(
        "What a sign means when nothing was named",
        arguments: [
            ("$", "USD"), ("£", "GBP"), ("¥", "JPY"), ("Kč", "CZK"), ("R", "ZAR"), ("S$", "SGD"), ("Mex$", "MXN"),
            ("kr", nil), ("Rs", nil), ("C$", nil), ("L", nil),
        ] as [(String, String?)])
    func usualMeaning(_ sign: String, _ code: String?) throws {
        #expect(try #require(CurrencySign(sign)).currency()?.code == code)
    }

    @Test(arguments: ["", " ", ".", "k", "abc", "$$", "kr?", "EURO$", "x€", "Netflix"])
    func whatIsNoSign(_ text: String) { #expect(CurrencySign(text) == nil) }

    @Test("Every currency is read by its code and by the symbol with which it is shown")
    func everyCurrency() throws {
        for currency in Currency.all {
            #expect(CurrencySign(currency.code)?.currencies == [currency])
            let shown = Money(minorUnits: 345, currency: currency)
            for style in [AmountStyle.english, .french] {
                let read = try #require(AmountText.read(shown.formatted(style)), "\(shown.formatted(style))")
                #expect(read.decimal == shown.decimal && read.sign?.currencies.contains(currency) == true)
            }
        }
    }

    @Test("A sign of several means the currency of the flag, the column or the settings, the nearest first")
    func namedCurrencies() throws {
        let today = try SubscriptionFixture.day("2026-11-20")
        func code(_ draft: SubscriptionDraft, _ flag: String?, _ home: String?) throws -> String? {
            try draft.normalised(
                currency: flag.flatMap { Currency(code: $0) },
                preferring: [home].compactMap { $0.flatMap { Currency(code: $0) } },
                today: today)[.currency]
        }
        #expect(try code([.amount: "$13.49"], "CAD", nil) == "CAD")
        #expect(try code([.amount: "$13.49"], nil, "CAD") == "CAD")
        #expect(try code([.amount: "$13.49"], "EUR", "CAD") == "CAD")
        #expect(try code([.amount: "$13.49"], "EUR", nil) == "USD")
        #expect(try code([.amount: "CA$13.49"], "USD", nil) == "CAD")
        #expect(try code([.amount: "13.49", .currency: "$"], nil, "AUD") == "AUD")
        #expect(try code([.amount: "A$13.49", .currency: "$"], nil, nil) == "AUD")
        #expect(try code([.amount: "$13.49", .currency: "NZD"], "CAD", nil) == "NZD")
        #expect(try code([.amount: "99 kr", .currency: "kr."], nil, "SEK") == "SEK")
        let fault = #expect(throws: Fault.self) { try code([.amount: "99 kr"], "EUR", nil) }
        #expect(fault?.pointer == "currency" && fault?.detail.contains("DKK, ISK, NOK, SEK") == true)
    }

    @Test("A single letter is a sign on a line of entry only for a currency in use")
    func letters() throws {
        #expect(QuickEntry.readings(of: "Office 365 R").contains { $0.amount == "365 R" } == false)
        let rand = try currency("ZAR")
        #expect(QuickEntry.readings(of: "DStv 365 R", in: [rand]).contains { $0.amount == "365 R" })
        #expect(QuickEntry.readings(of: "Viaplay 99kr/month").first?.cycle == "monthly")
        #expect(QuickEntry.readings(of: "Player 29 zł/month").first?.amount == "29 zł")
    }
}
