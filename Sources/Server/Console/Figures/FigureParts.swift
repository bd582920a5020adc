import HTML
import ServerAccess
import SubGuardDomain
import Telemetry

/// Parts that all pages of figures have.
extension ConsoleFrame {
    /// Says so when the figures are not complete.
    func standingNotice(_ standing: FigureStanding, to html: inout HTMLWriter) {
        guard !standing.isComplete else { return }
        html.notice(
            .warning,
            text: words.text(
                "Not complete yet: every event accepted before %1 is counted, newer ones follow.",
                words.instant(standing.countedUntil)))
    }

    /// The definition, the zone and the time, under a report.
    func below(
        _ definition: String, _ standing: FigureStanding, called name: Sentence = "Definition",
        to html: inout HTMLWriter
    ) {
        html.add(.div, .class("below")) { html in
            html.more(words[name], definition)
            html.add(.p) { html in
                html.text(words.text("Days begin at midnight in %1.", standing.calendar.zoneName) + " ")
                if let day = standing.calendar.firstDay {
                    html.text(words.text("Days before %1 keep their earlier cut.", words.day(day)) + " ")
                }
                html.time(
                    standing.computedAt.rfc3339, words.text("Counted %1", words.instant(standing.computedAt)))
            }
        }
    }
}

/// The choice of days above a report: presets and two days of one's own.
struct DayRangeChooser {
    private static let presets: [(name: Sentence, days: Int?)] = [
        ("Last 7 days", 7), ("Last 30 days", 30), ("Last 90 days", 90), ("Last 12 months", 365), ("All time", nil),
    ]

    let section: ConsoleSection
    let range: DayRange
    let today: CalendarDay
    /// Parameters that a choice keeps.
    var kept: [NamedValue] = []
    /// Whether "all time" can be chosen.
    var isUnboundedAllowed = true

    /// The days of a preset that ends today.
    static func days(_ count: Int, through today: CalendarDay) -> DayRange {
        DayRange(from: today.adding(days: 1 - count), to: today)
    }

    func write(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let presets = Self.presets.filter { $0.days != nil || isUnboundedAllowed }
        let ranges = presets.map { $0.days.map { Self.days($0, through: today) } ?? DayRange() }
        frame.chips("Range", ranges, chosen: range, to: &html) { days in
            let preset = ranges.firstIndex(of: days).map { presets[$0].name } ?? "All time"
            let link = HTMLLink(path: ["console", section.rawValue], query: kept + Self.query(days))
            return (frame.words[preset], link, nil)
        }
    }

    /// The two fields of a form. Days of a preset are no filter of their own.
    func fields(_ frame: ConsoleFrame) -> [FilterField] {
        let isPreset = Self.presets.contains { ($0.days.map { Self.days($0, through: today) } ?? DayRange()) == range }
        return [
            frame.dayFilter("from", "From", value: range.from?.iso, maximum: today.iso, isActive: !isPreset),
            frame.dayFilter("to", "To", value: range.to?.iso, maximum: today.iso, isActive: false),
        ]
    }

    static func query(_ range: DayRange) -> [NamedValue] {
        .given([("from", range.from?.iso), ("to", range.to?.iso)])
    }
}

/// A plot in a panel: its title, one sentence, and its values as a table that can be opened.
struct PlotPanel {
    var style: StaticString = "panel"
    /// Nil for a panel without a heading.
    var headingID: String?
    /// Nil without values.
    let plot: TimePlot?
    /// Sentences below the plot.
    var notes: [String] = []
    /// With a remark such as "unfinished", or an empty one.
    let rows: [(name: String, value: String, remark: String)]
    var foot: String?

    /// - Parameter summary: what the plot shows.
    func write(_ title: String, _ summary: String, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard let headingID else {
            return html.add(.div, .class(style)) { html in writeContent(summary, words, to: &html) }
        }
        html.section(title, style: style, headingID: headingID, isLabelled: true) { html in
            writeContent(summary, words, to: &html)
        }
    }

    private func writeContent(_ summary: String, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.hint(summary)
        if let plot {
            html.add(.div, .class("plotted")) { html in
                plot.write(to: &html)
                if !notes.isEmpty { html.hint(notes.joined(separator: " ")) }
                writeValues(words, to: &html)
            }
        }
        if let foot { html.hint(foot) }
    }

    private func writeValues(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.details, .class("values")) { html in
            html.add(.summary, text: words["Values as a table"])
            html.table(
                .label(words["Values as a table"]), of: rows,
                [
                    .heading(words["Period"]) { row, html in html.text(row.name) },
                    .number(words["Value"]) { $0.value }, .text("", .class("muted")) { $0.remark },
                ])
        }
    }
}

extension ConsoleWords {
    func unfinished(_ isUnfinished: Bool) -> String { isUnfinished ? self["unfinished"] : "" }

    /// What hatching means, if a point is hatched.
    func hatched(_ points: [PlotPoint]) -> [String] {
        points.contains(where: \.isUnfinished)
            ? [self["Hatched: the period has not ended, its value will still change."]] : []
    }
}
