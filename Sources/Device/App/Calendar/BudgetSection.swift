import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Budgets below the calendar, set and deleted by forms.
enum BudgetPages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form("/budgets", saysAll: true, again: CalendarPages.page) { visit, form in
                var reader = FieldReader(form)
                let (amount, currency) = reader.amount()
                try reader.finish()
                // One field for both, as a budget has at most one of them.
                let target = form.trimmed("target")
                let scope = SubscriptionScope(rawValue: target)
                let begins = form.trimmed("begins")
                try visit.store.budgets.set(
                    scope: scope?.rawValue, category: scope == nil && !target.isEmpty ? target : nil,
                    amount: amount ?? "", currency: currency?.code ?? "",
                    period: Budget.Period(rawValue: form["period"] ?? "") ?? .month,
                    begins: begins.isEmpty ? nil : begins, at: visit.moment)
                return .done(AppSection.calendar.link)
            },
            gate.form("/budgets/delete") { visit, form in
                try visit.store.budgets.delete(form.id("budget", missing: "No budget was chosen."), at: visit.moment)
                return .done(AppSection.calendar.link)
            },
        ]
    }
}

/// The budgets with what is spent and to come, and the form of another one.
struct BudgetSection {
    private let visit: AppVisit
    /// The day whose periods are shown: today, or the last day of another month.
    private let day: CalendarDay
    private let budgets: [BudgetStatus]
    private let categories: [SubscriptionCategory]
    /// Where the form is sent.
    private let link = HTMLLink("budgets")

    /// - Parameter first: the first day of the month shown above.
    init(_ visit: AppVisit, month first: CalendarDay) throws {
        self.visit = visit
        let today = visit.moment.today
        let last = first.adding(months: 1).adding(days: -1)
        // The period that begins in that month.
        let day = (first...last).contains(today) ? today : last
        self.day = day
        budgets = try visit.answer("budgets \(day.iso)") {
            try visit.store.budgets.list(around: day, at: visit.moment)
        }
        let used = try visit.costs().rows.flatMap { $0.categories.map(\.category) }
        categories = Array(Set(used).union(SubscriptionCategory.builtIn))
            .sorted { SubscriptionCategory.inOrder($0, $1, visit.words) }
    }

    func write(to html: inout HTMLWriter) {
        html.section(visit.text("Budgets"), id: "budgets") { html in
            if !budgets.isEmpty {
                html.add(.ul, .class("waits")) { html in
                    for status in budgets { write(status, to: &html) }
                }
            }
            html.fold(visit.text("Set a budget"), "more after", isOpen: visit.sent(to: link) != nil) {
                writeForm(to: &$0)
            }
        }
    }

    private func name(_ target: Budget.Target) -> String {
        target.scope?.displayName(visit.words) ?? target.category?.displayName(visit.words)
            ?? visit.text("Everything")
    }

    private func write(_ status: BudgetStatus, to html: inout HTMLWriter) {
        let limit = status.budget.limit
        let all = Money(
            minorUnits: [status.spent.minorUnits, status.expected.minorUnits].clampedSum,
            currency: status.spent.currency)
        let range = status.budget.range(around: day)
        // The period that holds today goes without saying when it is one of the calendar.
        let isPlain = status.budget.begins == .first && day == visit.moment.today
        let days =
            isPlain
            ? "" : " " + visit.text("from \(visit.day(range.lowerBound)) to \(visit.day(range.upperBound))")
        let period = status.budget.period.displayName(visit.words) + days
        let codes = status.uncounted.map(\.code).joined(separator: ", ")
        html.add(.li, .class(status.state == .exceeded ? "budget exceeded" : "budget")) { html in
            html.add(.span) { html in
                html.add(.b, text: name(status.budget.target))
                html.add(.small, .class("muted"), text: " \(period) · \(status.state.displayName(visit.words))")
                if !codes.isEmpty {
                    html.add(.small, .class("muted"), text: " · " + visit.text("without charges in \(codes)"))
                }
            }
            html.add(.span, .class("amount"), text: "\(visit.money(all)) / \(visit.money(limit))")
            html.button(
                visit.text("Delete"), post: HTMLLink("budgets", "delete"), ["budget": status.budget.id.lowercased],
                label: visit.label(visit.text("Delete"), "\(name(status.budget.target)), \(period)"))
            html.add(.div, .class("bar-below")) { html in
                MeterBar(share: Double(all.minorUnits) / Double(max(limit.minorUnits, 1))).write(to: &html)
            }
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        let error = visit.sent(to: link)?.error
        let faults = error.faults
        // What concerns no field of the form, such as a category that needs premium.
        let others = faults.filter { !["amount", "currency", "begins"].contains($0.pointer) }.map(\.detail)
        let values = [("currency", (try? visit.usualCurrency()) ?? "")]
        let fields = FieldWriter(visit, link, values)
        html.post(link, "stack after", .data("guard")) { html in
            if let error, faults.isEmpty || !others.isEmpty {
                let sentences = others.map { visit.sentence($0) }.joined(separator: " ")
                html.notice(.bad, text: others.isEmpty ? visit.text(of: error) : sentences)
            }
            html.add(.div, .class("fields")) { html in
                fields.line("amount", visit.text("Limit"), to: &html)
                fields.line("currency", visit.text("Currency"), to: &html)
                fields.choice("target", visit.text("For"), targets, to: &html)
                fields.choice(
                    "period", visit.text("Per"), Budget.Period.allCases.map { ($0.rawValue, visit.name($0)) },
                    to: &html)
                fields.line(
                    "begins", visit.text("First day"),
                    hint: visit.text("Such as your pay day: 25, or 04-06 for a year."), to: &html)
            }
            html.submit(visit.text("Save"), "primary")
        }
    }

    private var targets: [(value: String, text: String)] {
        [("", visit.text("Everything"))]
            + SubscriptionScope.allCases.map { ($0.rawValue, $0.displayName(visit.words)) }
            + categories.map { ($0.wire, $0.displayName(visit.words)) }
    }
}

extension AppVisit {
    fileprivate func name(_ period: Budget.Period) -> String {
        switch period {
        case .month: text("month")
        case .year: text("year")
        }
    }
}
