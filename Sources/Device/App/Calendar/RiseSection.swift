import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// Price rises since a date, which is chosen in the address.
struct RiseSection {
    private let visit: AppVisit
    private let since: CalendarDay
    /// What was entered.
    private let typed: String
    /// Why it cannot be shown.
    let fault: Fault?
    private let rises: [SubscriptionChange]
    private let hasMore: Bool

    private static let name = "since"
    private static let mostListed = 50

    /// Those of the last 12 months, unless the address has another date.
    init(_ visit: AppVisit) throws {
        self.visit = visit
        let today = visit.moment.today
        let usual = today.adding(months: -12)
        typed = visit.parameter(Self.name)?.trimmingBlanks ?? usual.iso
        let day = CalendarDay(iso: typed)
        since = day ?? usual
        switch day {
        case nil: fault = Fault(Self.name, .invalidDay, "Must be a date such as 2027-01-15.")
        case let day? where day > today: fault = Fault(Self.name, .outOfRange, "Must not be after today.")
        default: fault = nil
        }
        let first = since
        let found =
            fault == nil
            ? try visit.answer("rises \(first.iso)") {
                try visit.store.totals.priceRises(since: first, limit: Self.mostListed + 1, at: visit.moment)
            } : []
        rises = Array(found.prefix(Self.mostListed))
        hasMore = found.count > Self.mostListed
    }

    func write(to html: inout HTMLWriter) {
        html.section(visit.text("Price rises"), id: "rises") { html in
            // Back to this section: the page above is long.
            FilterForm(
                HTMLLink("insights", fragment: "rises"), title: "", submit: visit.text("Show"), isSearch: false
            ).write([], to: &html) { html in
                visit.field(
                    Self.name, visit.text("Since"), value: CalendarDay(iso: typed) == nil ? "" : typed, type: "date",
                    faults: fault.map { [$0] } ?? [], to: &html)
            }
            if fault == nil, rises.isEmpty { html.mutedLine(visit.text("No price rises since \(visit.day(since)).")) }
            if !rises.isEmpty { html.rows(rises) { write($0, to: &$1) } }
            if hasMore { html.mutedLine(visit.text("Only the newest \(Self.mostListed) are shown.")) }
        }
    }

    private func write(_ rise: SubscriptionChange, to html: inout HTMLWriter) {
        let percent = rise.percent.map { " (+\(visit.words.percent("\($0)")))" } ?? ""
        let prices = [rise.from, rise.to].compactMap { $0 }.map { visit.money($0) }.joined(separator: " → ")
        html.add(.b, text: rise.name)
        html.add(.span) { $0.amount(prices + percent, after: visit.day(rise.on) + " · ") }
    }
}
