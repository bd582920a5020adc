import DeviceWords
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// The month with its charges and last days to cancel, and budgets.
enum CalendarPages {
    static func routes(_ gate: AppGate) -> [Route] {
        [gate.page("/calendar", page)]
    }

    /// The month that the address names, within ten years; by default the current one.
    static func page(_ visit: AppVisit) throws -> [UInt8] {
        let current = visit.moment.today.adding(days: 1 - visit.moment.today.day)
        let wanted = visit.parameter("month").flatMap { CalendarDay(iso: $0 + "-01") } ?? current
        let first = min(max(wanted, current.adding(months: -120)), current.adding(months: 120))
        return try CalendarPage(visit, first: first).page(BudgetSection(visit, month: first))
    }
}

/// One month: its charges, last days to cancel, and sums.
private struct CalendarMonth: Sendable {
    let first: CalendarDay
    let last: CalendarDay
    /// The first charges of each day, and how many more there are.
    let charges: [CalendarDay: (shown: [Occurrence], others: Int)]
    let deadlines: [CalendarDay: [CancelByEntry]]
    let sums: [Money]

    /// Of one day.
    private static let mostCharges = 8

    init(_ visit: AppVisit, first: CalendarDay) throws {
        let last = first.adding(months: 1).adding(days: -1)
        let charged = try visit.store.ledger.occurrences(from: first, through: last, at: visit.moment)
            .filter { $0.fate != .skipped }
        self.first = first
        self.last = last
        charges = Dictionary(grouping: charged, by: \.billingOn).mapValues {
            (Array($0.prefix(Self.mostCharges)), max($0.count - Self.mostCharges, 0))
        }
        deadlines = Dictionary(
            grouping: try visit.store.totals.cancelBy(skipsRenewals: true, at: visit.moment)
                .filter { (first...last).contains($0.cancelBy.lastDay) },
            by: \.cancelBy.lastDay)
        sums = Money.sums(of: charged.map(\.amount))
    }
}

private struct CalendarPage {
    private let visit: AppVisit
    private let month: CalendarMonth

    init(_ visit: AppVisit, first: CalendarDay) throws {
        self.visit = visit
        self.month = try visit.answer("month \(first.iso)") { try CalendarMonth(visit, first: first) }
    }

    func page(_ budgets: BudgetSection) -> [UInt8] {
        visit.page(.calendar, title: "\(visit.month(month.first)) · \(visit.text("Calendar"))") { html in
            html.calendarChips(visit, isInsights: false)
            writeMonth(to: &html)
            budgets.write(to: &html)
        }
    }

    // MARK: The month

    private func writeMonth(to html: inout HTMLWriter) {
        let (first, last) = (month.first, month.last)
        html.top(visit.month(first)) { html in
            if month.sums.isEmpty {
                html.hint(visit.text("No charges."))
            } else {
                html.hint(visit.money(month.sums), "value amount")
            }
        } beside: { html in
            html.add(.div, .class("actions")) { html in
                for (months, label) in [(-1, visit.text("Previous month")), (1, visit.text("Next month"))] {
                    let month = String(first.adding(months: months).iso.prefix(7))
                    html.linkButton(label, HTMLLink("calendar", query: [("month", month)]))
                }
                let year = first.components.year
                html.linkButton(visit.text("The year \("\(year)")"), YearPages.link(year))
            }
        }
        // For the eye; each day has its whole date as `datetime`.
        html.add(.div, .class("weekdays"), .aria("hidden", "true")) { html in
            for name in visit.text("Mon Tue Wed Thu Fri Sat Sun").split(separator: " ") {
                html.add(.span, text: String(name))
            }
        }
        html.add(.ol, .class("month")) { html in
            // The week begins on Monday, as in ISO 8601.
            for _ in 1..<first.weekday { html.add(.li, .class("other"), .aria("hidden", "true")) { _ in } }
            var day = first
            while day <= last {
                write(day, to: &html)
                day = day.adding(days: 1)
            }
            for _ in 0..<(7 - last.weekday) { html.add(.li, .class("other"), .aria("hidden", "true")) { _ in } }
        }
    }

    private func write(_ day: CalendarDay, to html: inout HTMLWriter) {
        let (charges, others) = month.charges[day] ?? ([], 0)
        let deadlines = month.deadlines[day] ?? []
        let isEmpty = charges.isEmpty && deadlines.isEmpty
        html.add(
            .li, isEmpty ? .class("empty-day") : nil, day == visit.moment.today ? .aria("current", "date") : nil
        ) { html in
            html.add(.time, .datetime(day.iso), text: "\(day.day)")
            html.add(.ul) { html in
                for charge in charges {
                    html.add(.li) { html in
                        html.add(.a, .href(SubscriptionPages.link(charge.id.subscriptionID)), text: charge.name)
                        html.amount(visit.money(charge.amount), after: " ")
                    }
                }
                if others > 0 {
                    html.add(.li, .class("muted"), text: visit.text("\(others) more"))
                }
                for deadline in deadlines {
                    html.add(.li, .class("deadline")) { html in
                        html.add(
                            .a, .href(SubscriptionPages.link(deadline.subscriptionID)),
                            text: visit.text("cancel \(deadline.name) today at the latest"))
                    }
                }
            }
        }
    }
}
