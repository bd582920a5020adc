import HTML
import SubGuardDomain

/// The settings in force, as `subguardd config check` prints them.
package struct ConfigurationPage: Sendable {
    /// Where a value comes from.
    package enum Origin: Sendable, Equatable {
        case flag
        case environment
        case file(path: String)
        case standard
    }

    package struct Entry: Sendable {
        let key: String
        /// Secrets are masked.
        let value: String
        let origin: Origin
        /// In English.
        let summary: String

        package init(key: String, value: String, origin: Origin, summary: String) {
            self.key = key
            self.value = value
            self.origin = origin
            self.summary = summary
        }
    }

    private let entries: [Entry]
    private let showsAll: Bool

    package init(_ entries: [Entry], showsAll: Bool) {
        self.entries = entries
        self.showsAll = showsAll
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.operations, title: words["Configuration"]) { html in
            frame.top(
                "Configuration",
                "Every setting with its value and where it comes from, as subguardd config check "
                    + "prints them. Secrets are masked.", to: &html)
            OperationsTab.write(.configuration, frame, to: &html)
            let set = entries.filter { $0.origin != .standard }
            html.chips(
                words["Configuration"],
                [(true, "All" as Sentence, entries.count), (false, "Set", set.count)].map { all, name, count in
                    Chip(
                        words[name],
                        HTMLLink("console", "operations", "configuration", query: all ? [] : [("show", "set")]),
                        isCurrent: all == showsAll, tally: words.number(Int64(count)))
                })
            let rows = showsAll ? entries : set
            if rows.isEmpty {
                frame.empty("Every setting has its default", "Set one by a file, a variable or a flag.", to: &html)
            } else {
                writeTable(rows, words, to: &html)
            }
        }
    }

    private func writeTable(_ rows: [Entry], _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Configuration"]),
            caption: words["Flags win over variables, variables over the file. Changes take effect at the next start."],
            style: "stacked settings", of: rows,
            [
                .heading(words["Setting"]) { row, html in html.addName(row.key) },
                .text(words["Value"], .class("breaks")) { row, html in
                    if row.value.isEmpty {
                        html.add(.span, .class("muted"), text: words["empty"])
                    } else {
                        html.add(.code, text: row.value)
                    }
                },
                .text(words["Origin"], .class("origin")) { words.text($0.origin) },
                .text(words["Meaning"], isLabelled: false, .class("hint meaning")) { words.translated($0.summary) },
            ])
    }
}
