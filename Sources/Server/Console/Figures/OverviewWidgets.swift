package import Foundation
import HTML
package import ServerAccess
package import SubGuardDomain
package import Telemetry

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
