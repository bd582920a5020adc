/// What will be charged in each of the coming calendar months, from dated prices.
///
/// The first month is that of `today`, from today on; the others are whole.
public struct Forecast: Sendable {
    /// One month and currency.
    public struct Row: Sendable, Hashable {
        /// The first day of the month.
        public var month: CalendarDay
        public var amount: Money
        public var count: Int
    }

    public static let monthsRange = 1...120

    public let today: CalendarDay
    public let months: Int
    /// The last day that is looked at.
    public let through: CalendarDay
    private let firstMonth: Int
    /// The number of the month in which a day lies, by days after today.
    private let monthOfDay: [Int]
    private var sums: [Currency: [Int64]] = [:]
    private var counts: [Currency: [Int]] = [:]

    /// - Parameter months: held within ``monthsRange``.
    public init(today: CalendarDay, months: Int = 12) {
        let months = min(max(months, Self.monthsRange.lowerBound), Self.monthsRange.upperBound)
        self.today = today
        self.months = months
        let (year, month, day) = today.components
        firstMonth = year * 12 + month - 1
        through = today.adding(days: 1 - day).adding(months: months, anchorDay: 1).adding(days: -1)
        var table: [Int] = []
        table.reserveCapacity(today.days(until: through) + 1)
        var remaining = CalendarDay.daysIn(month: month, year: year) - day + 1
        var index = 0
        for _ in 0...max(today.days(until: through), 0) {
            if remaining == 0 {
                index += 1
                let month = firstMonth + index
                remaining = CalendarDay.daysIn(month: month % 12 + 1, year: month / 12)
            }
            table.append(index)
            remaining -= 1
        }
        monthOfDay = table
    }

    /// Adds the charges of a subscription.
    public mutating func add(_ subscription: Subscription) {
        var amounts = [Int64](repeating: 0, count: months)
        var charges = [Int](repeating: 0, count: months)
        subscription.visitCharges(from: today, through: through) { day in
            let month = monthOfDay[today.days(until: day)]
            amounts[month] += subscription.price(on: day).minorUnits
            charges[month] += 1
            return true
        }
        add(amounts, charges, subscription.currency)
    }

    /// Adds the charges of a subscription that nothing changes until ``through``: the same sums as ``add(_:)`` at a
    /// fraction of its cost.
    ///
    /// - Parameter next: its next charged billing day, today or later.
    public mutating func add(steady price: Money, _ step: BillingStep, next: CalendarDay) {
        guard next >= today, next <= through else { return }
        let currency = price.currency
        if sums[currency] == nil {
            add([Int64](repeating: 0, count: months), [Int](repeating: 0, count: months), currency)
        }
        var index = today.days(until: next)
        switch step {
        case .once: count(price, monthOfDay[index])
        case .days(let days):
            while index < monthOfDay.count {
                count(price, monthOfDay[index])
                index += days
            }
        case .months(let step):
            var month = monthOfDay[index]
            while month < months {
                count(price, month)
                month += step
            }
        }
    }

    private mutating func count(_ price: Money, _ month: Int) {
        sums[price.currency]?[month] += price.minorUnits
        counts[price.currency]?[month] += 1
    }

    private mutating func add(_ amounts: [Int64], _ charges: [Int], _ currency: Currency) {
        let none = [Int64](repeating: 0, count: months)
        sums[currency] = zip(sums[currency] ?? none, amounts).map(+)
        counts[currency] = zip(counts[currency] ?? [Int](repeating: 0, count: months), charges).map(+)
    }

    /// By month, then by the currency's code; a currency has a row for every month, also for one without a charge.
    public var rows: [Row] {
        let currencies = sums.keys.sorted { $0.code < $1.code }
        return (0..<months).flatMap { index in
            currencies.map { currency in
                let month = firstMonth + index
                let first = CalendarDay(year: month / 12, month: month % 12 + 1, day: 1) ?? .latest
                return Row(
                    month: first, amount: Money(minorUnits: sums[currency]?[index] ?? 0, currency: currency),
                    count: counts[currency]?[index] ?? 0)
            }
        }
    }
}
