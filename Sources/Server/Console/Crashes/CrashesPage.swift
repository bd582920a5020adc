package import Backend
package import Foundation
import HTML
package import SubGuardDomain

/// The list of crash groups: filters, a table with decisions for those selected, and what the last decision did.
package struct CrashesPage: Sendable {
    /// The result of the decision that led to the page.
    package enum Result: Sendable {
        /// - Parameters:
        ///   - undo: what the server keeps to undo the decision, and for how many groups.
        ///   - changed: the titles of groups that were left out, because they no longer were as the page showed them.
        ///   - changedCount: their number, also if the titles are no longer kept.
        case decided(
            [CrashOutcome: Int], undo: (id: String, count: Int)?, changed: [String], changedCount: Int)
        case nothingSelected
        /// The sentences of the API's problem, in English.
        case refused([Refusal])
    }

    /// The days of the trend.
    package static let trendDays = 30

    let query: CrashListQuery
    private let groups: [CrashGroup]
    private let trends: [UUID: [Int64]]
    private let counts: [CrashStatus: Int64]
    private let choices: CrashFilterChoices
    private let today: CalendarDay
    private let next: String?
    /// Nil on the first page.
    private let cursor: String?
    /// Nil for those who may not decide; otherwise a new key for the next decision.
    private let idempotencyKey: String?
    private let result: Result?

    package init(
        query: CrashListQuery, groups: [CrashGroup], trends: [UUID: [Int64]], counts: [CrashStatus: Int64],
        choices: CrashFilterChoices, today: CalendarDay, next: String?, cursor: String?, idempotencyKey: String?,
        result: Result? = nil
    ) {
        self.query = query
        self.groups = groups
        self.trends = trends
        self.counts = counts
        self.choices = choices
        self.today = today
        self.next = next
        self.cursor = cursor
        self.idempotencyKey = idempotencyKey
        self.result = result
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.crashes, title: words["Crashes"]) { html in
            frame.top(
                "Crashes",
                "Crash reports with the same cause, grouped. A resolved group opens again when it crashes later.",
                to: &html
            ) { html in
                html.add(
                    .a, .class("button"), .href(HTMLLink("console", "crashes", "releases")),
                    text: words["Releases"])
                html.add(
                    .a, .class("button"), .href(HTMLLink("console", "crashes", "symbols")), text: words["Symbols"])
                frame.csvLink(link(status: query.status, more: [("format", "csv")]), to: &html)
            }
            if let result { write(result, words, to: &html) }
            writeFilters(frame, to: &html)
            if groups.isEmpty {
                frame.empty(
                    "No crash groups here",
                    "Choose another status or clear the filters. Devices report crashes to "
                        + "/api/v1/crashes or with a Sentry SDK.", to: &html)
            } else {
                writeTable(words, to: &html)
            }
            writePaging(words, to: &html)
        }
    }

    // MARK: The address of the list

    /// The parameters of the list. Those of the form have the prefix `list_`.
    static func address(
        _ query: CrashListQuery, status: CrashStatus?
    ) -> [(name: String, value: String)] {
        var parameters = [(name: "status", value: status?.rawValue ?? "all")]
        for (name, value) in [("q", query.search), ("platform", query.platform), ("release", query.release)] {
            if let value { parameters.append((name, value)) }
        }
        if query.sort != .lastSeen { parameters.append(("sort", query.sort.rawValue)) }
        return parameters
    }

    private func link(status: CrashStatus?, more: [(name: String, value: String)] = []) -> HTMLLink {
        HTMLLink("console", "crashes", query: Self.address(query, status: status) + more)
    }

    /// The parameters of the page that is shown, which the list keeps after a form.
    static func address(_ query: CrashListQuery, cursor: String?) -> [(name: String, value: String)] {
        address(query, status: query.status) + (cursor.map { [("cursor", $0)] } ?? [])
    }

    static func writeHidden(_ query: CrashListQuery, cursor: String?, key: String, to html: inout HTMLWriter) {
        html.hidden("idempotency_key", key)
        for (name, value) in address(query, cursor: cursor) {
            html.hidden("list_\(name)", value)
        }
    }

    /// With the filters, so that the address keeps them also when a form is refused.
    private var action: HTMLLink { HTMLLink("console", "crashes", query: Self.address(query, cursor: cursor)) }

    // MARK: Result

    private func write(_ result: Result, _ words: ConsoleWords, to html: inout HTMLWriter) {
        switch result {
        case .nothingSelected: FormNotice.nothingSelected(words, to: &html)
        case .refused(let sentences): FormNotice.refused(sentences, words, to: &html)
        case .decided(let counts, let undo, let changed, let changedCount):
            if changedCount > 0 {
                html.add(
                    .p, .class("notice warn"), .role("alert"),
                    text: words.text(
                        "Left as another user decided meanwhile: %1.",
                        changed.isEmpty ? "\(changedCount)" : changed.joined(separator: ", ")))
            }
            guard !counts.isEmpty else { return }
            FormNotice.decided(counts, text: { words.text($0, $1) }, to: &html) { html in
                guard let idempotencyKey, let undo else { return }
                html.add(.form, .methodPost, .action(action)) { html in
                    Self.writeHidden(query, cursor: cursor, key: idempotencyKey + "-undo", to: &html)
                    html.add(
                        .button, .type("submit"), .name("undo"), .value(undo.id),
                        text: words.count(Int64(undo.count), "Undo for %1 group|Undo for %1 groups"))
                }
            }
        }
    }

    // MARK: Filters

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.chips(
            words["Status"],
            (CrashStatus.allCases.map(Optional.some) + [nil]).map { status in
                Chip(
                    words.name(status), link(status: status), isCurrent: status == query.status,
                    tally: words.number(status.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)))
            })
        let status = [(name: "status", value: query.status?.rawValue ?? "all")]
        frame.filters(HTMLLink("console", "crashes"), hidden: status).write(
            [
                frame.choice(
                    "platform", "Platform", every: "Any platform", choices.platforms.map { ($0, $0) },
                    chosen: query.platform),
                frame.textFilter("release", "Release", value: query.release, suggestions: choices.releases),
                frame.order(
                    [(.lastSeen, "Latest report"), (.firstSeen, "Newest group"), (.count, "Most reports")],
                    chosen: query.sort),
            ], to: &html, search: { frame.searchField(value: query.search, to: &$0) }
        ) { html in
            guard query.search != nil || query.platform != nil || query.release != nil else { return }
            let link = HTMLLink(path: ["console", "crashes"], query: status)
            html.add(.a, .class("button"), .href(link), text: words["Clear filters"])
        }
    }

    // MARK: Table

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        guard let idempotencyKey else { return writeRows(words, to: &html) }
        html.add(.form, .methodPost, .action(action), .data("bulk")) { html in
            Self.writeHidden(query, cursor: cursor, key: idempotencyKey, to: &html)
            // Enter in a field presses the first button of a form that is not disabled: one that decides nothing.
            html.add(.button, .type("submit"), .hidden) { _ in }
            writeRows(words, to: &html)
            writeBulk(words, to: &html)
        }
    }

    private func writeRows(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Crashes"]), style: "stacked crashes", of: groups,
            [
                idempotencyKey == nil
                    ? nil
                    : .check(
                        words["Select all on this page"], "groups",
                        value: { "\($0.status.rawValue).\($0.id.lowercased)" },
                        label: { words.text("Select %1", $0.title) }),
                .heading(words["Group"], { _ in .class("crash") }) { group, html in
                    writeName(group, words, to: &html)
                },
                .text(words["Last 30 days"], .class("trends")) { group, html in
                    writeTrend(trends[group.id] ?? [], words, to: &html)
                },
                .number(words["Reports"]) { words.number($0.count) },
                .text(words["Last seen"]) { group, html in
                    html.add(.time, .datetime(group.lastSeenAt.rfc3339), text: words.day(group.lastSeenAt.day))
                    html.add(.span, .class("under")) { html in
                        html.add(
                            .time, .datetime(group.firstSeenAt.rfc3339),
                            text: words.text("since %1", words.day(group.firstSeenAt.day)))
                    }
                },
                .text(words["Releases"]) { group, html in
                    html.add(.bdi, text: group.releases.first.map { $0.name ?? words["without a release"] } ?? "–")
                    guard group.releases.count > 1 else { return }
                    let more = words.text("and %1 more", words.number(Int64(group.releases.count - 1)))
                    html.add(.span, .class("under"), text: more)
                },
            ])
    }

    private func writeName(_ group: CrashGroup, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.a, .href(HTMLLink("console", "crashes", group.id.lowercased))) { html in
            html.add(.bdi, text: group.title)
        }
        html.add(.span, .class("under")) { html in
            if query.status == nil {
                html.add(.span, .class("rating"), text: words.singular(group.status))
                html.text(" ")
            }
            if group.regressedAt != nil {
                html.add(.span, .class("rating bad"), text: words["came back"])
                html.text(" ")
            }
            let facts = [group.platform, group.level.rawValue, group.culprit].compactMap(\.self)
            html.text(facts.joined(separator: " · "))
        }
    }

    /// Drawn from 0, because a group without reports on most days would look as if it were never quiet.
    private func writeTrend(_ counts: [Int64], _ words: ConsoleWords, to html: inout HTMLWriter) {
        let total = counts.reduce(0, +)
        if total > 0 {
            let last = counts.count - 1
            Sparkline(
                points: counts.enumerated().map { index, count in
                    PlotPoint(label: "", value: Double(count), isUnfinished: index == last)
                }
            ).write(to: &html)
        }
        html.add(.span, .class("under"), text: words.reports(total))
    }

    private func writeBulk(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.fieldset, .class("bulk")) { html in
            html.add(.legend) { html in
                html.text(words["With the selected groups"])
                html.add(
                    .output, .data("selected-one", words["%1 selected", of: "one"]),
                    .data("selected-many", words["%1 selected"])
                ) { _ in }
            }
            html.add(.div, .class("actions")) { html in
                for action in [CrashAction.resolve, .ignore, .reopen] where action.status != query.status {
                    html.add(
                        .button, .type("submit"), .name("action"), .value(action.rawValue), text: words.name(action))
                }
                html.add(
                    .button, .type("submit"), .class("danger"), .name("action"), .value("delete"),
                    text: words["Delete…"])
            }
        }
    }

    private func writePaging(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let total = query.status.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
        Paging(
            summary: words.text("%1 of %2 shown", words.number(Int64(groups.count)), words.number(total)),
            first: cursor == nil ? nil : link(status: query.status),
            next: next.map { link(status: query.status, more: [("cursor", $0)]) }
        ).write(words, to: &html)
    }
}

extension CrashOutcome {
    /// The status of a group after it; nil if there is no group.
    package var status: CrashStatus? {
        switch self {
        case .resolved: .resolved
        case .ignored: .ignored
        case .reopened: .open
        case .deleted, .notFound: nil
        }
    }
}

extension CrashAction {
    /// The status of a group after it; nil after a deletion.
    var status: CrashStatus? {
        switch self {
        case .resolve: .resolved
        case .ignore: .ignored
        case .reopen: .open
        case .delete: nil
        }
    }

    /// The decision that gives a group a status.
    package init(giving status: CrashStatus) {
        self =
            switch status {
            case .open: .reopen
            case .resolved: .resolve
            case .ignored: .ignore
            }
    }
}
