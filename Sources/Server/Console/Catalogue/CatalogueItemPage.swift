package import Backend
import Foundation
import HTML
import JSONWire
package import SubGuardDomain

/// One item: its fields as a form, its logo and its history.
package struct CatalogueItemPage: Sendable {
    /// What was just done.
    package enum Notice: String, Sendable {
        case saved, created, undone, merged, unmerged
        case logo
        case logoRemoved = "logo_removed"

        var phrase: Sentence {
            switch self {
            case .saved: "Saved. Devices receive it with their next synchronisation."
            case .created: "The item was added."
            case .undone: "%1: the former state is restored."
            case .merged: "Merged. The old id leads to this item now."
            case .unmerged: "The merge is undone: all its items are back, with their aliases and suggestions."
            case .logo: "The logo is set."
            case .logoRemoved: "The logo was removed. The history can bring it back."
            }
        }
    }

    /// A page of the history.
    package struct History: Sendable {
        let entries: [AuditEntry]
        /// Whether there are older changes.
        let hasMore: Bool
        let isFirstPage: Bool

        package init(entries: [AuditEntry], hasMore: Bool, isFirstPage: Bool) {
            self.entries = entries
            self.hasMore = hasMore
            self.isFirstPage = isFirstPage
        }
    }

    private let item: CatalogueItem
    private let values: FormValues
    private let address: CatalogueAddress
    private let history: History
    private let categories: [String]
    private let mayEdit: Bool
    private let idempotencyKey: String
    private let notice: Notice?
    private let faults: FormFaults
    private let logoFaults: FormFaults

    /// - Parameters:
    ///   - values: what the form shows: the item, or what was typed.
    ///   - faults: why the API refused the form or an undo.
    package init(
        item: CatalogueItem, values: FormValues, address: CatalogueAddress, history: History, categories: [String],
        mayEdit: Bool, idempotencyKey: String, notice: Notice? = nil, faults: FormFaults = FormFaults(),
        logoFaults: FormFaults = FormFaults()
    ) {
        self.item = item
        self.values = values
        self.address = address
        self.history = history
        self.categories = categories
        self.mayEdit = mayEdit
        self.idempotencyKey = idempotencyKey
        self.notice = notice
        self.faults = faults
        self.logoFaults = logoFaults
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.catalogue, title: item.name) { html in
            writeTop(words, to: &html)
            if let notice { write(notice, words, to: &html) }
            html.add(.div, .class("split")) { html in
                html.add(.div) { html in
                    if mayEdit { writeForm(words, to: &html) } else { writeFields(words, to: &html) }
                }
                html.add(.aside, .class("panel stack"), .aria("label", words["Logo"])) { html in
                    writeLogo(words, to: &html)
                    writeFacts(words, to: &html)
                }
            }
            let undo = mayEdit ? UndoForm(item.id, revision: item.revision, address, key: idempotencyKey) : nil
            ItemHistory(id: item.id, history: history, address: address, undo: undo).write(words, to: &html)
        }
    }

    /// A merge can be undone from here, and an undo done again, before anything else is done with the item.
    private func write(_ notice: Notice, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let (action, button): (AuditAction?, Sentence) =
            switch notice {
            case .merged: (.catalogueMerge, "Undo")
            case .undone: (.catalogueUndo, "Redo")
            default: (nil, "")
            }
        // A merge may be followed by the change that sets the chosen values.
        let done = history.entries.prefix(2).first { $0.change.action == action?.rawValue }
        let text = words.text(notice.phrase, item.name)
        guard mayEdit, let done, done.change.before != nil else {
            return FormNotice.done(text, to: &html)
        }
        html.add(.div, .class("notice good"), .role("status"), .tabindex(-1), .data("focus")) { html in
            html.add(.p, text: text)
            UndoForm(item.id, revision: item.revision, address, key: idempotencyKey + "-again")
                .write(done.sequence, button, words, to: &html)
        }
    }

    private func writeTop(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.crumb(address.link(), words["Back to the list"])
        html.add(.div, .class("top")) { html in
            html.add(.div, .class("named")) { html in
                ItemMark(item).write(to: &html)
                html.add(.h1) { html in html.add(.bdi, text: item.name) }
            }
            if mayEdit {
                html.add(.div, .class("actions")) { html in
                    html.add(
                        .a, .class("button"), .href(address.link(to: item.id, "merge")), text: words["Merge with…"])
                    html.add(
                        .a, .class("button danger"), .href(address.link(to: item.id, "delete")),
                        text: words["Delete"])
                }
            }
        }
    }

    // MARK: Fields

    private func writeForm(_ words: ConsoleWords, to html: inout HTMLWriter) {
        CatalogueForms.edit.writeSummary(faults, words, to: &html)
        html.add(
            .form, .class("form"), .methodPost, .action(HTMLLink("console", "catalogue", item.id.lowercased)),
            .data("guard")
        ) { html in
            html.hidden("revision", "\(item.revision)")
            address.writeHidden(to: &html)
            CatalogueForms.edit.write(
                values, faults, words, suggestions: CatalogueForms.suggestions(categories: categories), to: &html)
            html.add(.p, .class("actions")) { html in
                html.add(.button, .type("submit"), .class("primary"), text: words["Save"])
            }
        }
    }

    private func writeFields(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.p, .class("notice"), text: words["Your role may read the catalogue, not change it."])
        html.add(.dl, .class("facts")) { html in
            for field in CatalogueForms.edit.fields {
                let text = values[field.name]
                html.add(.div) { html in
                    html.add(.dt, text: words[field.label])
                    html.add(.dd, .class("lines"), text: text.isEmpty ? words["(empty)"] : text)
                }
            }
        }
    }

    private func writeFacts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.dl, .class("facts")) { html in
            for (name, value) in [
                ("Changed" as Sentence, words.instant(item.updatedAt)),
                ("Revision", words.number(item.revision)), ("Id", item.id.lowercased),
            ] {
                html.add(.div) { html in
                    html.add(.dt, text: words[name])
                    html.add(.dd, text: value)
                }
            }
        }
    }

    // MARK: Logo

    private func writeLogo(_ words: ConsoleWords, to html: inout HTMLWriter) {
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
        if item.logoURL == nil {
            html.add(.p, .class("hint"), text: words["No logo: these initials stand in its place."])
        }
        guard mayEdit else { return }
        let path = HTMLLink("console", "catalogue", item.id.lowercased, "logo")
        html.add(
            .form, .class("stack drop"), .id("logo"), .methodPost, .multipart, .action(path),
            .data("drop", words["Drop an image here, or paste one."]), .data("preview", words["Preview"])
        ) { html in
            writeHidden(to: &html)
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("f-logo"), text: words["Image file"])
                html.add(
                    .input, .type("file"), .id("f-logo"), .name("logo"), .accept("image/png,image/jpeg,image/webp"),
                    .required, logoFaults.isEmpty ? nil : .aria("invalid", "true"),
                    .aria("describedby", logoFaults.isEmpty ? "f-logo-hint" : "f-logo-hint f-logo-fault"))
                if !logoFaults.isEmpty {
                    html.add(.div, .class("fault"), .id("f-logo-fault"), .role("alert")) { html in
                        for refusal in logoFaults.refusals { html.add(.p, text: words.sentence(refusal)) }
                    }
                }
                html.add(
                    .p, .class("hint"), .id("f-logo-hint"),
                    text: words["PNG, JPEG or WebP, less than 500 kB, at most 1024 pixels a side."])
            }
            html.add(.p, .class("actions")) { html in
                html.add(.button, .type("submit"), text: words["Upload"])
            }
        }
        if item.logoURL != nil {
            html.add(
                .form, .methodPost, .action(HTMLLink("console", "catalogue", item.id.lowercased, "logo", "remove"))
            ) { html in
                writeHidden(to: &html)
                html.add(.button, .type("submit"), .class("danger"), text: words["Remove the logo"])
            }
        }
    }

    private func writeHidden(to html: inout HTMLWriter) {
        html.hidden("revision", "\(item.revision)")
        address.writeHidden(to: &html)
    }
}

/// The hidden fields of a form that undoes a change.
struct UndoForm {
    let id: UUID
    /// Nil for an item that is gone.
    let revision: Int64?
    let address: CatalogueAddress
    let key: String

    init(_ id: UUID, revision: Int64?, _ address: CatalogueAddress, key: String) {
        self.id = id
        self.revision = revision
        self.address = address
        self.key = key
    }

    /// The form of a button.
    ///
    /// - Parameter label: what the button does, for screen readers.
    func write(
        _ sequence: Int64, _ text: Sentence = "Undo", label: String? = nil,
        _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        html.add(.form, .methodPost, .action(HTMLLink("console", "catalogue", id.lowercased, "undo"))) { html in
            html.hidden("idempotency_key", key)
            html.hidden("sequence", "\(sequence)")
            if let revision { html.hidden("revision", "\(revision)") }
            address.writeHidden(to: &html)
            html.add(
                .button, .type("submit"), label.map { .aria("label", $0) },
                text: words[text])
        }
    }

    /// The way to undo a change of the history: at once if it is the newest one and of one field, or brings back what is
    /// gone; otherwise by a page that says what becomes of the item.
    func write(_ entry: AuditEntry, isNewest: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let label = words.text("Undo: restore the state before change %1", "\(entry.sequence)")
        guard revision != nil else { return write(entry.sequence, label: label, words, to: &html) }
        guard let diff = FieldDiff(ofItem: entry.change) else {
            return html.add(
                .a, .class("button danger"), .href(address.link(to: id, "delete")), text: words["Delete…"])
        }
        if isNewest, diff.rows.count == 1 { return write(entry.sequence, label: label, words, to: &html) }
        let link = HTMLLink(
            path: ["console", "catalogue", id.lowercased, "undo"],
            query: address.parameters + [("sequence", "\(entry.sequence)")])
        html.add(.a, .class("button"), .href(link), .aria("label", label), text: words["Undo…"])
    }
}

extension FieldDiff {
    /// What a change did to an item; nil if there was none before, or after: what a creation or a deletion says is that
    /// the item exists, or no longer does.
    init?(ofItem change: AuditChange) {
        guard let before = Self.item(change.before), let after = Self.item(change.after) else { return nil }
        self.init(item: before, becomes: after)
    }

    init(item before: JSONObject, becomes after: JSONObject) {
        self.init(
            before: before, after: after, ignoring: ["revision", "updated_at", "id", "merged_ids", "suggestion_ids"])
    }

    static func item(_ text: String?) -> JSONObject? {
        text.flatMap { (try? JSONValue.parse(Array($0.utf8)))?.objectValue }
    }

    func writeItem(_ words: ConsoleWords, to html: inout HTMLWriter) {
        write(words, label: { CatalogueForms.label($0, words) }, images: ["logo_url"], to: &html)
    }
}

/// The changes of an item with their differences.
struct ItemHistory {
    let id: UUID
    let history: CatalogueItemPage.History
    let address: CatalogueAddress
    let undo: UndoForm?

    func write(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.section, .class("section"), .id("history")) { html in
            html.add(.h2, text: words["History"])
            html.table(
                .label(words["History"]),
                caption: words["The changes of this item, newest first."] + " " + words["Days are in UTC."],
                of: history.entries,
                [
                    .heading(words["Change"]) { entry, html in
                        html.text(words.catalogueAction(entry.change.action))
                    },
                    .instant("When", words) { $0.happenedAt },
                    .text(words["By"]) { entry, html in html.add(.bdi, text: entry.shownActor?.name ?? "–") },
                    .text(words["Field"], isLabelled: false) { entry, html in
                        FieldDiff(ofItem: entry.change)?.writeItem(words, to: &html)
                    },
                    undo.map { undo in
                        .actions { entry, html in
                            let isNewest = history.isFirstPage && entry.sequence == history.entries.first?.sequence
                            undo.write(entry, isNewest: isNewest, words, to: &html)
                        }
                    },
                ])
            html.add(.p, .class("actions paging")) { html in
                if !history.isFirstPage {
                    html.add(
                        .a, .class("button"), .href(address.link(to: id, fragment: "history")),
                        text: words["First page"])
                }
                if history.hasMore, let last = history.entries.last {
                    html.add(
                        .a, .class("button"), .rel("next"),
                        .href(address.link(to: id, more: [("before", "\(last.sequence)")], fragment: "history")),
                        text: words["Older changes"])
                }
            }
        }
    }
}
