import HTML
import SubGuardDomain
import Telemetry

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
