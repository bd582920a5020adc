package import Foundation
import HTML
package import ServerAccess
import ServerContract
import SubGuardContract
package import SubGuardDomain

extension SimplePage {
    /// The page on which a new item is entered.
    ///
    /// - Parameter gone: the item that was being edited when it was deleted or merged.
    package static func newItem(
        _ values: FormValues, _ faults: FormFaults = FormFaults(), address: ListAddress, categories: [String],
        gone: UUID? = nil
    ) -> SimplePage {
        SimplePage { frame, words in
            frame.page(
                .catalogue, "New item", "Devices receive it with their next synchronisation.",
                back: ("Back to the list", address.link())
            ) { html in
                CatalogueForms.create.writeSummary(faults, words, to: &html)
                if let gone { html.crumb(address.link(to: gone), words["What became of the item"]) }
                html.form(
                    HTMLLink("console", "catalogue", "new"), [frame.keyed()] + address.hidden, .class("form"),
                    .data("guard")
                ) { html in
                    CatalogueForms.create.write(values, faults, categories: categories, words, to: &html)
                    html.mainAction(words["Add the item"])
                }
            }
        }
    }

    /// The question before an item is deleted.
    ///
    /// - Parameter hasChanged: whether the item was changed since the question was first shown.
    package static func deletion(
        of item: CatalogueItem, address: ListAddress, hasChanged: Bool = false
    ) -> SimplePage {
        question(
            .catalogue, "Delete \(item.name)?", "Delete \(item.name)",
            HTMLLink("console", "catalogue", item.id.lowercased, "delete"),
            [("revision", "\(item.revision)")] + address.hidden, isKeyed: false, back: address.link(to: item.id)
        ) { frame, words, html in
            html.paragraph(
                words[
                    "This item leaves the catalogue, and devices remove it with their next "
                        + "synchronisation. Subscriptions that people track stay. You can undo this, from the "
                        + "notice that follows or from the history."])
            if hasChanged { frame.changedMeanwhile(to: &html) }
            html.add(.p, .class("named")) { html in
                ItemMark(item).write(to: &html)
                html.add(.span, .class("titled")) { html in
                    html.bdi(item.name)
                    let facts = [item.slug, words.category(item.category), words.money(item.typicalAmount)]
                    html.add(.small, .class("muted"), text: facts.joined(separator: " · "))
                }
            }
        }
    }

    /// The question before a change is undone that takes more back than one field.
    ///
    /// - Parameter entry: the change before which the state is restored.
    package static func undo(
        of entry: AuditEntry, _ item: CatalogueItem, address: ListAddress
    ) -> SimplePage {
        SimplePage { frame, words in
            let title = words.text("Restore %1 as it was?", item.name)
            return frame.page(.catalogue, title: title) { html in
                html.crumb(address.link(to: item.id, fragment: "history"), words["History"])
                html.top(
                    title,
                    lead: words.text(
                        "As it was before the change of %1. Later changes of these fields are undone too.",
                        words.instant(entry.happenedAt)))
                html.add(.div, .class("panel stack")) { html in
                    if let before = FieldDiff.item(entry.change.before) {
                        FieldDiff(item: AdminCatalogueItem(item).jsonObject, becomes: before).writeItem(
                            words, to: &html)
                    }
                    html.add(.div, .class("actions")) { html in
                        UndoForm(id: item.id, revision: item.revision, address: address)
                            .write(entry.sequence, "Restore", frame, to: &html)
                        html.linkButton(words["Cancel"], address.link(to: item.id))
                    }
                }
            }
        }
    }

    /// An item that was deleted or merged: its history, from which it can be brought back.
    package static func goneItem(
        _ id: UUID, mergedInto primary: CatalogueItem?, address: ListAddress, history: ItemHistory, faults: FormFaults
    ) -> SimplePage {
        SimplePage { frame, words in
            let title = words[primary == nil ? "This item was deleted." : "This item was merged into another one."]
            return frame.page(.catalogue, title: title) { html in
                html.crumb(address.link(), words["Back to the list"])
                html.top(title) { html in
                    guard let primary else { return }
                    html.add(.p) { html in
                        html.link(words["Open the item it was merged into"], address.link(to: primary.id))
                        html.text(words.colon)
                        html.bdi(primary.name)
                    }
                }
                CatalogueForms.edit.writeSummary(faults, words, to: &html)
                let undo = frame.may(.updateCatalogueItem) ? UndoForm(id: id, revision: nil, address: address) : nil
                history.write(undo: undo, frame, to: &html)
            }
        }
    }
}
