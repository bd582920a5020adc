/// Expected charges per calendar month, including known price changes.
///
/// The first month counts from today; the others are complete.
public struct Forecast: Sendable {
    /// One month and currency.
    public struct Row: Sendable, Hashable {
        /// The first day of the month.
        public var month: CalendarDay
        /// The sum of the charges; 0 in a month without any.
        public var amount: Money
        /// The number of charges.
        public var count: Int
    }

    /// How many months a forecast may have.
    public static let monthsRange = 1...120

    /// The first day of the forecast; its month is the first month.
    public let today: CalendarDay
    /// The number of calendar months, that of ``today`` included; within ``monthsRange``.
    public let months: Int
    /// The last day of the forecast.
    public let through: CalendarDay
    private let firstMonth: Int
    /// The index of the month of each day, by days after today.
    private let monthOfDay: [Int]
    /// In the order of their first charge; each has ``months`` elements in ``sums`` and ``counts``.
    private var currencies: [Currency] = []
    private var sums: [Int64] = []
    private var counts: [Int] = []

    /// A forecast without charges, from `today` to the end of the last month; `months` is clamped to ``monthsRange``.
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
        subscription.visitCharges(from: today, through: through) { day in
            let amount = subscription.charge(on: day)
            count(amount, place(of: amount.currency) + monthOfDay[today.days(until: day)])
            return true
        }
    }

    /// Adds one charge; ignored before ``today`` and after ``through``.
    public mutating func add(_ amount: Money, on day: CalendarDay) {
        guard day >= today, day <= through else { return }
        count(amount, place(of: amount.currency) + monthOfDay[today.days(until: day)])
    }

    /// Adds the charges of a subscription without changes until ``through``; much faster than ``add(_:)``, with the
    /// same result. `next` is its next charged billing day, today or later.
    public mutating func add(steady price: Money, _ step: BillingStep, next: CalendarDay) {
        guard next >= today, next <= through else { return }
        let start = place(of: price.currency)
        var index = today.days(until: next)
        switch step {
        case .once: count(price, start + monthOfDay[index])
        case .days(let days):
            while index < monthOfDay.count {
                count(price, start + monthOfDay[index])
                index += days
            }
        case .months(let step):
            var month = monthOfDay[index]
            while month < months {
                count(price, start + month)
                month += step
            }
        }
    }

    private mutating func count(_ price: Money, _ index: Int) {
        sums[index] += price.minorUnits
        counts[index] += 1
    }

    /// The start of a currency's months. Linear search: there are few currencies.
    private mutating func place(of currency: Currency) -> Int {
        if let index = currencies.firstIndex(of: currency) { return index * months }
        currencies.append(currency)
        sums.append(contentsOf: repeatElement(0, count: months))
        counts.append(contentsOf: repeatElement(0, count: months))
        return sums.count - months
    }

    /// Sorted by month, then by currency code. Every currency has a row for every month.
    public var rows: [Row] {
        let places = currencies.indices.sorted { currencies[$0].code < currencies[$1].code }
        return (0..<months).flatMap { index in
            places.map { place in
                let month = firstMonth + index
                let first = CalendarDay(year: month / 12, month: month % 12 + 1, day: 1) ?? .latest
                let amount = Money(minorUnits: sums[place * months + index], currency: currencies[place])
                return Row(month: first, amount: amount, count: counts[place * months + index])
            }
        }
    }
}
