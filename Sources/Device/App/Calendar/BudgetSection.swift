import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Budgets below the calendar, set and deleted by forms.
enum BudgetPages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form(
                "/budgets",
                refill: { visit, form in
                    try CalendarPages.page(visit, budgets: BudgetSection(visit, typed: form))
                }
            ) { visit, form in
                do {
                    let (amount, currency) = try limit(form)
                    // One field for both, as a budget has at most one of them.
                    let target = (form["target"] ?? "").trimmingBlanks
                    let scope = SubscriptionScope(rawValue: target)
                    let begins = (form["begins"] ?? "").trimmingBlanks
                    try visit.store.budgets.set(
                        scope: scope?.rawValue, category: scope == nil && !target.isEmpty ? target : nil,
                        amount: amount, currency: currency,
                        period: Budget.Period(rawValue: form["period"] ?? "") ?? .month,
                        begins: begins.isEmpty ? nil : begins, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(AppSection.calendar.link))
                } catch let error as DeviceStoreError {
                    let budgets = try BudgetSection(visit, typed: form, error: error)
                    return AppResponse.page(try CalendarPages.page(visit, budgets: budgets), .unprocessableContent)
                }
            },
            gate.form("/budgets/delete") { visit, form in
                guard let id = form["budget"].flatMap({ UUID(uuidString: $0) }) else {
                    throw AppRefusal.unreadable("No budget was chosen.")
                }
                try visit.store.budgets.delete(id, at: visit.moment)
                return AppResponse.seeOther(try visit.done(AppSection.calendar.link))
            },
        ]
    }

    /// The amount in the form of the contract, and the currency. Throws the faults of both.
    private static func limit(_ form: FormFields) throws -> (amount: String, currency: String) {
        var faults = FaultList()
        var currency: Currency?
        var amount = ""
        do throws(Fault) {
            currency = try FieldRules.currency((form["currency"] ?? "").trimmingBlanks.uppercased())
        } catch { faults.note(error) }
        do throws(Fault) {
            // Without a known currency, whether it is an amount at all.
            let known = if let currency { currency } else { try FieldRules.currency("KWD") }
            amount = try AmountText.decimal(form["amount"] ?? "", in: known, field: "amount")
        } catch { faults.note(error) }
        guard let currency, faults.isEmpty else { throw DeviceStoreError.of(faults) ?? DeviceStoreError.cancelled }
        return (amount, currency.code)
    }
}

/// The budgets with what is spent and to come, and the form of another one.
struct BudgetSection {
    private let visit: AppVisit
    private let budgets: [BudgetStatus]
    private let categories: [SubscriptionCategory]
    /// A budget that was not accepted.
    private let typed: FormFields?
    private let error: DeviceStoreError?

    init(_ visit: AppVisit, typed: FormFields? = nil, error: DeviceStoreError? = nil) throws {
        self.visit = visit
        self.typed = typed
        self.error = error
        budgets = try visit.answer("budgets") { try visit.store.budgets.list(at: visit.moment) }
        let used = try visit.costs().rows.flatMap { $0.categories.map(\.category) }
        categories = Array(Set(used).union(SubscriptionCategory.builtIn)).sorted(by: SubscriptionCategory.inOrder)
    }

    func write(to html: inout HTMLWriter) {
        html.add(.section, .class("section"), .id("budgets")) { html in
            html.add(.h2, text: visit.text("Budgets"))
            if !budgets.isEmpty {
                html.add(.ul, .class("waits")) { html in
                    for status in budgets { write(status, to: &html) }
                }
            }
            html.add(.details, .class("more after"), typed == nil ? nil : .open) { html in
                html.add(.summary, text: visit.text("Set a budget"))
                writeForm(to: &html)
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
        let range = status.budget.range(around: visit.moment.today)
        let days =
            status.budget.begins == .first
            ? "" : " " + visit.text("from \(visit.day(range.lowerBound)) to \(visit.day(range.upperBound))")
        let period = status.budget.period.displayName(visit.words) + days
        html.add(.li, .class("budget")) { html in
            html.add(.span) { html in
                html.add(.b, text: name(status.budget.target))
                html.add(.small, .class("muted"), text: " \(period) · \(status.state.displayName(visit.words))")
            }
            html.add(.span, .class("amount"), text: "\(visit.money(all)) / \(visit.money(limit))")
            html.add(.form, .methodPost, .action(HTMLLink("budgets", "delete"))) { html in
                html.hidden("budget", status.budget.id.lowercased)
                html.add(
                    .button, .type("submit"),
                    .aria("label", "\(visit.text("Delete"))\(visit.colon)\(name(status.budget.target)), \(period)"),
                    text: visit.text("Delete"))
            }
            html.add(.div, .class("bar-below")) { html in
                MeterBar(share: Double(all.minorUnits) / Double(max(limit.minorUnits, 1))).write(to: &html)
            }
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        let faults = error?.faults ?? []
        // What concerns no field of the form, such as a category that needs premium.
        let others = faults.filter { !["amount", "currency", "begins"].contains($0.pointer) }.map(\.detail)
        html.add(.form, .methodPost, .action(HTMLLink("budgets")), .class("stack after"), .data("guard")) { html in
            if let error, faults.isEmpty || !others.isEmpty {
                html.add(
                    .p, .class("notice bad"), .role("alert"),
                    text: others.isEmpty
                        ? visit.text(of: error)
                        : others.map { visit.sentence($0) }.joined(separator: " "))
            }
            html.add(.div, .class("fields")) { html in
                visit.field(
                    "amount", visit.text("Limit"), value: typed?["amount"] ?? "", faults: faults, to: &html)
                visit.field(
                    "currency", visit.text("Currency"),
                    value: typed?["currency"] ?? (try? visit.usualCurrency()) ?? "", faults: faults, to: &html)
                html.choice("target", visit.text("For"), current: typed?["target"], targets)
                html.choice(
                    "period", visit.text("Per"), current: typed?["period"],
                    Budget.Period.allCases.map { ($0.rawValue, visit.name($0)) })
                visit.field(
                    "begins", visit.text("First day"), value: typed?["begins"] ?? "",
                    hint: visit.text("Such as your pay day: 25, or 04-06 for a year."), faults: faults, to: &html)
            }
            html.add(.button, .type("submit"), .class("primary"), text: visit.text("Save"))
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
