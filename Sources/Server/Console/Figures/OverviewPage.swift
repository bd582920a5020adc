package import Foundation
import HTML
package import ServerAccess
package import SubGuardDomain
package import Telemetry

/// The first page: what needs attention, and the dashboard's figures.
package struct OverviewPage: ConsolePage {
    /// Figures for those who may read them; the removals are the subscriptions removed, of the same days as those
    /// added.
    package typealias Figures = (dashboard: Dashboard, series: [Dashboard.Name: Series], removals: Series?)

    /// The figure over time that each figure of the dashboard is, or is the sum of.
    package static let seriesNames: [(figure: Dashboard.Name, series: String)] = [
        (.totalUsers, "total_users"), (.activeUsers30d, "active_30d"), (.subscriptionsTracked, "subscriptions_added"),
        (.premiumConversions, "conversions"), (.crashFreeSessions, "crash_free_sessions"),
    ]

    private let figures: Figures?
    private let widgets: OverviewWidgets?
    private let attention: [Attention]

    /// - Parameter attention: in the order of the list.
    package init(figures: Figures?, widgets: OverviewWidgets? = nil, attention: [Attention]) {
        self.figures = figures
        self.widgets = widgets
        self.attention = attention
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.overview, "Overview", "The figures now, and how this week compares with the week before.") {
            html in
            html.add(.span, .data("refresh-button")) { _ in }
        } main: { html in
            html.add(
                .div, .data("refresh", "60"), .data("pause", words["Pause refresh"]),
                .data("resume", words["Refresh every minute"])
            ) { html in
                // What needs attention comes first; that nothing does is no news.
                if !attention.isEmpty { writeAttention(words, to: &html) }
                if let figures {
                    frame.standingNotice(figures.dashboard.standing, to: &html)
                    html.add(.div, .class("tiles")) { html in
                        for name in Dashboard.Name.allCases { tile(name, figures, words, &html) }
                    }
                    frame.below(
                        words[
                            "This week is the last 7 × 24 hours, the week before the 7 × 24 hours before them. "
                                + "There is no trend when the week before is not above zero."],
                        figures.dashboard.standing, called: "How weeks are compared", to: &html)
                    widgets?.write(words, to: &html)
                } else {
                    html.notice(.plain, role: NoticeRole.none, text: words["Your role has no access to the figures."])
                }
                if attention.isEmpty {
                    html.add(.p, .class("muted after"), text: words["Nothing needs attention."])
                }
            }
        }
    }

    private func tile(
        _ name: Dashboard.Name, _ figures: Figures, _ words: ConsoleWords, _ html: inout HTMLWriter
    ) {
        let figure = figures.dashboard[name]
        let isPercent = name == .crashFreeSessions
        html.add(.section, .class("tile"), .aria("labelledby", name.rawValue)) { html in
            html.add(.h2, .id(name.rawValue)) { html in
                let link = Self.seriesNames.first { $0.figure == name }.map {
                    HTMLLink("console", "series", query: [("figure", $0.series)])
                }
                html.add(.a, .href(link ?? ConsoleSection.series.link), text: words.name(name))
            }
            html.add(.p, .class("value"), text: words.figure(figure.value, isPercent: isPercent))
            html.add(.p, .class("trend")) { html in
                guard figure.value != nil || figure.thisWeek != nil || figure.lastWeek != nil else {
                    return html.text(words["No data yet"])
                }
                var sign = ""
                if case .count(1...)? = figure.thisWeek, Self.sums.contains(name) { sign = "+" }
                let week = sign + words.figure(figure.thisWeek, isPercent: isPercent)
                html.add(.strong, text: words.text("%1 this week", week))
                if let trend = figure.trendPercent { Self.write(trend, words, to: &html) }
            }
            // There even without a line, so that the parts of all tiles stand at the same height.
            html.add(.div, .class("line-box")) { html in
                Sparkline(points: Self.points(name, figures, words)).write(to: &html)
            }
            html.add(.details, .class("what")) { html in
                html.add(.summary, text: words["Definition"])
                html.paragraph(words.definition(name))
                html.paragraph(
                    words.text(
                        "%1 this week, %2 the week before", words.figure(figure.thisWeek, isPercent: isPercent),
                        words.figure(figure.lastWeek, isPercent: isPercent)))
            }
        }
    }

    /// The figures that grow by what each week adds.
    private static let sums: Set<Dashboard.Name> = [.totalUsers, .subscriptionsTracked, .premiumConversions]

    /// The direction as a sign, which is read out in words.
    static func write(_ trend: FigureNumber, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let text = words.figure(trend, isPercent: true)
        let size = String(text.drop { $0 == "\u{2212}" })
        let isZero = trend.text == "0.0" || trend.text == "-0.0"
        let (sign, name): (String, String) =
            isZero
            ? ("=", words["Unchanged"])
            : trend.text.hasPrefix("-") ? ("▼", words.text("Down %1", size)) : ("▲", words.text("Up %1", text))
        html.add(.span, .role("img"), .aria("label", name), text: "\(sign)\u{A0}\(size)")
    }

    /// The value over time. That of a sum is found from the present one backwards, by what each day added and removed.
    static func points(_ name: Dashboard.Name, _ figures: Figures, _ words: ConsoleWords) -> [PlotPoint] {
        guard let series = figures.series[name] else { return [] }
        let points = SeriesPage.points(of: series, words)
        guard name == .subscriptionsTracked || name == .premiumConversions,
            var value = figures.dashboard[name].value.flatMap({ Double($0.text) })
        else { return points }
        let removals = name == .subscriptionsTracked ? figures.removals.map { SeriesPage.points(of: $0, words) } : nil
        let removed = Dictionary((removals ?? []).map { ($0.label, $0.value ?? 0) }) { first, _ in first }
        var found: [PlotPoint] = []
        for point in points.reversed() {
            found.append(PlotPoint(label: point.label, value: value, isUnfinished: point.isUnfinished))
            value -= (point.value ?? 0) - (removed[point.label] ?? 0)
        }
        return found.reversed()
    }

    private func writeAttention(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.section(words["Needs attention"], headingID: "attention", isLabelled: true) { html in
            html.rows(attention) { item, html in html.link(item.text(words), item.section.link) }
        }
    }
}

/// The funnel, the latest cohorts and the first places of the ranking: small, each with a link to its page.
package struct OverviewWidgets: Sendable {
    private let funnel: Funnel
    private let cohorts: Cohorts
    private let ranking: Ranking
    /// The category of an item.
    private let category: @Sendable (UUID) -> String?

    /// So many services of the ranking.
    package static let places = 5
    private static let mostCohorts = 5

    /// The days of the funnel.
    package static func funnelDays(through today: CalendarDay) -> DayRange { DayRangeChooser.days(30, through: today) }

    /// The days of the cohorts: the weeks that are shown.
    package static func cohortDays(through today: CalendarDay) -> DayRange {
        DayRangeChooser.days(7 * (mostCohorts - 1) + 1, through: today)
    }

    package init(
        funnel: Funnel, cohorts: Cohorts, ranking: Ranking, category: @escaping @Sendable (UUID) -> String?
    ) {
        self.funnel = funnel
        self.cohorts = cohorts
        self.ranking = ranking
        self.category = category
    }

    func write(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("widgets")) { html in
            let days = HTMLLink("console", "funnel", query: DayRangeChooser.query(funnel.range))
            let last = words["Last 30 days"]
            write("Funnel", days, note: last, hasRows: funnel.all.users > 0, words, to: &html) {
                writeFunnel(words, to: &$0)
            }
            write("Cohorts", ConsoleSection.cohorts.link, hasRows: !cohorts.cohorts.isEmpty, words, to: &html) {
                writeCohorts(words, to: &$0)
            }
            write("Ranking", ConsoleSection.ranking.link, hasRows: !ranking.items.isEmpty, words, to: &html) {
                writeRanking(words, to: &$0)
            }
        }
    }

    private func write(
        _ title: Sentence, _ link: HTMLLink, note: String? = nil, hasRows: Bool, _ words: ConsoleWords,
        to html: inout HTMLWriter, content: (inout HTMLWriter) -> Void
    ) {
        html.add(.section) { html in
            html.add(.h2) { html in
                html.link(words[title], link)
                guard let note else { return }
                html.text(" ")
                html.add(.small, .class("muted"), text: note)
            }
            guard hasRows else { return html.add(.p, .class("empty"), text: words["No data yet"]) }
            content(&html)
        }
    }

    /// Each stage with its part of the first one as a bar.
    private func writeFunnel(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let most = funnel.stages.map(\.count).max() ?? 0
        html.table(
            .label(words["Funnel"]), style: "small", of: funnel.stages,
            [
                .heading(words["Stage"]) { stage, html in
                    html.text(words.name(stage.name))
                    MeterBar(share: most > 0 ? Double(stage.count) / Double(most) : 0).write(to: &html)
                },
                .number(words["Count"]) { words.number($0.count) },
                .number(words["Of first"]) { words.figure($0.percentOfFirst, isPercent: true) },
            ])
    }

    private func writeCohorts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        func retention(_ name: Sentence, _ retention: @escaping (Cohort) -> Retention?) -> TableColumn<Cohort> {
            .cell(words[name], { .class(CohortsPage.style(retention($0), of: $0.users)) }) { cohort, html in
                html.text(words.figure(retention(cohort)?.percent, isPercent: true))
            }
        }
        html.table(
            .label(words["Cohorts"]), style: "small cohorts", of: cohorts.cohorts.suffix(Self.mostCohorts).reversed(),
            [
                .heading(words["Week"]) { cohort, html in html.text(words.name(cohort)) },
                retention("Day 1", \.d1), retention("Day 7", \.d7), retention("Day 30", \.d30),
            ])
    }

    private func writeRanking(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Ranking"]), style: "small", of: ranking.items,
            [
                .heading(words["Service"]) { item, html in
                    html.add(.span, .class("named")) { html in
                        ItemMark(name: item.name, category: category(item.id) ?? "", logoURL: item.logoURL)
                            .write(to: &html)
                        html.bdi(item.name)
                    }
                },
                .number(words["Additions"]) { words.number($0.count) },
            ])
    }
}
