package import Backend
package import Foundation
import HTML
import ServerContract
import SubGuardContract
package import SubGuardDomain

/// The page on which a new item is entered.
package struct NewItemPage: Sendable {
    private let values: FormValues
    private let faults: FormFaults
    private let address: CatalogueAddress
    private let categories: [String]
    private let idempotencyKey: String
    /// The item that was being edited when it was deleted or merged.
    private let gone: UUID?

    package init(
        values: FormValues, faults: FormFaults = FormFaults(), address: CatalogueAddress, categories: [String],
        idempotencyKey: String, gone: UUID? = nil
    ) {
        self.values = values
        self.faults = faults
        self.address = address
        self.categories = categories
        self.idempotencyKey = idempotencyKey
        self.gone = gone
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.catalogue, title: words["New item"]) { html in
            html.crumb(address.link(), words["Back to the list"])
            frame.top("New item", "Devices receive it with their next synchronisation.", to: &html)
            CatalogueForms.create.writeSummary(faults, words, to: &html)
            if let gone {
                html.crumb(address.link(to: gone), words["What became of the item"])
            }
            html.add(
                .form, .class("form"), .methodPost, .action(HTMLLink("console", "catalogue", "new")), .data("guard")
            ) { html in
                html.hidden("idempotency_key", idempotencyKey)
                address.writeHidden(to: &html)
                CatalogueForms.create.write(
                    values, faults, words, suggestions: CatalogueForms.suggestions(categories: categories), to: &html)
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), .class("primary"), text: words["Add the item"])
                }
            }
        }
    }
}

/// The question before an item is deleted.
package struct DeleteItemPage: Sendable {
    private let item: CatalogueItem
    private let address: CatalogueAddress
    private let hasChanged: Bool

    /// - Parameter hasChanged: whether the item was changed since the question was first shown.
    package init(item: CatalogueItem, address: CatalogueAddress, hasChanged: Bool) {
        self.item = item
        self.address = address
        self.hasChanged = hasChanged
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title = words.text("Delete %1?", item.name)
        return frame.page(.catalogue, title: title) { html in
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: title)
                    html.add(
                        .p,
                        text: words[
                            "This item leaves the catalogue, and devices remove it with their next "
                                + "synchronisation. Subscriptions that people track stay. You can undo this, from the "
                                + "notice that follows or from the history."])
                }
            }
            if hasChanged {
                html.add(
                    .p, .class("notice warn"), .role("alert"),
                    text: words["The item was changed meanwhile. This is its present state; check it before you go on."]
                )
            }
            html.add(.p, .class("named")) { html in
                ItemMark(item).write(to: &html)
                html.add(.span, .class("titled")) { html in
                    html.add(.bdi, text: item.name)
                    html.add(
                        .small, .class("muted"),
                        text: "\(item.slug) · \(item.category) · \(words.money(item.typicalAmount))")
                }
            }
            html.add(
                .form, .class("section"), .methodPost,
                .action(HTMLLink("console", "catalogue", item.id.lowercased, "delete"))
            ) { html in
                html.hidden("revision", "\(item.revision)")
                address.writeHidden(to: &html)
                html.add(.p, .class("actions")) { html in
                    html.add(
                        .button, .type("submit"), .class("danger"), text: words.text("Delete %1", item.name))
                    html.add(.a, .class("button"), .href(address.link(to: item.id)), text: words["Cancel"])
                }
            }
        }
    }
}

/// The question before a change is undone that takes more back than one field.
package struct UndoItemPage: Sendable {
    private let item: CatalogueItem
    /// The change before which the state is restored.
    private let entry: AuditEntry
    private let address: CatalogueAddress
    private let idempotencyKey: String

    package init(item: CatalogueItem, entry: AuditEntry, address: CatalogueAddress, idempotencyKey: String) {
        self.item = item
        self.entry = entry
        self.address = address
        self.idempotencyKey = idempotencyKey
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title = words.text("Restore %1 as it was?", item.name)
        return frame.page(.catalogue, title: title) { html in
            html.crumb(address.link(to: item.id, fragment: "history"), words["History"])
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: title)
                    html.add(
                        .p,
                        text: words.text(
                            "As it was before the change of %1. Later changes of these fields are undone too.",
                            words.instant(entry.happenedAt)))
                }
            }
            html.add(.div, .class("panel stack")) { html in
                if let before = FieldDiff.item(entry.change.before) {
                    FieldDiff(item: AdminCatalogueItem(item).jsonObject, becomes: before).writeItem(words, to: &html)
                }
                html.add(.div, .class("actions")) { html in
                    UndoForm(item.id, revision: item.revision, address, key: idempotencyKey)
                        .write(entry.sequence, "Restore", words, to: &html)
                    html.add(.a, .class("button"), .href(address.link(to: item.id)), text: words["Cancel"])
                }
            }
        }
    }
}

/// An item that was deleted or merged: its history, from which it can be brought back.
package struct GoneItemPage: Sendable {
    private let id: UUID
    private let primary: CatalogueItem?
    private let address: CatalogueAddress
    private let history: CatalogueItemPage.History
    private let mayEdit: Bool
    private let idempotencyKey: String
    private let faults: FormFaults

    package init(
        id: UUID, primary: CatalogueItem?, address: CatalogueAddress, history: CatalogueItemPage.History,
        mayEdit: Bool, idempotencyKey: String, faults: FormFaults = FormFaults()
    ) {
        self.id = id
        self.primary = primary
        self.address = address
        self.history = history
        self.mayEdit = mayEdit
        self.idempotencyKey = idempotencyKey
        self.faults = faults
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title = words[primary == nil ? "This item was deleted." : "This item was merged into another one."]
        return frame.page(.catalogue, title: title) { html in
            html.crumb(address.link(), words["Back to the list"])
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: title)
                    if let primary {
                        html.add(.p) { html in
                            html.add(
                                .a, .href(address.link(to: primary.id)), text: words["Open the item it was merged into"]
                            )
                            html.text(": ")
                            html.add(.bdi, text: primary.name)
                        }
                    }
                }
            }
            CatalogueForms.edit.writeSummary(faults, words, to: &html)
            ItemHistory(
                id: id, history: history, address: address,
                undo: mayEdit ? UndoForm(id, revision: nil, address, key: idempotencyKey) : nil
            ).write(words, to: &html)
        }
    }
}
