package import Backend
import HTML
package import SubGuardDomain

/// Retention by the week or month of the signup: one hue, value and number in every cell, and a word for high and low ones.
package struct CohortsPage: ConsolePage {
    private let cohorts: Cohorts
    private let today: CalendarDay

    package init(_ cohorts: Cohorts, today: CalendarDay) {
        self.cohorts = cohorts
        self.today = today
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let kept = cohorts.step == .week ? [] : [(name: "by", value: cohorts.step.rawValue)]
        let chooser = DayRangeChooser(section: .cohorts, range: cohorts.range, today: today, kept: kept)
        return frame.page(.cohorts, title: words["Cohorts"]) { html in
            frame.top("Cohorts", "How many users of each signup week or month came back.", to: &html) { html in
                let query = DayRangeChooser.query(cohorts.range) + kept + [("format", "csv")]
                frame.csvLink(HTMLLink("console", "cohorts", query: query), to: &html)
            }
            chooser.write(frame, to: &html)
            frame.filters(ConsoleSection.cohorts.link, isSearch: false).write(
                chooser.fields(frame) + [
                    frame.choice(
                        "by", "By", CohortStep.allCases.map { ($0.rawValue, words[$0 == .week ? "Week" : "Month"]) },
                        chosen: cohorts.step.rawValue)
                ], to: &html)
            frame.standingNotice(cohorts.standing, to: &html)
            frame.list(
                cohorts.cohorts, empty: "No users in this period",
                "Choose a longer period, or wait until devices send their events.", to: &html
            ) { html in
                writeTable(words, to: &html)
            }
            frame.below(
                words[
                    "A row for each ISO week (from Monday) or month with signups. Of the users whose "
                        + "signup is at least 1, 7 or 30 days ago, the share that came back. Over 50% is high (▲), "
                        + "under 20% is low (▼). A hatched cell is still filling: not every user of the row has "
                        + "reached that day."], cohorts.standing, to: &html)
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("scroll"), .role("region"), .aria("label", words["Cohorts"]), .tabindex(0)) { html in
            html.add(.table, .class("cohorts")) { html in
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(
                            .th, .scope("col"), text: words[cohorts.step == .week ? "Week" : "Month"])
                        html.add(.th, .scope("col"), .class("begins"), text: words["Begins"])
                        html.add(.th, .scope("col"), .class("number"), text: words["Users"])
                        for phrase in ["Day 1" as Sentence, "Day 7", "Day 30"] {
                            html.add(.th, .scope("col"), text: words[phrase])
                        }
                    }
                }
                html.add(.tbody) { html in
                    // The newest week first: it is the one that people look for.
                    for cohort in cohorts.cohorts.reversed() {
                        html.add(.tr) { html in
                            html.add(.th, .scope("row"), text: cohort.week ?? words.monthAndYear(cohort.startsOn))
                            html.add(.td, .class("begins"), text: words.day(cohort.startsOn))
                            html.add(.td, .class("number"), text: words.number(cohort.users))
                            for retention in [cohort.d1, cohort.d7, cohort.d30] {
                                cell(retention, of: cohort.users, words, &html)
                            }
                        }
                    }
                }
            }
        }
    }

    private func cell(
        _ retention: Retention?, of users: Int64, _ words: ConsoleWords, _ html: inout HTMLWriter
    ) {
        guard let retention else {
            html.add(.td, .class("cell immature")) { html in html.add(.small, text: words["not reached yet"]) }
            return
        }
        let isFilling = retention.eligible < users
        html.add(.td, .class(isFilling ? "cell immature" : Self.heat(retention.percent))) { html in
            html.add(.span, .class("percent")) { html in
                html.add(.b) { html in
                    html.text(words.figure(retention.percent, isPercent: true))
                    let sign: (text: String, name: Sentence)? =
                        switch retention.rating {
                        case .green: ("▲", "high")
                        case .red: ("▼", "low")
                        case .neutral: nil
                        }
                    guard let sign else { return }
                    html.add(.small, .role("img"), .aria("label", words[sign.name]), text: sign.text)
                }
            }
            html.add(.small) { html in
                html.text(
                    words.text("%1 of %2", words.number(retention.count), words.number(retention.eligible)))
                if isFilling { html.text(" · " + words["still filling"]) }
            }
        }
    }

    /// Six steps of one hue.
    static func heat(_ percent: FigureNumber) -> StaticString {
        switch Double(percent.text) ?? 0 {
        case ..<5: "cell heat-0"
        case ..<15: "cell heat-1"
        case ..<30: "cell heat-2"
        case ..<45: "cell heat-3"
        case ..<60: "cell heat-4"
        default: "cell heat-5"
        }
    }
}
