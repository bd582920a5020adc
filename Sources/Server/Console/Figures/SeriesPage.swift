import HTML
import ServerAccess
package import SubGuardDomain
package import Telemetry

/// One figure over time: a plot, a sentence and the values as a table.
package struct SeriesPage: ConsolePage {
    private let series: Series
    private let today: CalendarDay

    package init(_ series: Series, today: CalendarDay) {
        self.series = series
        self.today = today
    }

    /// More periods are drawn as a line.
    private static let mostBars = 62

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.series, title: "\(words.name(series.figure)) · \(words["Series"])") { html in
            frame.top("Series", "One figure over time.", to: &html) { html in
                let query = self.query(from: series.range.from, to: series.range.to) + [("format", "csv")]
                frame.csvLink(HTMLLink("console", "series", query: query), to: &html)
            }
            writeFilters(frame, to: &html)
            frame.standingNotice(series.standing, to: &html)
            let plot = plot(words)
            PlotPanel(
                headingID: "figure-name", plot: plot, notes: words.hatched(plot.points),
                rows: series.points.map { point in
                    let value = words.figure(point.value, isPercent: isPercent)
                    return (period(point.on, words), value, words.unfinished(point.isUnfinished))
                }
            ).write(plot.title, plot.summary, words, to: &html)
            frame.below(words.definition(series.figure), series.standing, to: &html)
        }
    }

    private func query(from: CalendarDay?, to: CalendarDay?) -> [NamedValue] {
        [("figure", series.figure.rawValue), ("step", series.range.step.rawValue)]
            + DayRangeChooser.query(DayRange(from: from, to: to))
    }

    // MARK: Filters

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let range = DayRange(from: series.range.from, to: series.range.to)
        let chooser = DayRangeChooser(
            section: .series, range: range, today: today, kept: query(from: nil, to: nil), isUnboundedAllowed: false)
        chooser.write(frame, to: &html)
        let steps: [(SeriesStep, Sentence)] = [(.day, "Day"), (.week, "Week"), (.month, "Month")]
        let fields = [
            frame.choice(
                "step", "By", steps.map { ($0.0.rawValue, words[$0.1]) }, chosen: series.range.step.rawValue)
        ]
        frame.filters(ConsoleSection.series.link, isSearch: false).write(
            fields + chooser.fields(frame), to: &html, search: { writeFigures(words, to: &$0) })
    }

    private func writeFigures(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.field("figure", words["Figure"], style: "field grow") { html, _ in
            html.add(.select, .id("figure"), .name("figure")) { html in
                let isEvent = Dictionary(grouping: SeriesFigure.allCases) { $0.rawValue.hasPrefix("events.") }
                for (label, figures) in [("Figures" as Sentence, isEvent[false]), ("Events", isEvent[true])] {
                    html.add(.optgroup, .label(words[label])) { html in
                        for figure in figures ?? [] {
                            html.add(
                                .option, .value(figure.rawValue), figure == series.figure ? .selected : nil,
                                text: words.name(figure))
                        }
                    }
                }
            }
        }
    }

    // MARK: Plot

    private var isPercent: Bool { series.figure.rawValue == "crash_free_sessions" }

    /// The points of a series for a plot.
    static func points(of series: Series, _ words: ConsoleWords) -> [PlotPoint] {
        series.points.map { point in
            PlotPoint(
                label: series.range.step == .month ? words.monthAndYear(point.on) : words.shortDay(point.on),
                value: point.value.flatMap { Double($0.text) }, isUnfinished: point.isUnfinished)
        }
    }

    private func plot(_ words: ConsoleWords) -> TimePlot {
        let points = Self.points(of: series, words)
        let isPercent = isPercent
        // A rate, or a number of users at a moment, has no area that adds up.
        let name = series.figure.rawValue
        let isState = isPercent || name == "total_users" || name.hasPrefix("active_")
        return TimePlot(
            id: "plot", form: isState || points.count > Self.mostBars ? .line : .bars,
            title: words.name(series.figure), summary: summary(words), points: points,
            scale: PlotScale(
                of: points.compactMap(\.value), wholeNumbers: !isPercent, ceiling: isPercent ? 100 : nil)
        ) { words.tick($0, isPercent: isPercent) }
    }

    private func summary(_ words: ConsoleWords) -> String {
        let name = words.name(series.figure)
        let (from, to) = (words.day(series.range.from), words.day(series.range.to))
        guard let (low, high, last) = Self.extremes(of: series) else {
            return words.text("%1 from %2 to %3: no values.", name, from, to)
        }
        return words.text(
            "%1 from %2 to %3: lowest %4, highest %5, last finished %6.", name, from, to,
            words.figure(low, isPercent: isPercent), words.figure(high, isPercent: isPercent),
            words.figure(last, isPercent: isPercent))
    }

    /// The lowest, the highest and the last finished value; nil without values.
    static func extremes(of series: Series) -> (FigureNumber, FigureNumber, last: FigureNumber?)? {
        func number(_ value: FigureNumber) -> Double { Double(value.text) ?? 0 }
        let values = series.points.compactMap(\.value).sorted { number($0) < number($1) }
        guard let low = values.first, let high = values.last else { return nil }
        return (low, high, series.points.last { !$0.isUnfinished && $0.value != nil }?.value)
    }

    private func period(_ day: CalendarDay, _ words: ConsoleWords) -> String {
        switch series.range.step {
        case .day: words.day(day)
        case .week: "\(day.isoWeek.text) · \(words.day(day))"
        case .month: words.monthAndYear(day)
        }
    }
}
