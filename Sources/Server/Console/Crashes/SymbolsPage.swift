import HTML
import ServerContract
import SubGuardDomain
package import Telemetry

/// The images whose functions have names, and how to add more.
package struct SymbolsPage: ConsolePage {
    private let files: [SymbolFile]
    /// What was removed by the form before.
    private let removed: String?

    package init(_ files: [SymbolFile], removed: String? = nil) {
        self.files = files
        self.removed = removed
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .crashes, "Symbols",
            "The images whose functions have names. Crashes of other images show image and offset.",
            back: ("Crashes", ConsoleSection.crashes.link)
        ) { html in
            if let removed { html.done(words.text("The symbols of %1 are removed.", removed)) }
            frame.list(
                files, empty: "No symbols yet",
                "Crashes show image and offset until the symbols of the image are added.", to: &html
            ) { html in
                writeTable(words, mayRemove: frame.may(.deleteSymbols), to: &html)
            }
            html.section(words["Add symbols"]) { html in
                html.paragraph(
                    words[
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

    private func writeTable(_ words: ConsoleWords, mayRemove: Bool, to html: inout HTMLWriter) {
        html.table(
            .label(words["Symbols"]), of: files,
            [
                .heading(words["Image"]) { file, html in
                    html.bdi(file.name.isEmpty ? "–" : file.name)
                    if let architecture = file.architecture { html.muted(" \(architecture)") }
                },
                .text(words["Debug id"]) { file, html in html.add(.code, text: file.debugID) },
                .number(words["Functions"]) { words.number($0.functionCount) },
                .text(words["Added"]) { file, html in
                    html.instant(file.uploadedAt, words)
                    html.text(" · ")
                    html.bdi(file.uploadedBy)
                },
                mayRemove
                    ? .actions { file, html in
                        let name = file.name.isEmpty ? file.debugID : file.name
                        html.linkButton(
                            words["Remove…"], HTMLLink("console", "crashes", "symbols", file.debugID, "delete"),
                            style: "button danger", label: words.text("Remove the symbols of %1", name))
                    } : nil,
            ])
    }
}
