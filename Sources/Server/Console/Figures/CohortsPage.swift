import HTML
package import SubGuardDomain
package import Telemetry

/// Retention by the week or month of the signup: one hue, value and number in every cell, and a word for high and low
/// ones.
package struct CohortsPage: ConsolePage {
    private let cohorts: Cohorts
    private let today: CalendarDay

    package init(_ cohorts: Cohorts, today: CalendarDay) {
        self.cohorts = cohorts
        self.today = today
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let kept = cohorts.step == .week ? [] : [(name: "by", value: cohorts.step.rawValue)]
        let chooser = DayRangeChooser(section: .cohorts, range: cohorts.range, today: today, kept: kept)
        return frame.page(.cohorts, "Cohorts", "How many users of each signup week or month came back.") { html in
            let query = DayRangeChooser.query(cohorts.range) + kept + [("format", "csv")]
            frame.csvLink(HTMLLink("console", "cohorts", query: query), to: &html)
        } main: { html in
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
            ) { writeTable(words, to: &$0) }
            frame.below(
                words[
                    "A row for each ISO week (from Monday) or month with signups. Of the users whose "
                        + "signup is at least 1, 7 or 30 days ago, the share that came back. Over 50% is high (▲), "
                        + "under 20% is low (▼). A hatched cell is still filling: not every user of the row has "
                        + "reached that day."], cohorts.standing, to: &html)
        }
    }

    /// A week or month, or the average of all.
    private typealias Row = (cohort: Cohort, isAverage: Bool)

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let step = words[cohorts.step == .week ? "Week" : "Month"]
        func retention(_ name: Sentence, _ retention: @escaping (Cohort) -> Retention?) -> TableColumn<Row> {
            .cell(
                words[name], { .class($0.isAverage ? "cell" : Self.style(retention($0.cohort), of: $0.cohort.users)) }
            ) { row, html in
                let users = row.isAverage ? 0 : row.cohort.users
                Self.write(retention(row.cohort), of: users, words, to: &html)
            }
        }
        // The newest week first: it is the one that people look for.
        let average = cohorts.cohorts.count > 1 ? cohorts.average : nil
        let rows: [Row] =
            [average].compactMap(\.self).map { (cohort: $0, isAverage: true) }
            + cohorts.cohorts.reversed().map { (cohort: $0, isAverage: false) }
        html.table(
            .label(words["Cohorts"]), style: "cohorts", of: rows,
            row: { $0.isAverage ? .class("total") : nil },
            [
                .heading(step) { row, html in
                    html.text(row.isAverage ? words["Average"] : words.name(row.cohort))
                },
                .cell(words["Begins"], head: .class("begins"), { _ in .class("begins") }) { row, html in
                    html.text(row.isAverage ? "" : words.day(row.cohort.startsOn))
                },
                .number(words["Users"]) { words.number($0.cohort.users) },
                retention("Day 1", \.d1), retention("Day 7", \.d7), retention("Day 30", \.d30),
            ])
    }

    /// - Parameter users: of the row, to say whether all of them have reached the day.
    static func write(
        _ retention: Retention?, of users: Int64, _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        guard let retention else { return html.add(.small, text: words["not reached yet"]) }
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
            html.text(words.text("%1 of %2", words.number(retention.count), words.number(retention.eligible)))
            if retention.eligible < users { html.text(" · " + words["still filling"]) }
        }
    }

    /// Hatched while not every user has reached the day.
    static func style(_ retention: Retention?, of users: Int64) -> StaticString {
        guard let retention, retention.eligible >= users else { return "cell immature" }
        return heat(retention.percent)
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

extension ConsoleWords {
    /// `2026-W47`, Nov 2026.
    func name(_ cohort: Cohort) -> String { cohort.week ?? monthAndYear(cohort.startsOn) }
}
