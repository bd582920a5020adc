import HTML
package import SubGuardDomain
package import Telemetry

/// The funnel as horizontal bars: a table whose rows have a bar, so that bars and numbers cannot differ.
package struct FunnelPage: ConsolePage {
    private let funnel: Funnel
    private let today: CalendarDay

    package init(_ funnel: Funnel, today: CalendarDay) {
        self.funnel = funnel
        self.today = today
    }

    /// Windows that can be chosen. Others can be asked for in the address.
    private static let windows = [1, 7, 14, 30, 60, 90]
    /// Further segments are in the CSV.
    private static let mostSegments = 8

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.funnel, "Funnel", "How far the users who signed up in this period got.") { html in
            let query = DayRangeChooser.query(funnel.range) + kept + [("format", "csv")]
            frame.csvLink(HTMLLink("console", "funnel", query: query), to: &html)
        } main: { html in
            writeFilters(frame, to: &html)
            frame.standingNotice(funnel.standing, to: &html)
            if funnel.all.users == 0 {
                frame.empty(
                    "No users in this period", "Choose a longer period, or wait until devices send their events.",
                    to: &html)
            } else {
                writeTable(words["Funnel"], funnel.all, words, to: &html)
            }
            if ([funnel.all] + (funnel.segments ?? []).map(\.all)).contains(where: Self.exceedsPrevious) {
                html.hint(
                    words[
                        "More than 100% of the previous stage: each stage counts all users who reached it, "
                            + "also those who skipped the one before."])
            }
            if let unfinished = funnel.unfinished, unfinished.users > 0 {
                html.hint(
                    words.count(
                        unfinished.users,
                        """
                        Not counted yet: %1 user who still has time left.|\
                        Not counted yet: %1 users who still have time left.
                        """
                    ))
            }
            for segment in (funnel.segments ?? []).prefix(Self.mostSegments) {
                html.add(.section, .class("section")) { html in
                    html.add(.h2) { html in
                        html.bdi(segment.name)
                        html.text(" ")
                        html.add(
                            .small, .class("muted"),
                            text: words.count(segment.all.users, "%1 user|%1 users"))
                    }
                    writeTable(segment.name, segment.all, words, to: &html)
                }
            }
            if (funnel.segments?.count ?? 0) > Self.mostSegments {
                html.hint(words["The CSV has all segments."])
            }
            frame.below(words.definition(funnel), funnel.standing, to: &html)
        }
    }

    /// Whether a stage was reached by more people than the one before.
    private static func exceedsPrevious(_ part: Funnel.Part) -> Bool {
        zip(part.stages, part.stages.dropFirst()).contains { $0.count < $1.count }
    }

    private var kept: [NamedValue] {
        .given([("within", funnel.window?.text), ("by", funnel.dimension?.rawValue)])
    }

    private func writeFilters(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let chooser = DayRangeChooser(section: .funnel, range: funnel.range, today: today, kept: kept)
        chooser.write(frame, to: &html)
        let chosen = funnel.window?.days
        let windows = Set(Self.windows + [chosen].compactMap(\.self)).sorted()
        frame.filters(ConsoleSection.funnel.link, isSearch: false).write(
            chooser.fields(frame) + [
                frame.choice(
                    "within", "Within", every: "Any time",
                    windows.map { ("\($0)d", words.count(Int64($0), "%1 day|%1 days")) },
                    chosen: chosen.map { "\($0)d" }),
                frame.choice(
                    "by", "By", every: "Everyone",
                    FunnelDimension.allCases.map { dimension in
                        (dimension.rawValue, words[dimension == .platform ? "Platform" : "App version"])
                    }, chosen: funnel.dimension?.rawValue),
            ], to: &html)
    }

    private func writeTable(
        _ label: String, _ part: Funnel.Part, _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        let most = part.stages.map(\.count).max() ?? 0
        html.table(
            .label(label), of: part.stages,
            [
                .heading(words["Stage"]) { stage, html in html.text(words.name(stage.name)) },
                .share { most > 0 ? Double($0.count) / Double(most) : 0 },
                .number(words["Count"]) { words.number($0.count) },
                .number(words["Of previous"]) { words.figure($0.percentOfPrevious, isPercent: true) },
                .number(words["Of first"]) { words.figure($0.percentOfFirst, isPercent: true) },
            ])
    }
}
