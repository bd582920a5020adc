package import Backend
package import Foundation
import HTML
import SubGuardDomain

/// The queue of suggestions: filters, a table with decisions for one or many, and what the last decision did.
package struct SuggestionsPage: Sendable {
    package struct Row: Sendable {
        let group: SuggestionGroup
        let nearest: CatalogueNearest?
        let isMixed: Bool

        package init(group: SuggestionGroup, nearest: CatalogueNearest?, isMixed: Bool) {
            self.group = group
            self.nearest = nearest
            self.isMixed = isMixed
        }
    }

    /// The result of the decision that led to the page.
    package enum Result: Sendable {
        case decided([(id: UUID, outcome: SuggestionOutcome)])
        case nothingSelected
        /// The sentences of the API's problem, in English.
        case refused([String])
    }

    private let query: SuggestionListQuery
    private let rows: [Row]
    /// The number of groups by status.
    private let counts: [SuggestionGroup.Status: Int64]
    private let next: String?
    private let isFirstPage: Bool
    /// A new key for the next decision: sent twice, it is carried out once.
    private let idempotencyKey: String
    private let result: Result?
    private let reason: String

    package init(
        query: SuggestionListQuery, rows: [Row], counts: [SuggestionGroup.Status: Int64], next: String?,
        isFirstPage: Bool, idempotencyKey: String, result: Result? = nil, reason: String = ""
    ) {
        self.query = query
        self.rows = rows
        self.counts = counts
        self.next = next
        self.isFirstPage = isFirstPage
        self.idempotencyKey = idempotencyKey
        self.result = result
        self.reason = reason
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.suggestions, title: words[.suggestions]) { html in
            frame.top(.suggestions, .suggestionsLead, to: &html)
            if let result { write(result, words, to: &html) }
            writeFilters(words, to: &html)
            if rows.isEmpty {
                frame.empty(.noSuggestions, .noSuggestionsHint, to: &html)
            } else {
                writeTable(words, to: &html)
            }
            writePaging(words, to: &html)
        }
    }

    // MARK: The address of the list

    private func address(
        status: SuggestionGroup.Status?, cursor: String? = nil
    ) -> [(name: String, value: String)] {
        var parameters = [(name: "status", value: status?.rawValue ?? "all")]
        if let text = query.text { parameters.append(("q", text)) }
        if query.sort != .count { parameters.append(("sort", query.sort.rawValue)) }
        if let cursor { parameters.append(("cursor", cursor)) }
        return parameters
    }

    private func link(status: SuggestionGroup.Status?, cursor: String? = nil) -> HTMLLink {
        HTMLLink("console", "suggestions", query: address(status: status, cursor: cursor))
    }

    // MARK: Result

    private func write(_ result: Result, _ words: ConsoleWords, to html: inout HTMLWriter) {
        switch result {
        case .nothingSelected: FormNotice.nothingSelected(words, to: &html)
        case .refused(let sentences): FormNotice.refused(sentences, words, to: &html)
        case .decided(let outcomes):
            FormNotice.decided(outcomes.map(\.outcome), text: { words.text($0, $1) }, to: &html) { html in
                writeUndo(outcomes, words, to: &html)
            }
        }
    }

    private func writeUndo(
        _ outcomes: [(id: UUID, outcome: SuggestionOutcome)], _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        let undoable = outcomes.filter { $0.outcome == .approved || $0.outcome == .rejected }
        guard !undoable.isEmpty else { return }
        html.add(.form, .methodPost, .action(HTMLLink("console", "suggestions"))) { html in
            writeHidden(key: idempotencyKey + "-undo", to: &html)
            for (id, _) in undoable {
                html.add(.input, .type("hidden"), .name("ids"), .value(id.lowercased))
            }
            html.add(.p, .class("actions")) { html in
                html.add(
                    .button, .type("submit"), .name("action"), .value("reopen"),
                    text: words.text(.undo, words.number(Int64(undoable.count))))
                if undoable.contains(where: { $0.outcome == .approved }) {
                    html.add(.span, .class("hint"), text: words[.undoNote])
                }
            }
        }
    }

    private func writeHidden(key: String, to html: inout HTMLWriter) {
        html.add(.input, .type("hidden"), .name("idempotency_key"), .value(key))
        for (name, value) in address(status: query.status) {
            html.add(.input, .type("hidden"), .name("list_\(name)"), .value(value))
        }
    }

    // MARK: Filters

    private func writeFilters(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.nav, .class("chips"), .aria("label", words[.status])) { html in
            for status in SuggestionGroup.Status.allCases.map(Optional.some) + [nil] {
                html.add(
                    .a, .href(link(status: status)), status == query.status ? .aria("current", "true") : nil
                ) { html in
                    html.text(words.name(status))
                    if let status, let count = counts[status] {
                        html.text(" ")
                        html.add(.span, .class("tally"), text: words.number(count))
                    }
                }
            }
        }
        html.add(.form, .class("filters"), .role("search"), .action(HTMLLink("console", "suggestions"))) { html in
            html.add(.input, .type("hidden"), .name("status"), .value(query.status?.rawValue ?? "all"))
            html.add(.div, .class("field grow")) { html in
                html.add(.label, .for("q"), text: words[.search])
                html.add(
                    .input, .type("search"), .id("q"), .name("q"), .value(query.text ?? ""), .maxLength(200))
            }
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("sort"), text: words[.sort])
                html.add(.select, .id("sort"), .name("sort")) { html in
                    for (sort, name) in [(SuggestionListQuery.Sort.count, Phrase.mostOften), (.lastSeen, .latest)] {
                        html.add(
                            .option, .value(sort.rawValue), sort == query.sort ? .selected : nil, text: words[name])
                    }
                }
            }
            html.add(.button, .type("submit"), text: words[.show])
        }
    }

    // MARK: Table

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.form, .methodPost, .action(HTMLLink("console", "suggestions")), .data("bulk")) { html in
            writeHidden(key: idempotencyKey, to: &html)
            // Enter in a field presses the first button of a form that is not disabled: one that decides nothing.
            html.add(.button, .type("submit"), .hidden) { _ in }
            html.add(.div, .class("scroll"), .role("region"), .aria("label", words[.suggestions]), .tabindex(0)) {
                html in
                html.add(.table, .class("stacked")) { html in
                    html.add(.thead) { html in
                        html.add(.tr) { html in
                            html.add(.td, .class("check"), .data("select-all", words[.selectAll])) { _ in }
                            html.add(.th, .scope("col"), text: words[.name])
                            html.add(.th, .scope("col"), .class("number"), text: words[.times])
                            html.add(.th, .scope("col"), text: words[.lastSeen])
                            html.add(.th, .scope("col"), text: words[query.status == .pending ? .nearest : .status])
                            html.add(.td) { _ in }
                        }
                    }
                    html.add(.tbody) { html in for row in rows { write(row, words, to: &html) } }
                }
            }
            writeBulk(words, to: &html)
        }
    }

    private func write(_ row: Row, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let group = row.group
        let id = group.id.lowercased
        html.add(.tr) { html in
            html.add(.td, .class("check")) { html in
                html.add(
                    .input, .type("checkbox"), .name("ids"), .value(id),
                    .aria("label", words.text(.select, group.name)))
            }
            html.add(.th, .scope("row")) { html in
                let page = HTMLLink(path: ["console", "suggestions", id], query: address(status: query.status))
                html.add(.a, .href(page)) { html in html.add(.bdi, text: group.name) }
                if row.isMixed {
                    html.text(" ")
                    html.add(.span, .class("rating bad"), text: words[.mixedScripts])
                }
            }
            html.add(.td, .class("number"), .data("label", words[.times]), text: words.number(group.count))
            html.add(.td, .data("label", words[.lastSeen])) { html in
                html.add(.time, .datetime(group.lastSeenAt.rfc3339), text: words.day(group.lastSeenAt.day))
            }
            html.add(.td, .data("label", words[group.status == .pending ? .nearest : .status])) { html in
                if group.status != .pending {
                    html.text(words.name(group.status))
                } else if let nearest = row.nearest {
                    html.add(.bdi, text: nearest.name)
                    html.text(" ")
                    html.add(
                        .small, .class("muted"), .title(words.text(.similarity, "\(nearest.score)")),
                        text: "\(nearest.score)")
                } else {
                    html.add(.span, .class("muted"), text: words[.noNearest])
                }
            }
            html.add(.td, .class("rowactions")) { html in
                if group.status == .pending {
                    if let nearest = row.nearest {
                        html.add(
                            .button, .type("submit"), .name("approve"), .value(id),
                            text: words.text(.aliasOf, nearest.name))
                    }
                    html.add(
                        .button, .type("submit"), .name("reject"), .value(id),
                        .aria("label", words.text(.rejectNamed, group.name)), text: words[.reject])
                } else {
                    html.add(
                        .button, .type("submit"), .name("reopen"), .value(id),
                        .aria("label", words.text(.reopenNamed, group.name)), text: words[.reopen])
                }
            }
        }
    }

    private func writeBulk(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.fieldset, .class("bulk")) { html in
            html.add(.legend) { html in
                html.text(words[.withSelected])
                html.add(
                    .output, .data("selected-one", words[.selectedOne]), .data("selected-many", words[.selectedMany])
                ) { _ in }
            }
            html.add(.div, .class("field grow")) { html in
                html.add(.label, .for("reason"), text: words[.reason])
                html.add(.input, .id("reason"), .name("reason"), .value(reason), .maxLength(500), .autocomplete("off"))
            }
            html.add(.div, .class("actions")) { html in
                var actions: [(value: StaticString, name: Phrase)] = [("reject", .reject)]
                if query.status == .pending || query.status == nil { actions.insert(("approve", .approveAll), at: 0) }
                if query.status != .pending { actions = [("reopen", .reopen)] + (query.status == nil ? actions : []) }
                for (value, name) in actions {
                    html.add(.button, .type("submit"), .name("action"), .value(value.description), text: words[name])
                }
                html.add(
                    .button, .type("submit"), .class("danger"), .name("action"), .value("delete"),
                    text: words[.delete])
            }
        }
    }

    private func writePaging(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let shown = words.number(Int64(rows.count))
        let total = query.text == nil ? query.status.flatMap { counts[$0] } : nil
        Paging(
            summary: total.map { words.text(.shownOf, shown, words.number($0)) } ?? words.text(.shown, shown),
            first: isFirstPage ? nil : link(status: query.status),
            next: next.map { link(status: query.status, cursor: $0) }
        ).write(words, to: &html)
    }
}
