import JSONWire
package import SubGuardDomain

extension APIOperation {
    public static let rates = APIOperation(
        .get, "/api/v1/rates", "listRates", tag: .rates, access: .open,
        summary: "List exchange rates",
        """
        Reference rates that the server fetches once a day, by day and currency: how many units of a currency one euro \
        buys. Days without rates, such as weekends, are left out. A page ends with a whole day; `next_since` is the \
        day with which the next page begins.

        The list is empty on a server that fetches no rates (`rates_url` is not set).
        """, query: .object(RateQuery.self), answers: [.json(RatePage.self, "A page, oldest day first.")])
}

/// The query of reference rates.
package struct RateQuery: WireObject {
    package let since: CalendarDay?

    package static let wire = WireSchema<RateQuery>(
        nil, make: { RateQuery(since: $0) },
        Field("since", \.since, optional: .day, "The first day. Default: the first day that the server has."))
}

/// The reference rates of some days.
package struct RatePage: WireObject {
    package let rates: [DatedRate]
    package let nextSince: CalendarDay?

    /// Bounds the size of a page: 300 days of the European Central Bank, about 500 KB.
    package static let maximumCount = 10_000

    package init(rates: [DatedRate], nextSince: CalendarDay?) {
        self.rates = rates
        self.nextSince = nextSince
    }

    package static let wire = WireSchema<RatePage>(
        "RatePage", "Reference rates, oldest day first.",
        make: { (_: String, rates: [RateRow], next: CalendarDay?) in
            RatePage(rates: rates.map(\.rate), nextSince: next)
        },
        Field("base", { _ in "EUR" }, .constant("EUR"), "The currency of which one unit is exchanged."),
        Field(
            "rates", { $0.rates.map(RateRow.init) }, .array(of: .object, count: 0...maximumCount),
            "By day, then by currency."),
        Field(
            "next_since", \.nextSince, nullable: .day,
            "Send it as `since` for the next page; null on the last one."))
}

/// One rate on the wire.
package struct RateRow: WireObject {
    package let rate: DatedRate

    package init(_ rate: DatedRate) { self.rate = rate }

    package static let wire = WireSchema<RateRow>(
        "ReferenceRate", make: { RateRow(DatedRate(currency: $1, on: $0, rate: $2)) },
        Field("day", \.rate.on, .day), Field("currency", \.rate.currency, .currency),
        Field("rate", \.rate.rate, .exchangeRate, "Units of the currency for one euro."))
}

extension WireType where Value == ExchangeRate {
    package static var exchangeRate: WireType<ExchangeRate> {
        WireType { _ in
            ["type": "string", "pattern": #"^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{0,11}[1-9])?$"#]
        } example: {
            "1.0823"
        } write: {
            $1.string($0.decimal)
        } read: { json, reading in
            guard let text = reading.text(json) else { return nil }
            let rate = ExchangeRate(text)
            if rate == nil { reading.note(.invalidAmount, "Must be a number greater than 0, such as 1.0823.") }
            return rate
        }
    }
}
