import Backend
import HTML
import SubGuardDomain

/// Parts that all pages of figures have.
extension ConsoleFrame {
    /// The heading, one sentence, and actions on the right.
    func top(
        _ title: Sentence, _ lead: Sentence, to html: inout HTMLWriter,
        actions: (inout HTMLWriter) -> Void = { (_: inout HTMLWriter) in }
    ) {
        html.add(.div, .class("top")) { html in
            html.add(.div) { html in
                html.add(.h1, text: words[title])
                html.add(.p, text: words[lead])
            }
            html.add(.div, .class("actions")) { html in actions(&html) }
        }
        writeQueryFaults(to: &html)
    }

    func csvLink(_ link: HTMLLink, to html: inout HTMLWriter) {
        html.add(.a, .class("button"), .href(link), text: words["Download CSV"])
    }

    /// Says so when the figures are not complete.
    func standingNotice(_ standing: FigureStanding, to html: inout HTMLWriter) {
        guard !standing.isComplete else { return }
        html.add(
            .p, .class("notice warn"), .role("status"),
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
            html.add(.details, .class("what")) { html in
                html.add(.summary, text: words[name])
                html.add(.p, text: definition)
            }
            html.add(.p) { html in
                html.text(words.text("Days begin at midnight in %1.", standing.calendar.zoneName) + " ")
                if let day = standing.calendar.firstDay {
                    html.text(words.text("Days before %1 keep their earlier cut.", words.day(day)) + " ")
                }
                html.add(
                    .time, .datetime(standing.computedAt.rfc3339),
                    text: words.text("Counted %1", words.instant(standing.computedAt)))
            }
        }
    }

    func empty(_ title: Sentence, _ hint: Sentence, to html: inout HTMLWriter) {
        html.add(.div, .class("empty")) { html in
            html.add(.h2, text: words[title])
            html.add(.p, text: words[hint])
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
    var kept: [(name: String, value: String)] = []
    /// Whether "all time" can be chosen.
    var isUnboundedAllowed = true

    /// The days of a preset that ends today.
    static func days(_ count: Int, through today: CalendarDay) -> DayRange {
        DayRange(from: today.adding(days: 1 - count), to: today)
    }

    func write(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.chips(
            words["Range"],
            Self.presets.filter { $0.days != nil || isUnboundedAllowed }.map { preset in
                let days = preset.days.map { Self.days($0, through: today) } ?? DayRange()
                return Chip(
                    words[preset.name], HTMLLink(path: ["console", section.rawValue], query: kept + Self.query(days)),
                    isCurrent: days == range)
            })
    }

    /// The two fields of a form. Days of a preset are no filter of their own.
    func fields(_ frame: ConsoleFrame) -> [FilterField] {
        let isPreset = Self.presets.contains { ($0.days.map { Self.days($0, through: today) } ?? DayRange()) == range }
        return [
            frame.dayFilter("from", "From", value: range.from?.iso, maximum: today.iso, isActive: !isPreset),
            frame.dayFilter("to", "To", value: range.to?.iso, maximum: today.iso, isActive: false),
        ]
    }

    static func query(_ range: DayRange) -> [(name: String, value: String)] {
        [("from", range.from), ("to", range.to)].compactMap { name, day in day.map { (name, $0.iso) } }
    }
}

/// The values of a plot as a table that can be opened.
struct PlotTable {
    /// With a remark such as "unfinished", or an empty one.
    let rows: [(name: String, value: String, remark: String)]

    func write(_ words: ConsoleWords, to html: inout HTMLWriter) {
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
