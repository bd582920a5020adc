import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// The price of a subscription by month, with known changes to come.
struct PricePlot {
    private let visit: AppVisit
    private let months: [(on: CalendarDay, price: Money)]

    /// Months that are shown at most, those to come included.
    private static let mostMonths = 36
    private static let monthsAhead = 6

    /// Nil when the price has never changed, or is in another currency than before.
    init?(_ visit: AppVisit, _ subscription: Subscription) {
        let today = visit.moment.today
        let history = subscription.priceHistory
        guard history.count > 1, let first = history.first?.from, let last = history.last?.from else { return nil }
        let end = max(today, last).adding(months: Self.monthsAhead)
        var day = end.adding(days: 1 - end.day)
        var months: [(on: CalendarDay, price: Money)] = []
        while months.count < Self.mostMonths, day.adding(months: 1) > first {
            // As at the end of the month, so that a change within it shows.
            let price = subscription.price(on: day.adding(months: 1).adding(days: -1))
            if price.currency == subscription.currency { months.insert((day, price), at: 0) }
            day = day.adding(months: -1)
        }
        guard months.count > 1 else { return nil }
        self.visit = visit
        self.months = months
    }

    func write(to html: inout HTMLWriter) {
        let prices = months.map(\.price)
        let units = prices.map(\.minorUnits)
        guard let currency = prices.first?.currency, let low = units.min(), let high = units.max() else { return }
        let words = visit.words
        let (lowest, highest) = (
            visit.money(Money(minorUnits: low, currency: currency)),
            visit.money(Money(minorUnits: high, currency: currency))
        )
        let scale = PlotScale(of: prices.map(Self.number), wholeNumbers: false)
        html.section(visit.text("Price by month")) { html in
            html.add(.div, .class("panel amount")) { html in
                TimePlot(
                    id: "price", form: .bars, title: visit.text("Price by month"),
                    summary: visit.text("Between \(lowest) and \(highest)."),
                    points: months.map { month in
                        PlotPoint(
                            label: Self.label(month.on, words), value: Self.number(month.price),
                            isUnfinished: month.on > visit.moment.today)
                    }, scale: scale
                ) { Self.tick($0, scale.step, words) }
                .write(to: &html)
            }
        }
    }

    private static func number(_ amount: Money) -> Double { Double(amount.decimal) ?? 0 }

    /// `2027-01`, in French `01/2027`.
    private static func label(_ month: CalendarDay, _ words: DisplayLanguage) -> String {
        let parts = month.iso.split(separator: "-")
        return words == .french ? "\(parts[1])/\(parts[0])" : "\(parts[0])-\(parts[1])"
    }

    private static func tick(_ value: Double, _ step: Double, _ words: DisplayLanguage) -> String {
        if step >= 1 { return AmountStyle(words).grouped(Int(value)) }
        let hundredths = Int((value * 100).rounded())
        let cents = hundredths % 100
        return "\(hundredths / 100)\(words == .french ? "," : ".")\(cents < 10 ? "0" : "")\(cents)"
    }
}
