package import Backend
import Foundation
import HTML
import SubGuardDomain

/// The queue of suggestions: filters, a table with decisions for one or many, and what the last decision did.
package struct SuggestionsPage: Sendable {
    package struct Row: Sendable {
        let group: SuggestionGroup
        let nearest: CatalogueNearest?
        let isMixed: Bool

        /// Whether an item has the name.
        fileprivate var isKnown: Bool { !isMixed && nearest?.score == 100 }

        package init(group: SuggestionGroup, nearest: CatalogueNearest?, isMixed: Bool) {
            self.group = group
            self.nearest = nearest
            self.isMixed = isMixed
        }
    }

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

    /// A decision that can be undone.
    package struct Undo: Sendable {
        let id: String
        let count: Int
        /// Whether aliases were added, which the undo removes.
        let hasAliases: Bool

        package init(id: String, count: Int, hasAliases: Bool) {
            self.id = id
            self.count = count
            self.hasAliases = hasAliases
        }
    }

    private let query: SuggestionListQuery
    private let rows: [Row]
    /// The number of groups by status.
    private let counts: [SuggestionGroup.Status: Int64]
    private let next: String?
    /// Nil on the first page.
    private let cursor: String?
    /// A new key for the next decision: sent twice, it is carried out once.
    private let idempotencyKey: String
    private let result: Result?
    private let reason: String
    /// Reasons given before.
    private let reasons: [String]

    package init(
        query: SuggestionListQuery, rows: [Row], counts: [SuggestionGroup.Status: Int64], next: String?,
        cursor: String?, idempotencyKey: String, result: Result? = nil, reason: String = "", reasons: [String] = []
    ) {
        self.query = query
        self.rows = rows
        self.counts = counts
        self.next = next
        self.cursor = cursor
        self.idempotencyKey = idempotencyKey
        self.result = result
        self.reason = reason
        self.reasons = reasons
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.suggestions, title: words["Suggestions"]) { html in
            frame.top(
                "Suggestions", "Names that devices did not find in the catalogue, grouped without case and accents.",
                to: &html
            ) { html in
                frame.csvLink(
                    HTMLLink(
                        "console", "suggestions", query: Self.address(query, status: query.status) + [("format", "csv")]
                    ),
                    to: &html)
            }
            if let result { write(result, words, to: &html) }
            writeFilters(frame, to: &html)
            if rows.isEmpty {
                frame.empty(
                    "No suggestions here",
                    "Devices send names that they do not find. Choose another status, or clear the search.", to: &html)
            } else {
                writeTable(words, to: &html)
            }
            writePaging(words, to: &html)
        }
    }

    // MARK: The address of the list

    static func address(
        _ query: SuggestionListQuery, status: SuggestionGroup.Status?, cursor: String? = nil
    ) -> [(name: String, value: String)] {
        var parameters = [(name: "status", value: status?.rawValue ?? "all")]
        if let text = query.text { parameters.append(("q", text)) }
        if query.sort != .count { parameters.append(("sort", query.sort.rawValue)) }
        if let cursor { parameters.append(("cursor", cursor)) }
        return parameters
    }

    private func link(status: SuggestionGroup.Status?, cursor: String? = nil) -> HTMLLink {
        HTMLLink("console", "suggestions", query: Self.address(query, status: status, cursor: cursor))
    }

    private func link(to row: Row) -> HTMLLink {
        HTMLLink(
            path: ["console", "suggestions", row.group.id.lowercased],
            query: Self.address(query, status: query.status))
    }

    /// The page that is shown. Forms are sent there, so that the address keeps the filters also when one is refused.
    private var here: HTMLLink { link(status: query.status, cursor: cursor) }

    // MARK: Result

    private func write(_ result: Result, _ words: ConsoleWords, to html: inout HTMLWriter) {
        switch result {
        case .nothingSelected: FormNotice.nothingSelected(words, to: &html)
        case .refused(let sentences): FormNotice.refused(sentences, words, to: &html)
        case .decided(let counts, let named, let undo):
            let isDone = counts.keys.contains { [.approved, .rejected, .reopened, .deleted].contains($0) }
            FormNotice.decided(counts, isDone: isDone, text: { words.text($0, $1) }, to: &html) { html in
                for (name, item) in named {
                    html.add(.p) { html in
                        html.add(.bdi, text: name)
                        if let item {
                            html.text(" → ")
                            html.add(.bdi, text: words.text("alias of %1", item))
                        }
                    }
                }
                if let undo { write(undo, words, to: &html) }
            }
        }
    }

    private func write(_ undo: Undo, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.form, .methodPost, .action(here)) { html in
            Self.writeHidden(query, cursor: cursor, key: idempotencyKey + "-undo", to: &html)
            html.add(.p, .class("actions")) { html in
                html.add(
                    .button, .type("submit"), .name("undo"), .value(undo.id),
                    text: words.text("Undo: put %1 back into the queue", words.number(Int64(undo.count))))
                if undo.hasAliases {
                    html.add(.span, .class("hint"), text: words["This also removes the aliases that were added."])
                }
            }
        }
    }

    static func writeHidden(
        _ query: SuggestionListQuery, cursor: String?, key: String, to html: inout HTMLWriter
    ) {
        html.hidden("idempotency_key", key)
        for (name, value) in address(query, status: query.status, cursor: cursor) {
            html.hidden("list_\(name)", value)
        }
    }

    // MARK: Filters

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.chips(
            words["Status"],
            (SuggestionGroup.Status.allCases.map(Optional.some) + [nil]).map { status in
                Chip(
                    words.name(status), link(status: status), isCurrent: status == query.status,
                    tally: status.flatMap { counts[$0] }.map { words.number($0) })
            })
        frame.filters(
            HTMLLink("console", "suggestions"), hidden: [("status", query.status?.rawValue ?? "all")]
        ).write(
            [frame.order([(.count, "Most often"), (.lastSeen, "Latest")], chosen: query.sort)], to: &html,
            search: { frame.searchField(value: query.text, to: &$0) })
    }

    // MARK: Table

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.form, .methodPost, .action(here), .data("bulk")) { html in
            Self.writeHidden(query, cursor: cursor, key: idempotencyKey, to: &html)
            // Enter in a field presses the first button of a form that is not disabled: one that decides nothing.
            html.add(.button, .type("submit"), .hidden) { _ in }
            html.table(
                .label(words["Suggestions"]), of: rows,
                [
                    .check(
                        words["Select all on this page"], "ids", value: { $0.group.id.lowercased },
                        label: { words.text("Select %1", $0.group.name) }),
                    .heading(words["Name"]) { row, html in writeName(row, words, to: &html) },
                    .number(words["Times"]) { words.number($0.group.count) },
                    .text(words["Last seen"]) { row, html in
                        let seen = row.group.lastSeenAt
                        html.add(.time, .datetime(seen.rfc3339), text: words.day(seen.day))
                    },
                    .text(words[query.status == .pending ? "Nearest item" : "Status"]) { row, html in
                        writeNearest(row, words, to: &html)
                    },
                    .actions { row, html in writeDecisions(row, words, to: &html) },
                ])
            writeBulk(words, to: &html)
        }
    }

    private func writeName(_ row: Row, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.a, .href(link(to: row))) { html in html.add(.bdi, text: row.group.name) }
        guard row.isMixed else { return }
        html.text(" ")
        html.add(.span, .class("rating bad"), text: words["mixed alphabets: check letters"])
    }

    private func writeNearest(_ row: Row, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard row.group.status == .pending else { return html.text(words.name(row.group.status)) }
        guard let nearest = row.nearest else {
            return html.add(.span, .class("muted"), text: words["none similar"])
        }
        html.add(.bdi, text: nearest.name)
        html.text(" ")
        html.add(
            .small, .class("muted"), .title(words.text("Similarity: %1 of 100", "\(nearest.score)")),
            text: "\(nearest.score)")
    }

    private func writeDecisions(_ row: Row, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let (id, name) = (row.group.id.lowercased, row.group.name)
        guard row.group.status == .pending else {
            return html.add(
                .button, .type("submit"), .name("reopen"), .value(id),
                .aria("label", words.text("Reopen %1", name)), text: words["Reopen"])
        }
        if let nearest = row.nearest, nearest.isSure {
            html.add(
                .button, .type("submit"), .name("approve"), .value(id),
                text: row.isKnown
                    ? words["Already in the catalogue: close"] : words.text("Alias of %1", nearest.name))
        } else if let nearest = row.nearest {
            // Too little alike to decide without looking.
            html.add(
                .a, .href(link(to: row)), .aria("label", words.text("Look whether %1 is %2", name, nearest.name)),
                text: words["Look"])
        }
        html.add(
            .button, .type("submit"), .name("reject"), .value(id), .aria("label", words.text("Reject %1", name)),
            text: words["Reject"])
    }

    private func writeBulk(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.fieldset, .class("bulk")) { html in
            html.add(.legend) { html in
                html.text(words["With the selected suggestions"])
                html.add(
                    .output, .data("selected-one", words["%1 selected", of: "one of suggestions"]),
                    .data("selected-many", words["%1 selected", of: "suggestions"])
                ) { _ in }
            }
            html.reason(reason, known: reasons, words)
            html.add(.div, .class("actions")) { html in
                var actions: [(value: StaticString, name: Sentence)] = [("reject", "Reject")]
                if query.status == .pending || query.status == nil {
                    actions.insert(("approve", "Approve as aliases of the nearest items"), at: 0)
                }
                if query.status != .pending { actions = [("reopen", "Reopen")] + (query.status == nil ? actions : []) }
                for (value, name) in actions {
                    html.add(.button, .type("submit"), .name("action"), .value(value.description), text: words[name])
                }
                html.add(
                    .button, .type("submit"), .class("danger"), .name("action"), .value("delete"),
                    text: words["Delete"])
            }
        }
    }

    private func writePaging(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let shown = words.number(Int64(rows.count))
        let total = query.text == nil ? query.status.flatMap { counts[$0] } : nil
        Paging(
            summary: total.map { words.text("%1 of %2 shown", shown, words.number($0)) }
                ?? words.text("%1 shown", shown),
            first: cursor == nil ? nil : link(status: query.status),
            next: next.map { link(status: query.status, cursor: $0) }
        ).write(words, to: &html)
    }
}

extension HTMLWriter {
    /// The field for the reason of a rejection, with known ones to choose from.
    mutating func reason(_ reason: String, known: [String], _ words: ConsoleWords) {
        add(.div, .class("field grow")) { html in
            html.add(.label, .for("reason"), text: words["Reason for the audit log (optional)"])
            html.add(
                .input, .id("reason"), .name("reason"), .value(reason), .maxLength(500), .list("reasons"),
                .autocomplete("off"))
            html.add(.datalist, .id("reasons")) { html in
                for text in known { html.add(.option, .value(text)) { _ in } }
            }
        }
    }
}
