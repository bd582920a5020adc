package import Backend
package import Foundation
package import HTML
package import SubGuardDomain

/// The catalogue as a list: search, filters, order, totals.
package struct CatalogueListPage: Sendable {
    /// How many items there are, whatever is filtered.
    package struct Totals: Sendable {
        let all: Int
        package let withoutLogo: Int
        package let categories: [(name: String, count: Int)]
        let currencies: [String]
        let cycles: [BillingCycle]

        package init(_ items: [CatalogueItem]) {
            all = items.count
            withoutLogo = items.count { $0.logoURL == nil }
            var counts: [String: Int] = [:]
            for item in items { counts[item.category, default: 0] += 1 }
            categories = counts.sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) }
            currencies = Set(items.map(\.typicalAmount.currency.code)).sorted()
            let used = Set(items.map(\.billingCycle))
            cycles =
                BillingCycle.named.filter(used.contains)
                + used.filter { !BillingCycle.named.contains($0) }.sorted { $0.wire < $1.wire }
        }
    }

    private let address: CatalogueAddress
    private let items: [CatalogueItem]
    /// The number of items that match.
    private let count: Int
    private let next: String?
    private let isFirstPage: Bool
    private let totals: Totals
    private let mayEdit: Bool
    /// A deleted item, which the notice offers to restore.
    private let deleted: UUID?
    private let idempotencyKey: String

    package init(
        address: CatalogueAddress, items: [CatalogueItem], count: Int, next: String?, isFirstPage: Bool,
        totals: Totals, mayEdit: Bool, deleted: UUID?, idempotencyKey: String
    ) {
        self.address = address
        self.items = items
        self.count = count
        self.next = next
        self.isFirstPage = isFirstPage
        self.totals = totals
        self.mayEdit = mayEdit
        self.deleted = deleted
        self.idempotencyKey = idempotencyKey
    }

    private var query: CatalogueListQuery { address.query }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.catalogue, title: words["Catalogue"]) { html in
            frame.top("Catalogue", "The services that devices offer when a user adds a subscription.", to: &html) {
                html in
                html.add(
                    .a, .class("button"), .href(HTMLLink("console", "catalogue", "duplicates")),
                    text: words["Duplicates"])
                if mayEdit {
                    html.add(
                        .a, .class("button"), .href(HTMLLink("console", "catalogue", "import")),
                        text: words["Import"])
                    html.add(
                        .a, .class("button"), .href(HTMLLink("console", "catalogue", "logos")), text: words["Logos"])
                    html.add(
                        .a, .class("button primary"), .href(HTMLLink("console", "catalogue", "new")),
                        text: words["New item"])
                }
            }
            if let deleted { writeDeleted(deleted, words, to: &html) }
            writeChips(words, to: &html)
            writeFilters(frame, to: &html)
            if items.isEmpty {
                if totals.all == 0 {
                    frame.empty(
                        "The catalogue is empty",
                        "Add an item with New item, or import a CSV or JSON file with Import.", to: &html)
                } else {
                    frame.empty(
                        "No item matches", "Clear the search or a filter, add an item, or import a file.", to: &html)
                }
            } else {
                writeTable(words, to: &html)
            }
            writePaging(words, to: &html)
        }
    }

    private func writeDeleted(_ id: UUID, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("notice good"), .role("status"), .tabindex(-1), .data("focus")) { html in
            html.add(.p, text: words["This item was deleted."])
            guard mayEdit else { return }
            html.add(.form, .methodPost, .action(HTMLLink("console", "catalogue", id.lowercased, "undo"))) { html in
                html.hidden("idempotency_key", idempotencyKey)
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), text: words["Undo the deletion"])
                }
            }
        }
    }

    // MARK: Filters

    private func writeChips(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let choices: [(hasLogo: Bool?, name: Sentence, count: Int)] = [
            (nil, "All", totals.all), (false, "Without logo", totals.withoutLogo),
            (true, "With logo", totals.all - totals.withoutLogo),
        ]
        html.chips(
            words["Logo"],
            choices.map { choice in
                var other = address
                other.query.hasLogo = choice.hasLogo
                return Chip(
                    words[choice.name], other.link(), isCurrent: query.hasLogo == choice.hasLogo,
                    tally: words.number(Int64(choice.count)))
            })
    }

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        var categories = totals.categories.map { ($0.name, "\($0.name) (\(words.number(Int64($0.count))))") }
        if let chosen = query.category, !categories.contains(where: { $0.0 == chosen }) {
            categories.append((chosen, chosen))
        }
        // The default is not sent with a first search, so that the best matches come first.
        func value(_ sort: CatalogueSort) -> String {
            query.text == nil && sort == CatalogueSort(field: .name) ? "" : sort.rawValue
        }
        var orders = CatalogueAddress.orders.map { (value($0.0), words[$0.1]) }
        if query.text != nil { orders.insert(("", words["Best match"]), at: 0) }
        frame.filters(
            HTMLLink("console", "catalogue"), hidden: query.hasLogo.map { [("has_logo", "\($0)")] } ?? []
        ).write(
            [
                frame.choice("category", "Category", every: "Every category", categories, chosen: query.category),
                totals.currencies.count > 1 || query.currency != nil
                    ? frame.choice(
                        "currency", "Currency", every: "Every currency", totals.currencies.map { ($0, $0) },
                        chosen: query.currency?.code) : nil,
                totals.cycles.count > 1 || query.billingCycle != nil
                    ? frame.choice(
                        "billing_cycle", "Billing cycle", every: "Every cycle",
                        totals.cycles.map { ($0.wire, words.name($0)) }, chosen: query.billingCycle?.wire) : nil,
                frame.choice(
                    "sort", "Order", orders, chosen: address.isBestMatch ? "" : value(query.sort), isFilter: false),
            ], to: &html, search: { frame.searchField(value: query.text, to: &$0) })
    }

    // MARK: Table

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Catalogue"]), caption: words["Catalogue"], unseen: true, of: items,
            [
                .heading(words["Name"]) { item, html in
                    ItemMark.writeNamed(item, address.link(to: item.id), item.slug, to: &html)
                },
                .text(words["Category"]) { $0.category },
                .number(words["Price"]) { words.money($0.typicalAmount) },
                .text(words["Billing cycle"]) { words.name($0.billingCycle) },
                .text(words["Changed"]) { item, html in
                    html.add(.time, .datetime(item.updatedAt.rfc3339), text: words.day(item.updatedAt.day))
                },
            ])
    }

    private func writePaging(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let shown = words.number(Int64(items.count))
        let summary =
            address.isBestMatch
            ? words.count(Int64(items.count), "%1 match, also with a typo|The %1 best matches, also those with a typo")
            : words.text("%1 of %2 items shown", shown, words.number(Int64(count)))
        Paging(
            summary: summary, first: isFirstPage ? nil : address.link(),
            next: next.map { address.link(more: [("cursor", $0)]) }
        ).write(words, to: &html) { html in
            guard !items.isEmpty else { return }
            html.add(.a, .class("button"), .href(address.link(more: [("format", "csv")])), text: words["Download CSV"])
        }
        html.add(.div, .class("below")) { html in
            html.add(.p) { html in
                html.text(words["Export everything"] + ": ")
                for format in ["csv", "json"] {
                    html.add(
                        .a, .href(HTMLLink("console", "catalogue", "export", query: [("format", format)])),
                        text: format.uppercased())
                    html.text(" ")
                }
            }
            html.add(.p, text: words["Days are in UTC."])
        }
    }
}

/// The filters of the list, as they stand in its URL and in that of an item, so that the way back leads to the same
/// list.
package struct CatalogueAddress: Sendable {
    package var query: CatalogueListQuery
    /// Whether the best matches of a search come first, which needs no parameter.
    package let isBestMatch: Bool

    package init(_ query: CatalogueListQuery, isBestMatch: Bool) {
        self.query = query
        self.isBestMatch = isBestMatch
    }

    static let orders: [(CatalogueSort, Sentence)] = [
        (CatalogueSort(field: .name), "Name, A to Z"),
        (CatalogueSort(field: .name, isDescending: true), "Name, Z to A"),
        (CatalogueSort(field: .category), "Category"), (CatalogueSort(field: .slug), "Slug"),
        (CatalogueSort(field: .updatedAt, isDescending: true), "Last changed"),
    ]

    package var parameters: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if let text = query.text { parameters.append(("q", text)) }
        if let category = query.category { parameters.append(("category", category)) }
        if let currency = query.currency { parameters.append(("currency", currency.code)) }
        if let cycle = query.billingCycle { parameters.append(("billing_cycle", cycle.wire)) }
        if let hasLogo = query.hasLogo { parameters.append(("has_logo", "\(hasLogo)")) }
        if !isBestMatch, query.text != nil || query.sort != CatalogueSort(field: .name) {
            parameters.append(("sort", query.sort.rawValue))
        }
        return parameters
    }

    package func link(more: [(name: String, value: String)] = []) -> HTMLLink {
        HTMLLink(path: ["console", "catalogue"], query: parameters + more)
    }

    package func link(
        to id: UUID, _ further: String..., more: [(name: String, value: String)] = [], fragment: String? = nil
    ) -> HTMLLink {
        HTMLLink(path: ["console", "catalogue", id.lowercased] + further, query: parameters + more, fragment: fragment)
    }

    /// Hidden fields with the filters.
    func writeHidden(to html: inout HTMLWriter) {
        for (name, value) in parameters {
            html.hidden("list_\(name)", value)
        }
    }
}
