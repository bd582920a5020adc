/// Exchange rates over time, from which the one that applies to a charge is found.
///
/// Two sources: reference rates, published on business days, and rates that the user set. On the same day the user's
/// applies. A reference rate applies for at most ``lifeDays`` days, so that a currency that is no longer published is
/// not converted at its last rate for ever; a rate of the user applies until the next one of either source.
public struct RateTable: Sendable {
    private struct Entry {
        let on: CalendarDay
        let rate: ExchangeRate
        let isOwn: Bool
    }

    /// The days for which a reference rate may stand in for later ones: longer than any series of holidays.
    public static let lifeDays = 14

    /// Sorted by day, one per day.
    private var entries: [Currency: [Entry]] = [:]
    /// The last day with reference rates; nil without any.
    public let publishedThrough: CalendarDay?

    /// - Parameters:
    ///   - reference: in any order; of two for one currency and day, the later one counts.
    ///   - own: the user's, in any order.
    ///   - publishedThrough: the last day with reference rates, when `reference` is only a part of them.
    public init(
        reference: some Sequence<DatedRate>, own: some Sequence<DatedRate> = [], publishedThrough: CalendarDay? = nil
    ) {
        var byDay: [Currency: [CalendarDay: Entry]] = [:]
        var last = publishedThrough
        for rate in reference {
            byDay[rate.currency, default: [:]][rate.on] = Entry(on: rate.on, rate: rate.rate, isOwn: false)
            last = max(last ?? rate.on, rate.on)
        }
        for rate in own {
            byDay[rate.currency, default: [:]][rate.on] = Entry(on: rate.on, rate: rate.rate, isOwn: true)
        }
        self.publishedThrough = last
        entries = byDay.mapValues { $0.values.sorted { $0.on < $1.on } }
    }

    /// True without a rate of either source; the euro and currencies with a fixed rate still convert.
    public var isEmpty: Bool { entries.isEmpty }

    /// The rate for a charge of a day: that of the day, or of the last one before it. Nil when none applies.
    ///
    /// Days after the last published one take the newest rate. The euro is always one.
    public func rate(of currency: Currency, on day: CalendarDay) -> DatedRate? {
        if currency == .eur { return DatedRate(currency: currency, on: day, rate: .one) }
        if let entry = entries[currency].flatMap({ Self.last(through: day, in: $0) }) {
            let reach = min(day, publishedThrough ?? day)
            if entry.isOwn || entry.on.days(until: reach) <= Self.lifeDays {
                return DatedRate(currency: currency, on: entry.on, rate: entry.rate)
            }
        }
        guard let fixed = FixedRate.of(currency), day >= fixed.on else { return nil }
        return fixed
    }

    private static func last(through day: CalendarDay, in entries: [Entry]) -> Entry? {
        entries.prefix(entries.partitionIndex { $0.on > day }).last
    }
}

/// The irrevocable rates of currencies that the euro replaced and that charges of the past may still have.
enum FixedRate {
    /// Council Regulation (EU) 2025/1409: 1.95583 leva for one euro from 1 January 2026.
    private static let all: [(code: String, rate: String, from: String)] = [("BGN", "1.95583", "2026-01-01")]

    static func of(_ currency: Currency) -> DatedRate? {
        for (code, rate, from) in all where code == currency.code {
            guard let rate = ExchangeRate(rate), let day = CalendarDay(iso: from) else { continue }
            return DatedRate(currency: currency, on: day, rate: rate)
        }
        return nil
    }
}
