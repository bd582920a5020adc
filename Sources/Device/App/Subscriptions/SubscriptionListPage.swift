import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// The header with the annual cost, and the list.
struct SubscriptionListPage {
    private let visit: AppVisit
    /// The first ones.
    private let list: [SubscriptionSummary]
    private let listCount: Int
    /// Last days to cancel that are near, of those that are shown.
    private let near: [UUID: CancelBy]
    private let rows: [CostTotals.Row]
    private let home: HomeSum?
    /// The cost per year without what others bear, by currency.
    private let myPart: [Money]
    private let filter: SubscriptionFilter
    private let order: SubscriptionOrder
    private let isEmpty: Bool
    private let marks: ServiceMarks

    /// More are not shown at once.
    private static let mostShown = 200

    init(_ visit: AppVisit) throws {
        self.visit = visit
        order = visit.parameter("sort").flatMap { SubscriptionOrder(rawValue: $0) } ?? .next
        filter = SubscriptionFilter(
            scope: visit.parameter("scope").flatMap { SubscriptionScope(rawValue: $0) },
            category: visit.parameter("category").flatMap { try? SubscriptionCategory($0) },
            status: visit.parameter("status").flatMap { SubscriptionStatus(rawValue: $0) },
            search: visit.parameter("q").map { String($0.prefix(200)) })
        let (filter, order, moment) = (filter, order, visit.moment)
        // Not by search: each letter that is typed would be another answer to keep.
        let question = filter.search == nil ? "list \(order) \(filter)" : nil
        (list, listCount, near) = try visit.answer(question) {
            let list = try visit.store.subscriptions.list(filter, by: order, at: moment)
            let shown = Array(list.prefix(Self.mostShown))
            let near = try visit.store.totals.cancelBy(
                of: shown.map(\.id), through: moment.today.adding(days: SubscriptionRow.nearDays), at: moment)
            return (shown, list.count, near)
        }
        myPart = try visit.answer("my part") { try visit.store.totals.costs(isNet: true, at: moment).map(\.annual) }
        (rows, home) = try visit.costs()
        marks = try ServiceMarks(visit)
        isEmpty = list.isEmpty && filter == SubscriptionFilter()
    }

    func page() -> [UInt8] {
        visit.page(.subscriptions, title: visit.text("Subscriptions")) { html in
            html.add(.h1, .class("unseen"), text: visit.text("Subscriptions"))
            if isEmpty {
                writeWelcome(to: &html)
            } else {
                writeHeader(to: &html)
                writeCosts(to: &html)
                writeCategory(to: &html)
                writeSearch(to: &html)
                html.add(.div, .id("results")) { html in writeList(to: &html) }
            }
        }
    }

    private func writeWelcome(to html: inout HTMLWriter) {
        html.add(.div, .class("empty welcome")) { html in
            html.add(.h2, text: visit.text("What do you subscribe to?"))
            html.paragraph(visit.text("Add the first one: its name is often enough. Everything stays on this device."))
            html.add(.p, .class("actions")) { html in
                html.linkButton(visit.text("Add a subscription"), HTMLLink("add"), style: "button primary")
                html.linkButton(visit.text("Import a bank statement"), ImportPages.link)
            }
        }
    }

    // MARK: The annual cost

    /// Stays above the list.
    private func writeHeader(to html: inout HTMLWriter) {
        html.add(.div, .class("top headline")) { html in
            html.add(.div) { html in
                html.add(.div, .class("what-and-veil")) { html in
                    html.mutedLine(visit.text("Cost per year"))
                    LookPages.writeVeil(visit, back: HTMLLink(), to: &html)
                }
                let sums = isConverted ? home.map { [$0.amount] } ?? [] : rows.map(\.annual)
                for sum in sums { html.add(.p, .class("annual amount"), text: visit.money(sum)) }
                if rows.isEmpty { html.add(.p, .class("annual"), text: "–") }
            }
            html.linkButton(visit.text("Add a subscription"), HTMLLink("add"), style: "button primary")
        }
    }

    /// The parts of the headline, to fold away.
    private func writeCosts(to html: inout HTMLWriter) {
        html.fold(visit.text("Details"), "more costs", isOpen: true) { html in
            let home = isConverted ? home : nil
            for sum in home.map({ [$0.monthly] }) ?? rows.map(\.monthly) {
                html.hint(visit.text("\(visit.money(sum)) per month"), "muted amount")
            }
            if home != nil {
                html.add(.ul, .class("lines")) { html in
                    for row in rows {
                        html.add(.li, .class("amount"), text: visit.text("\(visit.money(row.annual)) per year"))
                    }
                }
            }
            visit.writeMissingRates(self.home, of: rows.map(\.currency), to: &html)
            writeScopes(to: &html)
            if myPart != rows.map(\.annual) {
                html.sentence(
                    visit.text("my part").capitalisedFirst, visit.money(myPart), .b, style: "muted", of: "amount")
            }
            html.add(.p, .class("actions after")) { html in
                html.add(.a, .href(InsightPages.link), text: visit.text("Insights"))
                html.add(.a, .href(WhatToCancelPage.link), text: visit.text("What to cancel"))
            }
        }
    }

    /// How many are charged, by scope, with the sums where there are both.
    private func writeScopes(to html: inout HTMLWriter) {
        html.add(.ul, .class("scopes")) { html in
            for scope in SubscriptionScope.allCases {
                let sums = rows.compactMap { row in row.scopes.first { $0.scope == scope && $0.count > 0 } }
                guard !sums.isEmpty else { continue }
                let count = sums.reduce(0) { $0 + $1.count }
                html.add(.li) { html in
                    let link = HTMLLink(query: [("scope", scope.rawValue)])
                    html.add(.a, .href(link), text: scope.displayName(visit.words))
                    html.text(" ")
                    html.add(.span, .class("badge"), text: "\(count)")
                    html.text(" ")
                    html.add(.b, .class("amount"), text: visit.money(sums.map(\.annual)))
                }
            }
        }
    }

    private var isConverted: Bool {
        let currencies = rows.map(\.currency)
        return currencies.contains { $0 != home?.home } && home?.converts(currencies) == true
    }

    // MARK: The list

    /// The chosen category, which the page of categories leads to.
    private func writeCategory(to html: inout HTMLWriter) {
        guard let category = filter.category else { return }
        html.add(.p, .class("chips")) { html in
            html.add(.a, .href(HTMLLink()), .aria("label", visit.text("All categories"))) { html in
                html.text("\(category.displayName(visit.words)) ×")
            }
        }
    }

    private func writeSearch(to html: inout HTMLWriter) {
        let any = [("", visit.text("All"))]
        let order = [
            ("next", visit.text("Next charge")), ("name", visit.text("Name")),
            ("yearly", visit.text("Cost per year")), ("amount", visit.text("Amount")),
        ]
        FilterForm(
            HTMLLink(), title: visit.text("Filters"), submit: visit.text("Show"), results: "results",
            hidden: filter.category.map { [("category", $0.wire)] } ?? []
        ).write(
            [
                .choice("sort", visit.text("Order"), order, chosen: self.order.rawValue, isFilter: false),
                .choice(
                    "status", visit.text("Status"),
                    any + SubscriptionStatus.allCases.map { ($0.rawValue, $0.displayName(visit.words)) },
                    chosen: filter.status?.rawValue ?? ""),
                .choice(
                    "scope", visit.text("Scope"),
                    any + SubscriptionScope.allCases.map { ($0.rawValue, $0.displayName(visit.words)) },
                    chosen: filter.scope?.rawValue ?? ""),
            ], to: &html
        ) { html in
            visit.field(
                "q", visit.text("Search"), value: filter.search ?? "", type: "search", style: "field grow", to: &html)
        }
    }

    private func writeList(to html: inout HTMLWriter) {
        if list.isEmpty {
            html.hint(visit.text("No matching subscriptions."), "empty")
            return
        }
        SubscriptionRow.writeForm(visit, to: &html)
        html.add(.ul, .class("subscriptions")) { html in
            for summary in list {
                SubscriptionRow(visit: visit, summary: summary, cancelBy: near[summary.id], marks: marks)
                    .write(to: &html)
            }
        }
        if listCount > list.count {
            html.mutedLine(visit.text("\(listCount - list.count) more; search to find them."))
        }
    }
}
