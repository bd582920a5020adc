package import Catalogue
import Foundation
import HTML
import ServerContract
package import SubGuardDomain

/// One suggested name: similar items, approval as an item or as an alias, rejection with a reason, reopening.
package struct SuggestionPage: ConsolePage {
    /// An item that may be meant, with its similarity of 0 to 100; nil for a result of a search of one's own.
    package typealias Candidate = (item: CatalogueItem, score: Int?)

    /// What the address says was just done.
    private static let notices: [String: Sentence] = [
        "approved": "Approved. Devices receive the change with their next synchronisation.",
        "rejected": "Rejected. The name does not return to the queue.",
        "reopened": "Back in the queue.",
        "undone": "Back in the queue; what the approval added to the catalogue is removed.",
    ]

    let group: SuggestionGroup
    /// The item of an approved suggestion.
    private let item: CatalogueItem?
    private let isMixed: Bool
    let nearest: [Candidate]
    let search: String
    let found: [Candidate]
    private let values: FormValues
    private let faults: FormFaults
    private let categories: [String]
    private let reasons: [String]
    private let reason: String
    /// To go back to it.
    let list: ListAddress

    package init(
        group: SuggestionGroup, item: CatalogueItem?, isMixed: Bool, nearest: [Candidate], search: String,
        found: [Candidate], values: FormValues, faults: FormFaults, categories: [String], reasons: [String],
        reason: String, list: ListAddress
    ) {
        self.group = group
        self.item = item
        self.isMixed = isMixed
        self.nearest = nearest
        self.search = search
        self.found = found
        self.values = values
        self.faults = faults
        self.categories = categories
        self.reasons = reasons
        self.reason = reason
        self.list = list
    }

    func link(_ further: String...) -> HTMLLink {
        HTMLLink(path: ["console", "suggestions", group.id.lowercased] + further)
    }

    /// How often, and when.
    private var suggested: Sentence {
        if group.count == 1 { return "%1, suggested once, on %4 (UTC)." }
        return group.firstSeenAt.day == group.lastSeenAt.day
            ? "%1, suggested %2 times on %4 (UTC)." : "%1, suggested %2 times from %3 to %4 (UTC)."
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.suggestions, title: group.name) { html in
            html.crumb(list.here(), words["Back to the list"])
            html.top(
                group.name, isName: true,
                lead: words.text(
                    suggested, words.nameOfOne(group.status), words.number(group.count),
                    words.day(group.firstSeenAt.day), words.day(group.lastSeenAt.day)))
            frame.writeQueryFaults(to: &html)
            writeNotice(frame, to: &html)
            if isMixed {
                html.notice(
                    .warning, role: NoticeRole.none,
                    text: words[
                        "A word of this name mixes alphabets whose letters look alike. Check it carefully "
                            + "before you approve it."])
            }
            CatalogueForms.approve.writeSummary(faults, words, to: &html)
            if group.status == .pending {
                writeSimilar(frame, to: &html)
                writeDecisions(frame, to: &html)
            } else {
                writeDecided(frame, to: &html)
            }
        }
    }

    private func writeNotice(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let code = frame.noticed?.code ?? ""
        guard let sentence = Self.notices[code], ["approved", "rejected"].contains(code), group.status != .pending
        else { return frame.notice(Self.notices, to: &html) }
        html.done(frame.words[sentence]) { html in
            html.postButton(
                frame.words["Undo"], link("undo"),
                hidden("undo", frame) + [("decided_at", group.decidedAt?.rfc3339 ?? "")])
        }
    }

    func hidden(_ part: String, _ frame: ConsoleFrame) -> [NamedValue] {
        [frame.keyed(part)] + list.hidden
    }

    // MARK: Decided

    private func writeDecided(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.add(.section, .class("panel stack")) { html in
            if let item {
                html.paragraph(words["It became this item, or an alias of it:"])
                html.add(.p, .class("named")) { html in writeName(item, frame, to: &html) }
            } else if let at = group.decidedAt {
                html.paragraph(words.text("Decided %1.", words.instant(at)))
            }
            html.form(link("reopen"), hidden("reopen", frame)) { html in
                html.actions { html in
                    html.submit(words["Reopen"])
                    html.add(
                        .span, .class("hint"),
                        text: words["Puts the name back into the queue. An item or alias that it became stays."])
                }
            }
        }
    }

    private func writeDecisions(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.section(words["Reject"], id: "reject") { html in
            html.form(link("reject"), hidden("reject", frame), .class("filters")) { html in
                html.reason(reason, known: reasons, words)
                html.submit(words["Reject"], .class("danger"))
            }
        }
        html.section(words["Approve as a new item"], id: "approve") { html in
            html.form(link("approve"), hidden("approve", frame), .class("form"), .data("guard")) { html in
                CatalogueForms.approve.write(values, faults, categories: categories, words, to: &html)
                html.mainAction(words["Approve and add the item"])
            }
        }
    }
}

extension SimplePage {
    /// A suggestion that was deleted while a person decided on it: what they typed.
    ///
    /// - Parameter list: to go back to it.
    package static func goneSuggestion(typed: FormValues, list: ListAddress) -> SimplePage {
        SimplePage { frame, words in
            frame.page(.suggestions, title: words["This suggestion is gone"]) { html in
                html.crumb(list.here(), words["Back to the list"])
                html.top(words["This suggestion is gone"])
                html.notice(
                    .warning, role: .alert, hasFocus: true,
                    text: words["It was deleted meanwhile, and nothing was saved. This is what you typed:"])
                let fields =
                    CatalogueForms.approve.fields.map { ($0.name, $0.label) } + [
                        ("reason", "Reason for the audit log (optional)" as Sentence)
                    ]
                html.facts(
                    fields.filter { !typed[$0.0].isEmpty }.map { name, label in
                        Fact(words[label], .class("lines")) { $0.bdi(CatalogueForms.text(name, typed[name], words)) }
                    }, style: "facts")
            }
        }
    }

    /// Asks before suggestions are deleted, and says exactly which.
    package static func deletion(of groups: [SuggestionGroup], in list: ListAddress, reason: String) -> SimplePage {
        let ids = groups.map { (name: "ids", value: $0.id.lowercased) }
        return question(
            .suggestions, "Delete \(groups.count) suggestion?|Delete \(groups.count) suggestions?", "Delete for good",
            list.here(), list.hidden + ids + [("reason", reason), ("confirmed", "yes")], value: ("action", "delete"),
            back: list.here()
        ) { _, words, html in
            html.paragraph(
                words[
                    "This cannot be undone. The names return to the queue when devices suggest them "
                        + "again; reject a name to keep it out."])
            html.scope(groups.map { ($0.name, "\(words.nameOfOne($0.status)), \(words.number($0.count)) ×") })
        }
    }
}
