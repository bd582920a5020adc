package import Catalogue
package import Foundation
import HTML
import SubGuardDomain

/// The queue of suggestions: filters, a table with decisions for one or many, and what the last decision did.
package struct SuggestionsPage: ConsolePage {
    package typealias Row = (group: SuggestionGroup, nearest: CatalogueNearest?, isMixed: Bool)

    /// The result of the decision that led to the page.
    package enum Result: Sendable {
        /// - Parameters:
        ///   - named: what became of each, if they are few: the item that has the name now; nil for others.
        ///   - undo: what the server keeps to undo the decision.
        case decided([SuggestionOutcome: Int], named: [(name: String, item: String?)], undo: Undo?)
        case nothingSelected
        /// The sentences of the API's problem, in English.
        case refused([Refusal])
    }

    /// A decision that can be undone, and whether aliases were added, which the undo removes.
    package typealias Undo = (id: String, count: Int, hasAliases: Bool)

    let query: SuggestionListQuery
    let rows: [Row]
    /// The number of groups by status.
    private let counts: [SuggestionGroup.Status: Int64]
    let address: ListAddress
    private let next: String?
    private let result: Result?
    private let reason: String
    /// Reasons given before.
    private let reasons: [String]
    let adding: Adding?

    /// The row whose name is added as a new item: what its fields have, and the categories to choose from.
    package typealias Adding = (id: UUID, values: FormValues, categories: [String])

    package init(
        query: SuggestionListQuery, rows: [Row], counts: [SuggestionGroup.Status: Int64], address: ListAddress,
        next: String?, result: Result? = nil, reason: String = "", reasons: [String] = [], adding: Adding? = nil
    ) {
        self.query = query
        self.rows = rows
        self.counts = counts
        self.address = address
        self.next = next
        self.result = result
        self.reason = reason
        self.reasons = reasons
        self.adding = adding
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .suggestions, "Suggestions",
            "Names that devices did not find in the catalogue, grouped without case and accents."
        ) { html in
            frame.csvLink(address.link([("format", "csv")]), to: &html)
        } main: { html in
            if let result { write(result, frame, to: &html) }
            writeFilters(frame, to: &html)
            frame.list(
                rows, empty: "No suggestions here",
                "Devices send names that they do not find. Choose another status, or clear the search.", to: &html
            ) { writeTable(frame, to: &$0) }
            let total = query.text == nil ? query.status.flatMap { counts[$0] } : nil
            Paging(words.shown(rows.count, of: total), of: address, next: next).write(words, to: &html)
        }
    }

    /// The parameter of the address that names the row to add as a new item.
    package static let newName = "new"

    // MARK: Result

    private func write(_ result: Result, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        switch result {
        case .nothingSelected: frame.nothingSelected(to: &html)
        case .refused(let sentences): frame.refusal(sentences, to: &html)
        case .decided(let counts, let named, let undo):
            let isDone = counts.keys.contains { [.approved, .rejected, .reopened, .deleted].contains($0) }
            frame.decided(counts, isDone: isDone, text: { words.text($0, $1) }, to: &html) { html in
                for (name, item) in named {
                    html.add(.p) { html in
                        html.bdi(name)
                        guard let item else { return }
                        html.text(" → ")
                        html.bdi(words.text("alias of %1", item))
                    }
                }
                if let undo { write(undo, frame, to: &html) }
            }
        }
    }

    private func write(_ undo: Undo, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.form(address.here(), [frame.keyed("undo")] + address.hidden) { html in
            html.actions { html in
                html.submit(
                    words.text("Undo: put %1 back into the queue", words.number(Int64(undo.count))), .name("undo"),
                    .value(undo.id))
                guard undo.hasAliases else { return }
                html.add(.span, .class("hint"), text: words["This also removes what was added to the catalogue."])
            }
        }
    }

    // MARK: Filters

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        frame.chips("Status", SuggestionGroup.Status.allCases + [nil], chosen: query.status, to: &html) { status in
            let list = address.with("status", status?.rawValue ?? "all")
            return (words.name(status), list.link(), status.flatMap { counts[$0] })
        }
        frame.filters(
            ConsoleSection.suggestions.link, hidden: [("status", query.status?.rawValue ?? "all")]
        ).write(
            [frame.order([(.count, "Most often"), (.lastSeen, "Latest")], chosen: query.sort)], to: &html,
            search: { frame.searchField(value: query.text, to: &$0) })
    }

    // MARK: Table

    private func writeTable(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        if let adding { writeForm(adding, frame, to: &html) }
        BulkForm(
            address.here(), [frame.keyed()] + address.hidden, legend: words["With the selected suggestions"],
            selected: (words["%1 selected", of: "one of suggestions"], words["%1 selected", of: "suggestions"])
        ).write(
            to: &html, list: { writeRows(words, to: &$0) }, fields: { $0.reason(reason, known: reasons, words) }
        ) { html in
            var actions: [(value: String, name: Sentence)] = [("reject", "Reject")]
            if query.status == .pending || query.status == nil {
                actions.insert(("approve", "Approve as aliases of the nearest items"), at: 0)
            }
            if query.status != .pending { actions = [("reopen", "Reopen")] + (query.status == nil ? actions : []) }
            for (value, name) in actions { html.submit(words[name], .name("action"), .value(value)) }
            html.submit(words["Delete"], .class("danger"), .name("action"), .value("delete"))
        }
    }
}
