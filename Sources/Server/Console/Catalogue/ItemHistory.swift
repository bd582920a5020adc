package import Foundation
import HTML
import JSONWire
package import ServerAccess
import SubGuardDomain

/// The changes of an item with their differences.
package struct ItemHistory: Sendable {
    private let id: UUID
    let entries: [AuditEntry]
    /// Whether there are older changes.
    private let hasMore: Bool
    private let isFirstPage: Bool
    private let address: ListAddress

    package init(
        of id: UUID, _ entries: [AuditEntry], hasMore: Bool, isFirstPage: Bool, address: ListAddress
    ) {
        self.id = id
        self.entries = entries
        self.hasMore = hasMore
        self.isFirstPage = isFirstPage
        self.address = address
    }

    /// - Parameter undo: nil for those who may change nothing.
    func write(undo: UndoForm?, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.section(words["History"], id: "history") { html in
            html.table(
                .label(words["History"]),
                caption: words["The changes of this item, newest first."] + " " + words["Days are in UTC."],
                of: entries,
                [
                    .heading(words["Change"]) { entry, html in html.text(words.catalogueAction(entry.change.action)) },
                    .instant("When", words) { $0.happenedAt },
                    .text(words["By"]) { entry, html in html.bdi(entry.shownActor?.name ?? "–") },
                    .text(words["Field"], isLabelled: false) { entry, html in
                        FieldDiff(ofItem: entry.change)?.writeItem(words, to: &html)
                    },
                    undo.map { undo in
                        .actions { entry, html in
                            let isNewest = isFirstPage && entry.sequence == entries.first?.sequence
                            undo.write(entry, isNewest: isNewest, frame, to: &html)
                        }
                    },
                ])
            let last = hasMore ? entries.last : nil
            Paging(
                first: isFirstPage ? nil : address.link(to: id, fragment: "history"),
                next: last.map { address.link(to: id, more: [("before", "\($0.sequence)")], fragment: "history") },
                label: "History", nextPhrase: "Older changes"
            ).write(words, to: &html)
        }
    }
}

/// The form that undoes a change of an item.
struct UndoForm {
    let id: UUID
    /// Nil for an item that is gone.
    let revision: Int64?
    let address: ListAddress

    var link: HTMLLink { HTMLLink("console", "catalogue", id.lowercased, "undo") }

    func hidden(_ sequence: Int64, _ key: NamedValue) -> [NamedValue] {
        [key, ("sequence", "\(sequence)")] + (revision.map { [("revision", "\($0)")] } ?? []) + address.hidden
    }

    /// The form of a button.
    ///
    /// - Parameters:
    ///   - label: what the button does, for screen readers.
    ///   - key: tells it apart from other forms of the page.
    func write(
        _ sequence: Int64, _ text: Sentence = "Undo", label: String? = nil, key: String? = nil, _ frame: ConsoleFrame,
        to html: inout HTMLWriter
    ) {
        html.postButton(
            frame.words[text], link, hidden(sequence, frame.keyed(key)), label.map { .aria("label", $0) })
    }

    /// The way to undo a change of the history: at once if it is the newest one and of one field, or brings back what
    /// is gone; otherwise by a page that says what becomes of the item.
    func write(_ entry: AuditEntry, isNewest: Bool, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let label = words.text("Undo change %1 and restore the item as it was before", "\(entry.sequence)")
        guard revision != nil else { return write(entry.sequence, label: label, frame, to: &html) }
        guard let diff = FieldDiff(ofItem: entry.change) else {
            return html.linkButton(words["Delete…"], address.link(to: id, "delete"), style: "button danger")
        }
        if isNewest, diff.changes.count == 1 { return write(entry.sequence, label: label, frame, to: &html) }
        html.linkButton(
            words["Undo…"], address.link(to: id, "undo", more: [("sequence", "\(entry.sequence)")]), label: label)
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
        write(
            words, label: { CatalogueForms.label($0, words) }, text: { CatalogueForms.text($0, $1, words) },
            images: ["logo_url"], to: &html)
    }
}
