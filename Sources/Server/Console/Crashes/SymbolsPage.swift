package import Backend
import HTML
import SubGuardDomain

/// The images whose functions have names, and how to add more.
package struct SymbolsPage: Sendable {
    private let files: [SymbolFile]
    private let mayRemove: Bool
    /// What was removed by the form before.
    private let removed: String?

    package init(_ files: [SymbolFile], mayRemove: Bool, removed: String? = nil) {
        self.files = files
        self.mayRemove = mayRemove
        self.removed = removed
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.crashes, title: words["Symbols"]) { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(ConsoleSection.crashes.link), text: words["Crashes"])
            }
            frame.top(
                "Symbols", "The images whose functions have names. Crashes of other images show image and offset.",
                to: &html
            ) { _ in }
            if let removed {
                html.add(
                    .p, .class("notice good"), .role("status"), .tabindex(-1), .data("focus"),
                    text: words.text("The symbols of %1 are removed.", removed))
            }
            if files.isEmpty {
                frame.empty(
                    "No symbols yet", "Crashes show image and offset until the symbols of the image are added.",
                    to: &html)
            } else {
                writeTable(words, to: &html)
            }
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: words["Add symbols"])
                html.add(
                    .p,
                    text: words[
                        "On the Mac that built the app, then on the server. The API takes them too: PUT "
                            + "/api/v1/admin/crashes/symbols/{debug_id}."])
                html.add(.pre, .tabindex(0), text: Self.example)
            }
        }
    }

    private static let example = """
        (dwarfdump --uuid -arch arm64 App.app/App; nm -arch arm64 App.app/App) > App.symbols
        subguardd crashes symbols add App.symbols
        """

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("scroll"), .role("region"), .aria("label", words["Symbols"]), .tabindex(0)) { html in
            html.add(.table, .class("stacked")) { html in
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.th, .scope("col"), text: words["Image"])
                        html.add(.th, .scope("col"), text: words["Debug id"])
                        html.add(.th, .scope("col"), .class("number"), text: words["Functions"])
                        html.add(.th, .scope("col"), text: words["Added"])
                        if mayRemove { html.add(.td) { _ in } }
                    }
                }
                html.add(.tbody) { html in for file in files { write(file, words, to: &html) } }
            }
        }
    }

    private func write(_ file: SymbolFile, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.tr) { html in
            html.add(.th, .scope("row")) { html in
                html.add(.bdi, text: file.name.isEmpty ? "–" : file.name)
                if let architecture = file.architecture { html.add(.span, .class("muted"), text: " \(architecture)") }
            }
            html.add(.td, .data("label", words["Debug id"])) { html in html.add(.code, text: file.debugID) }
            html.add(
                .td, .class("number"), .data("label", words["Functions"]), text: words.number(file.functionCount))
            html.add(.td, .data("label", words["Added"])) { html in
                html.add(.time, .datetime(file.uploadedAt.rfc3339), text: words.instant(file.uploadedAt))
                html.text(" · ")
                html.add(.bdi, text: file.uploadedBy)
            }
            if mayRemove {
                html.add(.td, .class("rowactions")) { html in
                    html.add(
                        .a, .class("button danger"),
                        .href(HTMLLink("console", "crashes", "symbols", file.debugID, "delete")),
                        .aria(
                            "label",
                            words.text("Remove the symbols of %1", file.name.isEmpty ? file.debugID : file.name)),
                        text: words["Remove…"])
                }
            }
        }
    }
}
