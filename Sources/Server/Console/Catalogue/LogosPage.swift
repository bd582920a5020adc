package import Foundation
import HTML
package import SubGuardDomain

/// Many logos at once: each file is named after the slug of its item.
package struct LogosPage: ConsolePage {
    /// What became of one file.
    package enum Outcome: Sendable {
        case set
        /// No item has the slug.
        case noItem
        /// The sentence of the API, in English.
        case refused(Refusal)
    }

    /// What is kept of one file until the page that says it.
    package struct Result: Sendable {
        package let fileName: String
        /// The item that the file is named after; nil if there is none.
        package let item: (id: UUID, name: String)?
        package let outcome: Outcome

        private static let maximumFileName = 200

        package init(fileName: String, item: (id: UUID, name: String)?, outcome: Outcome) {
            self.fileName = String(String.UnicodeScalarView(fileName.unicodeScalars.prefix(Self.maximumFileName)))
            self.item = item
            self.outcome = outcome
        }
    }

    private let results: [Result]
    /// The items of the results that still exist.
    private let items: [UUID: CatalogueItem]
    private let withoutLogo: Int
    private let isEmpty: Bool

    /// - Parameter isEmpty: whether a form without files was sent.
    package init(
        results: [Result] = [], items: [UUID: CatalogueItem] = [:], withoutLogo: Int, isEmpty: Bool = false
    ) {
        self.results = results
        self.items = items
        self.withoutLogo = withoutLogo
        self.isEmpty = isEmpty
    }

    /// The part of a file name before its last full stop, in lower case.
    package static func slug(ofFile name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last.lowercased() }
        return last[..<dot].lowercased()
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .catalogue, "Logos",
            "Upload many logos at once: netflix.png becomes the logo of the item with the slug netflix.",
            back: ("Back to the list", ConsoleSection.catalogue.link)
        ) { html in
            if isEmpty {
                html.add(
                    .p, .class("notice bad"), .role("alert"), .id("faults"), text: words["Choose image files first."])
            }
            if !results.isEmpty { writeResults(words, to: &html) }
            html.form(
                HTMLLink("console", "catalogue", "logos"), [], .class("form drop section"), .multipart,
                .data("drop", words["Drop images here, or paste them."]), .data("preview", words["Preview"])
            ) { html in
                html.field(
                    "f-logos", words["Image files"],
                    hint: words[
                        "PNG, JPEG or WebP, each less than 500 kB and at most 1024 pixels a side; 32 MiB "
                            + "together. A logo that is there is replaced; the history of the item can bring it "
                            + "back."]
                ) { html, marks in
                    html.add(
                        .input, .type("file"), .id("f-logos"), .name("logos"), .multiple, .required,
                        .accept("image/png,image/jpeg,image/webp"), marks.described)
                }
                html.actions { html in
                    html.submit(words["Upload"], .class("primary"))
                    html.link(
                        words.count(Int64(withoutLogo), "%1 item without a logo|%1 items without a logo"),
                        HTMLLink("console", "catalogue", query: [("has_logo", "false")]))
                }
            }
        }
    }

    private func writeResults(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let done = results.count { if case .set = $0.outcome { true } else { false } }
        html.notice(
            done == results.count ? .good : .warning, hasFocus: true,
            text: words.text("%1 of %2 logos set.", words.number(Int64(done)), words.number(Int64(results.count))))
        html.table(
            .label(words["Logos"]), caption: words["Logos"], unseen: true, of: results,
            [
                .heading(words["File"]) { result, html in html.bdi(result.fileName) },
                .text(words["Name"], isLabelled: false) { result, html in
                    guard let item = result.item else { return html.text("–") }
                    html.add(.span, .class("named")) { html in
                        if let found = items[item.id] { ItemMark(found).write(to: &html) }
                        html.link(named: item.name, HTMLLink("console", "catalogue", item.id.lowercased))
                    }
                },
                .text(words["Result"], isLabelled: false) { result, html in
                    switch result.outcome {
                    case .set: html.text(words["logo set"])
                    case .noItem:
                        html.add(
                            .span, .class("fault"),
                            text: words.text("No item has the slug %1.", Self.slug(ofFile: result.fileName)))
                    case .refused(let refusal):
                        html.add(.span, .class("fault"), text: words.sentence(refusal))
                    }
                },
            ])
    }
}
