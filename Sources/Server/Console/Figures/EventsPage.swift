import HTML
import ServerAccess
package import SubGuardDomain
package import Telemetry

/// The event explorer: raw events by day, with filters, and where they were counted.
package struct EventsPage: ConsolePage {
    package enum Result: Sendable {
        case counted(EventCounts, isSinkAway: Bool)
        case tooMany
        case busy
    }

    private let selection: EventSelection
    /// The name of the chosen item.
    private let item: String?
    private let result: Result
    private let today: CalendarDay

    package init(_ selection: EventSelection, item: String?, _ result: Result, today: CalendarDay) {
        self.selection = selection
        self.item = item
        self.result = result
        self.today = today
    }

    /// More days are drawn as a line.
    private static let mostBars = 62

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.events, "Events", "Raw events as devices sent them, by day.") { html in
            guard case .counted = result else { return }
            frame.csvLink(HTMLLink("console", "events", query: query + [("format", "csv")]), to: &html)
        } main: { html in
            writeFilters(frame, to: &html)
            switch result {
            case .counted(let counts, let isSinkAway): write(counts, isSinkAway: isSinkAway, words, to: &html)
            case .tooMany: html.notice(.warning, text: words["Counting took too long. Choose fewer days."])
            case .busy: html.notice(.plain, text: words["Another count is running. Reload the page in a moment."])
            }
        }
    }

    private var days: DayRange { DayRange(from: selection.range.from, to: selection.range.to) }

    private var kept: [NamedValue] {
        .given([("event", selection.event), ("item", item), ("platform", selection.platform)])
    }

    private var query: [NamedValue] { kept + DayRangeChooser.query(days) }

    // MARK: Filters

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let chooser = DayRangeChooser(
            section: .events, range: days, today: today, kept: kept, isUnboundedAllowed: false)
        chooser.write(frame, to: &html)
        frame.filters(ConsoleSection.events.link, isSearch: false).write(
            [
                frame.choice(
                    "event", "Event", every: "All events", EventRegistry.events.map { ($0.name, $0.name) },
                    chosen: selection.event),
                frame.textFilter("item", "Service", value: item, placeholder: "Name or id"),
                frame.choice(
                    "platform", "Platform", every: "Any platform",
                    EventSelection.platforms.map { ($0, words.platform($0)) }, chosen: selection.platform),
            ] + chooser.fields(frame), to: &html)
    }

    // MARK: Counts

    private func write(
        _ counts: EventCounts, isSinkAway: Bool, _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        if isSinkAway {
            html.notice(
                .warning,
                text: words["The history (ClickHouse) did not answer, so the events in the database were counted."])
        }
        if let from = counts.completeFrom, from > UTCInstant(startOf: selection.range.from) {
            html.notice(
                .warning,
                text: words.text("Incomplete before %1: older raw events may have been removed.", words.instant(from)))
        }
        let plot = plot(counts, words)
        PlotPanel(
            headingID: "selection", plot: plot, notes: words.hatched(plot.points),
            rows: counts.days.map { (words.day($0.on), words.number($0.events), words.unfinished($0.on >= today)) }
        ).write(plot.title, plot.summary, words, to: &html)
        html.add(.div, .class("below")) { html in
            html.more(
                words["Definition"],
                words[
                    "Accepted events, each once, by the day on which they happened (UTC). A service also "
                        + "has the events of services merged into it."])
            html.add(.p) { html in
                let isHistory = counts.source == .history
                html.text(
                    words[isHistory ? "Counted in the history (ClickHouse)." : "Counted in the database."] + " ")
                html.time(
                    counts.completeUntil.rfc3339,
                    words.text("Everything received until %1.", words.instant(counts.completeUntil)))
            }
        }
    }

    private func title(_ words: ConsoleWords) -> String {
        let parts = [selection.event ?? words["All events"], item, selection.platform.map(words.platform)]
        return parts.compactMap(\.self).joined(separator: " · ")
    }

    private func plot(_ counts: EventCounts, _ words: ConsoleWords) -> TimePlot {
        let summary = words.text(
            "%1 from %2 to %3.", words.count(counts.total, "%1 event|%1 events"),
            words.day(selection.range.from), words.day(selection.range.to))
        let points = counts.days.map { day in
            PlotPoint(label: words.shortDay(day.on), value: Double(day.events), isUnfinished: day.on >= today)
        }
        return TimePlot(
            id: "plot", form: points.count > Self.mostBars ? .line : .bars, title: title(words), summary: summary,
            points: points, scale: PlotScale(of: points.compactMap(\.value), wholeNumbers: true)
        ) { words.tick($0, isPercent: false) }
    }
}
