import HTML
import SubGuardDomain

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
