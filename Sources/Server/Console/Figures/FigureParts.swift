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
