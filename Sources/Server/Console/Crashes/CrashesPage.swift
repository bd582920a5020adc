package import Foundation
import HTML
import ServerContract
import SubGuardDomain
package import Telemetry

/// The list of crash groups: filters, a table with decisions for those selected, and what the last decision did.
package struct CrashesPage: ConsolePage {
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
    let groups: [CrashGroup]
    let trends: [UUID: [Int64]]
    private let counts: [CrashStatus: Int64]
    private let choices: CrashFilterChoices
    private let address: ListAddress
    private let next: String?
    private let result: Result?

    package init(
        query: CrashListQuery, groups: [CrashGroup], trends: [UUID: [Int64]], counts: [CrashStatus: Int64],
        choices: CrashFilterChoices, address: ListAddress, next: String?, result: Result? = nil
    ) {
        self.query = query
        self.groups = groups
        self.trends = trends
        self.counts = counts
        self.choices = choices
        self.address = address
        self.next = next
        self.result = result
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .crashes, "Crashes",
            "Crash reports with the same cause, grouped. A resolved group opens again when it crashes later."
        ) { html in
            html.linkButton(words["Releases"], HTMLLink("console", "crashes", "releases"))
            html.linkButton(words["Symbols"], HTMLLink("console", "crashes", "symbols"))
            frame.csvLink(address.link([("format", "csv")]), to: &html)
        } main: { html in
            if let result { write(result, frame, to: &html) }
            writeFilters(frame, to: &html)
            frame.list(
                groups, empty: "No crash groups here",
                "Choose another status or clear the filters. Devices report crashes to "
                    + "/api/v1/crashes or with a Sentry SDK.", to: &html
            ) { writeTable(frame, to: &$0) }
            Paging(words.shown(groups.count, of: total(query.status)), of: address, next: next).write(words, to: &html)
        }
    }

    // MARK: Result

    private func write(_ result: Result, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        switch result {
        case .nothingSelected: frame.nothingSelected(to: &html)
        case .refused(let sentences): frame.refusal(sentences, to: &html)
        case .decided(let counts, let undo, let changed, let changedCount):
            if changedCount > 0 {
                html.notice(
                    .warning, role: .alert,
                    text: words.text(
                        "Left as another user decided meanwhile: %1.",
                        changed.isEmpty ? "\(changedCount)" : changed.joined(separator: ", ")))
            }
            guard !counts.isEmpty else { return }
            frame.decided(counts, text: { words.text($0, $1) }, to: &html) { html in
                guard let undo, frame.may(.decideCrashGroups) else { return }
                html.postButton(
                    words.count(Int64(undo.count), "Undo for %1 group|Undo for %1 groups"), address.here(),
                    [frame.keyed("undo")] + address.hidden, .name("undo"), .value(undo.id))
            }
        }
    }

    // MARK: Filters

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        frame.chips("Status", CrashStatus.allCases + [nil], chosen: query.status, to: &html) { status in
            (words.name(status), address.with("status", status?.rawValue ?? "all").link(), total(status))
        }
        let status = [(name: "status", value: query.status?.rawValue ?? "all")]
        frame.filters(ConsoleSection.crashes.link, hidden: status).write(
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
            frame.clearButton(
                HTMLLink(path: ["console", "crashes"], query: status), "Clear filters",
                isNeeded: query.search != nil || query.platform != nil || query.release != nil, to: &html)
        }
    }

    // MARK: Table

    private func writeTable(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard frame.may(.decideCrashGroups) else { return writeRows(isSelectable: false, words, to: &html) }
        BulkForm(
            address.here(), [frame.keyed()] + address.hidden, legend: words["With the selected groups"],
            selected: (words["%1 selected", of: "one"], words["%1 selected"])
        ).write(to: &html, list: { writeRows(isSelectable: true, words, to: &$0) }) { html in
            for action in [CrashAction.resolve, .ignore, .reopen] where action.status != query.status {
                html.submit(words.name(action), .name("action"), .value(action.rawValue))
            }
            html.submit(words["Delete…"], .class("danger"), .name("action"), .value("delete"))
        }
    }

    private func total(_ status: CrashStatus?) -> Int64 {
        status.map { counts[$0] ?? 0 } ?? counts.values.reduce(0, +)
    }
}

extension CrashesPage {
    func writeRows(isSelectable: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Crashes"]), style: "stacked crashes", of: groups,
            [
                isSelectable
                    ? .check(
                        words["Select all on this page"], "groups",
                        value: { "\($0.status.rawValue).\($0.id.lowercased)" },
                        label: { words.text("Select %1", $0.title) }) : nil,
                .heading(words["Group"], { _ in .class("crash") }) { group, html in
                    writeName(group, words, to: &html)
                },
                .text(words["Last 30 days"], .class("trends")) { group, html in
                    writeTrend(trends[group.id] ?? [], words, to: &html)
                },
                .number(words["Reports"]) { words.number($0.count) },
                .text(words["Last seen"]) { group, html in
                    html.day(group.lastSeenAt, words)
                    html.add(.span, .class("under")) { html in
                        let since = words.text("since %1", words.day(group.firstSeenAt.day))
                        html.time(group.firstSeenAt.rfc3339, since)
                    }
                },
                .text(words["Releases"]) { group, html in
                    html.bdi(group.releases.first.map { $0.name ?? words["without a release"] } ?? "–")
                    guard group.releases.count > 1 else { return }
                    html.under(words.text("and %1 more", words.number(Int64(group.releases.count - 1))))
                },
            ])
    }

    func writeName(_ group: CrashGroup, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.link(named: group.title, HTMLLink("console", "crashes", group.id.lowercased))
        html.add(.span, .class("under")) { html in
            if query.status == nil {
                html.rating(words.singular(group.status))
                html.text(" ")
            }
            if group.regressedAt != nil {
                html.rating(words["came back"], isGood: false)
                html.text(" ")
            }
            let facts = [group.platform, group.level.rawValue, group.culprit].compactMap(\.self)
            html.text(facts.joined(separator: " · "))
        }
    }

    /// Drawn from 0, because a group without reports on most days would look as if it were never quiet.
    func writeTrend(_ counts: [Int64], _ words: ConsoleWords, to html: inout HTMLWriter) {
        let total = counts.reduce(0, +)
        if total > 0 {
            let last = counts.count - 1
            Sparkline(
                points: counts.enumerated().map { index, count in
                    PlotPoint(label: "", value: Double(count), isUnfinished: index == last)
                }
            ).write(to: &html)
        }
        html.under(words.reports(total))
    }
}
