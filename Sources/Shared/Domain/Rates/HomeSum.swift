import Foundation

/// A sum over several currencies in one, the home currency: exact until it is read, then rounded once.
///
/// What cannot be converted is left out of the sum, and named.
public struct HomeSum: Sendable {
    /// A rate that the sum used: the newest one for each currency.
    public typealias Used = DatedRate

    private struct Term: Hashable {
        let currency: Currency
        let from: ExchangeRate
        let to: ExchangeRate
    }

    /// The currency of the sum.
    public let home: Currency
    /// Decimals of a minor unit that are right in a sum of many quotients, even in the greatest sum.
    private static let reliableDecimals = 15

    private let table: RateTable
    private var terms: [Term: Decimal] = [:]
    private var newest: [Currency: DatedRate] = [:]
    private var missing: Set<Currency> = []

    /// An empty sum, which converts amounts at the rates of the table.
    public init(home: Currency, rates: RateTable) {
        self.home = home
        table = rates
    }

    /// Adds an amount at the rates of a day. An amount of zero needs no rate.
    public mutating func add(_ amount: Money, on day: CalendarDay) {
        guard amount.minorUnits != 0 else { return }
        add(Decimal(amount.minorUnits), of: amount.currency, on: day)
    }

    /// Adds amounts times the yearly factor of their cycle, such as 12 for monthly ones.
    public mutating func add(_ amount: Money, times factor: AnnualFactor, on day: CalendarDay) {
        guard amount.minorUnits != 0, factor.numerator != 0 else { return }
        let product = Decimal(amount.minorUnits) * Decimal(factor.numerator)
        add(product / Decimal(factor.denominator), of: amount.currency, on: day)
    }

    private mutating func add(_ minorUnits: Decimal, of currency: Currency, on day: CalendarDay) {
        if currency == home {
            terms[Term(currency: currency, from: .one, to: .one), default: 0] += minorUnits
            return
        }
        guard let from = table.rate(of: currency, on: day), let to = table.rate(of: home, on: day) else {
            missing.insert(currency)
            return
        }
        terms[Term(currency: currency, from: from.rate, to: to.rate), default: 0] += minorUnits
        for used in [from, to] where used.currency != .eur {
            if let known = newest[used.currency], known.on >= used.on { continue }
            newest[used.currency] = used
        }
    }

    /// The sum in the home currency, rounded half to even; clamped to 64 bits of minor units.
    public var amount: Money { rounded(dividedBy: 1) }

    /// The same divided by 12, rounded once.
    public var monthly: Money { rounded(dividedBy: 12) }

    /// The newest rate used for each currency other than the euro, sorted by code.
    public var rates: [Used] { newest.values.sorted { $0.currency.code < $1.currency.code } }

    /// The currencies of amounts that are not in the sum, sorted by code.
    public var unconverted: [Currency] { missing.sorted { $0.code < $1.code } }

    private func rounded(dividedBy divisor: Int) -> Money {
        var sum = Decimal(0)
        // In a fixed order, so that the last of 38 digits is the same in every run.
        for (term, minorUnits) in terms.sorted(by: { Self.key($0.key) < Self.key($1.key) }) {
            let shift =
                term.from.decimals - term.to.decimals + home.exponent - term.currency.exponent
            let factor = Decimal(term.to.digits)
            sum += minorUnits * factor * Self.power(shift) / Decimal(term.from.digits)
        }
        sum /= Decimal(divisor)
        // Quotients are cut after 38 digits, so two thirds and five sixths are a little less than one and a half.
        var near = Decimal()
        NSDecimalRound(&near, &sum, Self.reliableDecimals, .plain)
        var rounded = Decimal()
        NSDecimalRound(&rounded, &near, 0, .bankers)
        let text = "\(rounded)"
        let limit: Int64 = rounded < 0 ? .min : .max
        return Money(minorUnits: Int64(text) ?? limit, currency: home)
    }

    private static func key(_ term: Term) -> (String, Int64, Int, Int64) {
        (term.currency.code, term.from.digits, term.from.decimals, term.to.digits)
    }

    private static func power(_ exponent: Int) -> Decimal {
        Decimal(sign: .plus, exponent: exponent, significand: 1)
    }
}
