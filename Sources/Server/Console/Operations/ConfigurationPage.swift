import HTML
package import SubGuardDomain

/// The settings in force, as `subguardd config check` prints them.
package struct ConfigurationPage: ConsolePage {
    /// A setting with its value, secrets masked, where that comes from, and its summary in English.
    package typealias Entry = (key: String, value: String, origin: Sentence, isStandard: Bool, summary: String)

    private let entries: [Entry]
    private let showsAll: Bool

    package init(_ entries: [Entry], showsAll: Bool) {
        self.entries = entries
        self.showsAll = showsAll
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .operations, "Configuration",
            "Every setting with its value and where it comes from, as subguardd config check "
                + "prints them. Secrets are masked."
        ) { html in
            OperationsTab.write(.configuration, frame, to: &html)
            let set = entries.filter { !$0.isStandard }
            frame.chips("Configuration", [true, false], chosen: showsAll, to: &html) { all in
                let query = all ? [] : [(name: "show", value: "set")]
                let link = HTMLLink("console", "operations", "configuration", query: query)
                return (words[all ? "All" : "Set"], link, Int64(all ? entries.count : set.count))
            }
            let rows = showsAll ? entries : set
            frame.list(
                rows, empty: "Every setting has its default", "Set one by a file, a variable or a flag.", to: &html
            ) { html in
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
                    if row.value.isEmpty { html.muted(words["empty"]) } else { html.add(.code, text: row.value) }
                },
                .text(words["Origin"], .class("origin")) { words[$0.origin] },
                .text(words["Meaning"], isLabelled: false, .class("hint meaning")) { words.translated($0.summary) },
            ])
    }
}
