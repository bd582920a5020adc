package import Backend
import HTML
package import SubGuardDomain

/// The event explorer: raw events by day, with filters, and where they were counted.
package struct EventsPage: Sendable {
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

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.events, title: words[.events]) { html in
            frame.top(.events, .eventsLead, to: &html) { html in
                guard case .counted = result else { return }
                frame.csvLink(HTMLLink("console", "events", query: query + [("format", "csv")]), to: &html)
            }
            writeFilters(frame, to: &html)
            switch result {
            case .counted(let counts, let isSinkAway): write(counts, isSinkAway: isSinkAway, words, to: &html)
            case .tooMany: html.add(.p, .class("notice warn"), .role("status"), text: words[.eventsTooMany])
            case .busy: html.add(.p, .class("notice"), .role("status"), text: words[.eventsBusy])
            }
        }
    }

    private var days: DayRange { DayRange(from: selection.range.from, to: selection.range.to) }

    private var kept: [(name: String, value: String)] {
        [("event", selection.event), ("item", item), ("platform", selection.platform)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    private var query: [(name: String, value: String)] { kept + DayRangeChooser.query(days) }

    // MARK: Filters

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let chooser = DayRangeChooser(
            section: .events, range: days, today: today, kept: kept, isUnboundedAllowed: false)
        chooser.write(words, to: &html)
        html.add(.form, .class("filters"), .action(ConsoleSection.events.link)) { html in
            choice(
                "event", .event, .eventsAll, EventRegistry.events.map { ($0.name, $0.name) }, selection.event, words,
                to: &html)
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("item"), text: words[.eventsItem])
                html.add(
                    .input, .type("search"), .id("item"), .name("item"), .value(frame.typed("item", item ?? "")),
                    .maxLength(200), .placeholder(words[.eventsItemHint]), frame.invalid("item"),
                    frame.described("item"))
                frame.writeFaults(of: "item", to: &html)
            }
            choice(
                "platform", .platform, .crashAnyPlatform,
                EventSelection.platforms.map { ($0, words.platform($0)) }, selection.platform, words, to: &html)
            chooser.writeFields(frame, to: &html)
            html.add(.button, .type("submit"), text: words[.show])
        }
    }

    private func choice(
        _ name: String, _ label: Phrase, _ all: Phrase, _ options: [(value: String, text: String)], _ chosen: String?,
        _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        html.add(.div, .class("field")) { html in
            html.add(.label, .for(name), text: words[label])
            html.add(.select, .id(name), .name(name)) { html in
                html.add(.option, .value(""), chosen == nil ? .selected : nil, text: words[all])
                for option in options {
                    html.add(
                        .option, .value(option.value), option.value == chosen ? .selected : nil, text: option.text)
                }
            }
        }
    }

    // MARK: Counts

    private func write(
        _ counts: EventCounts, isSinkAway: Bool, _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        if isSinkAway {
            html.add(.p, .class("notice warn"), .role("status"), text: words[.eventsSinkAway])
        }
        if let from = counts.completeFrom, from > UTCInstant(startOf: selection.range.from) {
            html.add(
                .p, .class("notice warn"), .role("status"),
                text: words.text(.eventsRemoved, words.instant(from)))
        }
        let summary = words.text(
            .eventsSummary, words.count(counts.total, one: .eventsOne, many: .eventsMany),
            words.day(selection.range.from), words.day(selection.range.to))
        html.add(.section, .class("panel"), .aria("labelledby", "selection")) { html in
            html.add(.h2, .id("selection"), text: title(words))
            html.add(.p, .class("hint"), text: summary)
            html.add(.div, .class("plotted")) { html in
                plot(counts, summary, words).write(to: &html)
                if selection.range.to >= today {
                    html.add(.p, .class("hint"), text: words[.unfinishedNote])
                }
                PlotTable(
                    rows: counts.days.map { day in
                        (words.day(day.on), words.number(day.events), day.on >= today ? words[.unfinished] : "")
                    }
                ).write(words, to: &html)
            }
        }
        html.add(.div, .class("below")) { html in
            html.add(.details, .class("what")) { html in
                html.add(.summary, text: words[.definition])
                html.add(.p, text: words[.eventsDefinition])
            }
            html.add(.p) { html in
                html.text(words[counts.source == .history ? .eventsFromHistory : .eventsFromLog] + " ")
                html.add(
                    .time, .datetime(counts.completeUntil.rfc3339),
                    text: words.text(.eventsCompleteUntil, words.instant(counts.completeUntil)))
            }
        }
    }

    private func title(_ words: ConsoleWords) -> String {
        let parts = [selection.event ?? words[.eventsAll], item, selection.platform.map(words.platform)]
        return parts.compactMap(\.self).joined(separator: " · ")
    }

    private func plot(_ counts: EventCounts, _ summary: String, _ words: ConsoleWords) -> TimePlot {
        let points = counts.days.map { day in
            PlotPoint(label: words.shortDay(day.on), value: Double(day.events), isUnfinished: day.on >= today)
        }
        return TimePlot(
            id: "plot", form: points.count > Self.mostBars ? .line : .bars, title: title(words), summary: summary,
            points: points, scale: PlotScale(of: points.compactMap(\.value), wholeNumbers: true)
        ) { words.tick($0, isPercent: false) }
    }
}
