package import Catalogue
package import Foundation
import HTML
import ServerContract
package import SubGuardDomain

/// The catalogue as a list: search, filters, order, totals.
package struct CatalogueListPage: ConsolePage {
    private let query: CatalogueListQuery
    private let address: ListAddress
    /// Whether the best matches of a search come first, which needs no parameter.
    private let isBestMatch: Bool
    private let items: [CatalogueItem]
    /// The number of items that match.
    private let count: Int
    private let next: String?
    private let totals: CatalogueTotals
    /// The deleted item that the notice offers to restore.
    private let deleted: UUID?

    package init(
        query: CatalogueListQuery, address: ListAddress, isBestMatch: Bool, items: [CatalogueItem], count: Int,
        next: String?, totals: CatalogueTotals, deleted: UUID?
    ) {
        self.query = query
        self.address = address
        self.isBestMatch = isBestMatch
        self.items = items
        self.count = count
        self.next = next
        self.totals = totals
        self.deleted = deleted
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let mayEdit = frame.may(.updateCatalogueItem)
        return frame.page(.catalogue, "Catalogue", "The services that devices offer when a user adds a subscription.") {
            html in
            html.linkButton(words["Duplicates"], DuplicatesPage.link)
            guard mayEdit else { return }
            html.linkButton(words["Import"], HTMLLink("console", "catalogue", "import"))
            html.linkButton(words["Logos"], HTMLLink("console", "catalogue", "logos"))
            html.linkButton(words["New item"], HTMLLink("console", "catalogue", "new"), style: "button primary")
        } main: { html in
            if let deleted { writeDeleted(deleted, frame, mayEdit: mayEdit, to: &html) }
            writeChips(frame, to: &html)
            writeFilters(frame, to: &html)
            if !items.isEmpty {
                writeTable(words, to: &html)
            } else if totals.all == 0 {
                frame.empty(
                    "The catalogue is empty", "Add an item with New item, or import a CSV or JSON file with Import.",
                    to: &html)
            } else {
                frame.empty(
                    "No item matches", "Clear the search or a filter, add an item, or import a file.", to: &html)
            }
            writePaging(frame, to: &html)
        }
    }

    private func writeDeleted(_ id: UUID, _ frame: ConsoleFrame, mayEdit: Bool, to html: inout HTMLWriter) {
        html.done(frame.words["This item was deleted."]) { html in
            guard mayEdit else { return }
            html.form(HTMLLink("console", "catalogue", id.lowercased, "undo"), [frame.keyed()]) { html in
                html.actions { $0.submit(frame.words["Undo the deletion"]) }
            }
        }
    }

    // MARK: Filters

    private func writeChips(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        frame.chips("Logo", [nil, false, true], chosen: query.hasLogo, to: &html) { hasLogo in
            let (name, count): (Sentence, Int) =
                switch hasLogo {
                case nil: ("All", totals.all)
                case false?: ("Without logo", totals.withoutLogo)
                case true?: ("With logo", totals.all - totals.withoutLogo)
                }
            return (frame.words[name], address.with("has_logo", hasLogo.map { "\($0)" }).link(), Int64(count))
        }
    }

    private static let orders: [(CatalogueSort, Sentence)] = [
        (CatalogueSort(field: .name), "Name, A to Z"),
        (CatalogueSort(field: .name, isDescending: true), "Name, Z to A"),
        (CatalogueSort(field: .category), "Category"), (CatalogueSort(field: .slug), "Slug"),
        (CatalogueSort(field: .updatedAt, isDescending: true), "Last changed"),
    ]

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        var categories = totals.categories.map { category in
            (category.name, "\(words.category(category.name)) (\(words.number(Int64(category.count))))")
        }
        categories.sort { TextFolding.fold($0.1) < TextFolding.fold($1.1) }
        if let chosen = query.category, !categories.contains(where: { $0.0 == chosen }) {
            categories.append((chosen, words.category(chosen)))
        }
        // The default is not sent with a first search, so that the best matches come first.
        func value(_ sort: CatalogueSort) -> String {
            query.text == nil && sort == CatalogueSort(field: .name) ? "" : sort.rawValue
        }
        var orders = Self.orders.map { (value($0.0), words[$0.1]) }
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
                    "sort", "Order", orders, chosen: isBestMatch ? "" : value(query.sort), isFilter: false),
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
                .text(words["Category"]) { words.category($0.category) },
                .number(words["Price"]) { words.money($0.typicalAmount) },
                .text(words["Billing cycle"]) { words.name($0.billingCycle) },
                .day("Changed", words) { $0.updatedAt },
            ])
    }

    private func writePaging(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let shown = words.number(Int64(items.count))
        let summary =
            isBestMatch
            ? words.count(Int64(items.count), "%1 match, also with a typo|The %1 best matches, also those with a typo")
            : words.text("%1 of %2 items shown", shown, words.number(Int64(count)))
        Paging(items.isEmpty ? nil : summary, of: address, next: next).write(words, to: &html) { html in
            if !items.isEmpty { frame.csvLink(address.link([("format", "csv")]), to: &html) }
        }
        html.add(.div, .class("below")) { html in
            html.add(.p) { html in
                html.text(words["Export everything"] + ": ")
                for format in ["csv", "json"] {
                    html.link(
                        format.uppercased(), HTMLLink("console", "catalogue", "export", query: [("format", format)]))
                    html.text(" ")
                }
            }
            html.paragraph(words["Days are in UTC."])
        }
    }
}

/// The logo of an item, or its mark.
struct ItemMark {
    let name: String
    let category: String
    let logoURL: String?

    func write(to html: inout HTMLWriter) {
        if let link = logoURL.flatMap({ HTMLLink(checking: $0) }) {
            // The name stands beside it.
            html.add(.img, .class("logo"), .source(link), .alt(""), .width(pixels: 28), .height(pixels: 28), .lazy)
        } else {
            let mark = CatalogueMark(name: name, category: category)
            LetterMark(letters: mark.initials, colour: mark.colour).write(to: &html)
        }
    }
}

extension ItemMark {
    init(_ item: CatalogueItem) { self.init(name: item.name, category: item.category, logoURL: item.logoURL) }

    /// The mark and the name of an item, linked to its page, with its slug and category.
    static func writeNamed(_ item: CatalogueItem, _ words: ConsoleWords, to html: inout HTMLWriter) {
        writeNamed(
            item, HTMLLink("console", "catalogue", item.id.lowercased),
            "\(item.slug) · \(words.category(item.category))", to: &html)
    }

    /// The mark and the linked name of an item, with a line below it.
    static func writeNamed(_ item: CatalogueItem, _ link: HTMLLink, _ under: String, to html: inout HTMLWriter) {
        html.add(.span, .class("named")) { html in
            ItemMark(item).write(to: &html)
            html.add(.span, .class("titled")) { html in
                html.add(.a, .href(link)) { html in html.add(.bdi, text: item.name) }
                html.add(.small, .class("muted"), text: under)
            }
        }
    }
}
