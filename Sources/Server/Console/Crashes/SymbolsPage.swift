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
            html.crumb(ConsoleSection.crashes.link, words["Crashes"])
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
        html.table(
            .label(words["Symbols"]), of: files,
            [
                .heading(words["Image"]) { file, html in
                    html.add(.bdi, text: file.name.isEmpty ? "–" : file.name)
                    guard let architecture = file.architecture else { return }
                    html.add(.span, .class("muted"), text: " \(architecture)")
                },
                .text(words["Debug id"]) { file, html in html.add(.code, text: file.debugID) },
                .number(words["Functions"]) { words.number($0.functionCount) },
                .text(words["Added"]) { file, html in
                    html.add(.time, .datetime(file.uploadedAt.rfc3339), text: words.instant(file.uploadedAt))
                    html.text(" · ")
                    html.add(.bdi, text: file.uploadedBy)
                },
                mayRemove
                    ? .actions { file, html in
                        let name = file.name.isEmpty ? file.debugID : file.name
                        html.add(
                            .a, .class("button danger"),
                            .href(HTMLLink("console", "crashes", "symbols", file.debugID, "delete")),
                            .aria("label", words.text("Remove the symbols of %1", name)), text: words["Remove…"])
                    } : nil,
            ])
    }
}
