package import Backend
import HTML
package import SubGuardDomain

/// The funnel as horizontal bars: a table whose rows have a bar, so that bars and numbers cannot differ.
package struct FunnelPage: Sendable {
    private let funnel: Funnel
    private let today: CalendarDay

    package init(_ funnel: Funnel, today: CalendarDay) {
        self.funnel = funnel
        self.today = today
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let chooser = DayRangeChooser(section: .funnel, range: funnel.range, today: today)
        return frame.page(.funnel, title: words[.funnel]) { html in
            frame.top(.funnel, .funnelLead, to: &html) { html in
                let query = DayRangeChooser.query(funnel.range) + [("format", "csv")]
                frame.csvLink(HTMLLink("console", "funnel", query: query), to: &html)
            }
            chooser.write(words, to: &html)
            chooser.writeForm(words, to: &html)
            frame.standingNotice(funnel.standing, to: &html)
            if funnel.stages.allSatisfy({ $0.count == 0 }) {
                frame.empty(.noUsers, .noUsersHint, to: &html)
            } else {
                writeTable(words, to: &html)
            }
            frame.below(words[.funnelDefinition], funnel.standing, to: &html)
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let most = funnel.stages.map(\.count).max() ?? 0
        html.add(.div, .class("scroll"), .role("region"), .aria("label", words[.funnel]), .tabindex(0)) { html in
            html.add(.table, .class("stacked")) { html in
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.th, .scope("col"), text: words[.stage])
                        html.add(.td) { _ in }
                        html.add(.th, .scope("col"), .class("number"), text: words[.count])
                        html.add(.th, .scope("col"), .class("number"), text: words[.ofPrevious])
                        html.add(.th, .scope("col"), .class("number"), text: words[.ofFirst])
                    }
                }
                html.add(.tbody) { html in
                    for stage in funnel.stages {
                        html.add(.tr) { html in
                            html.add(.th, .scope("row"), text: words.name(stage.name))
                            html.add(.td, .class("meters")) { html in
                                MeterBar(share: most > 0 ? Double(stage.count) / Double(most) : 0).write(to: &html)
                            }
                            html.add(
                                .td, .class("number"), .data("label", words[.count]), text: words.number(stage.count))
                            for (label, share) in [
                                (Phrase.ofPrevious, stage.percentOfPrevious), (.ofFirst, stage.percentOfFirst),
                            ] {
                                html.add(
                                    .td, .class("number"), .data("label", words[label]),
                                    text: words.figure(share, isPercent: true))
                            }
                        }
                    }
                }
            }
        }
    }
}
