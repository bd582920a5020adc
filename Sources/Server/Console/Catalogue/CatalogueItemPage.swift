import HTML
import ServerAccess
import ServerContract
package import SubGuardDomain

/// One item: its fields as a form, its logo and its history.
package struct CatalogueItemPage: ConsolePage {
    /// What the address says was just done.
    private static let notices: [String: Sentence] = [
        "saved": "Saved. Devices receive it with their next synchronisation.",
        "created": "The item was added.",
        "undone": "%1: the former state is restored.",
        "merged": "Merged. The old id leads to this item now.",
        "unmerged": "The merge is undone: all its items are back, with their aliases and suggestions.",
        "logo": "The logo is set.",
        "logo_removed": "The logo was removed. The history can bring it back.",
    ]

    private let item: CatalogueItem
    private let values: FormValues
    private let address: ListAddress
    private let history: ItemHistory
    private let categories: [String]
    private let faults: FormFaults
    private let logoFaults: FormFaults

    /// - Parameters:
    ///   - values: what the form shows: the item, or what was typed.
    ///   - faults: why the API refused the form or an undo.
    package init(
        item: CatalogueItem, values: FormValues, address: ListAddress, history: ItemHistory, categories: [String],
        faults: FormFaults = FormFaults(), logoFaults: FormFaults = FormFaults()
    ) {
        self.item = item
        self.values = values
        self.address = address
        self.history = history
        self.categories = categories
        self.faults = faults
        self.logoFaults = logoFaults
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let mayEdit = frame.may(.updateCatalogueItem)
        return frame.page(.catalogue, title: item.name) { html in
            html.crumb(address.link(), words["Back to the list"])
            writeTop(mayEdit, words, to: &html)
            writeNotice(frame, mayEdit, to: &html)
            html.add(.div, .class("split")) { html in
                html.add(.div) { html in
                    if mayEdit { writeForm(words, to: &html) } else { writeFields(words, to: &html) }
                }
                html.add(.aside, .class("panel stack"), .aria("label", words["Logo"])) { html in
                    ItemLogo(item: item, address: address, faults: logoFaults)
                        .write(mayEdit: mayEdit, words, to: &html)
                    html.facts(
                        [
                            Fact(words["Changed"], words.instant(item.updatedAt)),
                            Fact(words["Revision"], words.number(item.revision)),
                            Fact(words["Id"], item.id.lowercased),
                        ], style: "facts")
                }
            }
            history.write(
                undo: mayEdit ? UndoForm(id: item.id, revision: item.revision, address: address) : nil, frame, to: &html
            )
        }
    }

    /// A merge can be undone from here, and an undo done again, before anything else is done with the item.
    private func writeNotice(_ frame: ConsoleFrame, _ mayEdit: Bool, to html: inout HTMLWriter) {
        guard let code = frame.noticed?.code, let sentence = Self.notices[code] else { return }
        let text = frame.words.text(sentence, item.name)
        let again: (action: AuditAction, button: Sentence)? =
            code == "merged" ? (.catalogueMerge, "Undo") : code == "undone" ? (.catalogueUndo, "Redo") : nil
        // A merge may be followed by the change that sets the chosen values.
        let done = history.entries.prefix(2).first { $0.change.action == again?.action.rawValue }
        guard mayEdit, let again, let done, done.change.before != nil else { return html.done(text) }
        html.done(text) { html in
            UndoForm(id: item.id, revision: item.revision, address: address)
                .write(done.sequence, again.button, key: "again", frame, to: &html)
        }
    }

    private func writeTop(_ mayEdit: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("top")) { html in
            html.add(.div, .class("named")) { html in
                ItemMark(item).write(to: &html)
                html.add(.h1) { $0.bdi(item.name) }
            }
            guard mayEdit else { return }
            html.add(.div, .class("actions")) { html in
                html.linkButton(words["Merge with…"], address.link(to: item.id, "merge"))
                html.linkButton(words["Delete…"], address.link(to: item.id, "delete"), style: "button danger")
            }
        }
    }

    private func writeForm(_ words: ConsoleWords, to html: inout HTMLWriter) {
        CatalogueForms.edit.writeSummary(faults, words, to: &html)
        html.form(
            HTMLLink("console", "catalogue", item.id.lowercased), [("revision", "\(item.revision)")] + address.hidden,
            .class("form"), .data("guard")
        ) { html in
            CatalogueForms.edit.write(values, faults, categories: categories, words, to: &html)
            html.mainAction(words["Save"])
        }
    }

    private func writeFields(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.notice(.plain, role: NoticeRole.none, text: words["Your role may read the catalogue, not change it."])
        html.facts(
            CatalogueForms.edit.fields.map { field in
                let text = field.text(values[field.name], words)
                return Fact(words[field.label], .class("lines")) { $0.text(text.isEmpty ? words["(empty)"] : text) }
            }, style: "facts")
    }
}

/// The logo of an item, and the forms that change it.
struct ItemLogo {
    let item: CatalogueItem
    let address: ListAddress
    let faults: FormFaults

    func write(mayEdit: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.h2, text: words["Logo"])
        html.add(.div, .class("logobox")) { html in
            if let link = item.logoURL.flatMap({ HTMLLink(checking: $0) }) {
                html.add(
                    .img, .source(link), .alt(words.text("Logo of %1", item.name)), .width(pixels: 96),
                    .height(pixels: 96))
            } else {
                ItemMark(item).write(to: &html)
            }
        }
        if item.logoURL == nil { html.hint(words["No logo: these initials stand in its place."]) }
        guard mayEdit else { return }
        let hidden = [("revision", "\(item.revision)")] + address.hidden
        let link = HTMLLink("console", "catalogue", item.id.lowercased, "logo")
        html.form(
            link, hidden, .class("stack drop"), .id("logo"), .multipart,
            .data("drop", words["Drop an image here, or paste one."]), .data("preview", words["Preview"])
        ) { html in
            html.field(
                "f-logo", words["Image file"], faults: faults.isEmpty ? [] : faults.refusals.map(words.sentence),
                areAlerts: true,
                hint: words["PNG, JPEG or WebP, less than 500 kB, at most 1024 pixels a side."]
            ) { html, marks in
                html.add(
                    .input, .type("file"), .id("f-logo"), .name("logo"), .accept("image/png,image/jpeg,image/webp"),
                    .required, marks.invalid, marks.described)
            }
            html.actions { $0.submit(words["Upload"]) }
        }
        if item.logoURL != nil {
            html.postButton(
                words["Remove the logo"], HTMLLink("console", "catalogue", item.id.lowercased, "logo", "remove"),
                hidden, .class("danger"))
        }
    }
}
