package import Backend
import Foundation
import HTML
package import SubGuardDomain

/// One suggested name: similar items, approval as an item or as an alias, rejection with a reason, reopening.
package struct SuggestionPage: Sendable {
    /// An item that may be meant.
    package struct Candidate: Sendable {
        let item: CatalogueItem
        /// 0 to 100; nil for a result of a search of one's own.
        let score: Int?

        package init(item: CatalogueItem, score: Int?) {
            self.item = item
            self.score = score
        }
    }

    /// What was just done.
    package enum Notice: String, Sendable {
        case approved, rejected, reopened, undone

        var phrase: Sentence {
            switch self {
            case .approved: "Approved. Devices receive the change with their next synchronisation."
            case .rejected: "Rejected. The name does not return to the queue."
            case .reopened: "Back in the queue."
            case .undone: "Back in the queue; what the approval added to the catalogue is removed."
            }
        }
    }

    private let group: SuggestionGroup
    /// The item of an approved suggestion.
    private let item: CatalogueItem?
    private let isMixed: Bool
    private let nearest: [Candidate]
    private let search: String
    private let found: [Candidate]
    private let values: FormValues
    private let faults: FormFaults
    private let categories: [String]
    private let reasons: [String]
    private let reason: String
    private let mayOpenItems: Bool
    /// The query of the list, to go back to it.
    private let list: [(name: String, value: String)]
    private let idempotencyKey: String
    private let notice: Notice?

    package init(
        group: SuggestionGroup, item: CatalogueItem?, isMixed: Bool, nearest: [Candidate], search: String,
        found: [Candidate], values: FormValues, faults: FormFaults, categories: [String], reasons: [String],
        reason: String, mayOpenItems: Bool, list: [(name: String, value: String)], idempotencyKey: String,
        notice: Notice?
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
        self.mayOpenItems = mayOpenItems
        self.list = list
        self.idempotencyKey = idempotencyKey
        self.notice = notice
    }

    private func link(_ further: String...) -> HTMLLink {
        HTMLLink(path: ["console", "suggestions", group.id.lowercased] + further)
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.suggestions, title: group.name) { html in
            html.crumb(HTMLLink(path: ["console", "suggestions"], query: list), words["Back to the list"])
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1) { html in html.add(.bdi, text: group.name) }
                    html.add(
                        .p,
                        text: words.text(
                            group.count == 1
                                ? "%1, suggested once, on %4 (UTC)." : "%1, suggested %2 times from %3 to %4 (UTC).",
                            words.nameOfOne(group.status),
                            words.number(group.count),
                            words.day(group.firstSeenAt.day), words.day(group.lastSeenAt.day)))
                }
            }
            frame.writeQueryFaults(to: &html)
            if let notice { write(notice, words, to: &html) }
            if isMixed {
                html.add(
                    .p, .class("notice warn"),
                    text: words[
                        "A word of this name mixes alphabets whose letters look alike. Check it carefully "
                            + "before you approve it."])
            }
            CatalogueForms.approve.writeSummary(faults, words, to: &html)
            if group.status == .pending {
                writePending(frame, to: &html)
            } else {
                writeDecided(words, to: &html)
            }
        }
    }

    private func write(_ notice: Notice, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard [.approved, .rejected].contains(notice), group.status != .pending else {
            return FormNotice.done(words[notice.phrase], to: &html)
        }
        html.add(.div, .class("notice good"), .role("status"), .tabindex(-1), .data("focus")) { html in
            html.add(.p, text: words[notice.phrase])
            html.add(.form, .methodPost, .action(link("undo"))) { html in
                writeHidden("undo", to: &html)
                html.hidden("decided_at", group.decidedAt?.rfc3339 ?? "")
                html.add(.button, .type("submit"), text: words["Undo"])
            }
        }
    }

    private func writeHidden(_ suffix: String, to html: inout HTMLWriter) {
        html.hidden("idempotency_key", "\(idempotencyKey)-\(suffix)")
        for (name, value) in list { html.hidden("list_\(name)", value) }
    }

    // MARK: Decided

    private func writeDecided(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.section, .class("panel stack")) { html in
            if let item {
                html.add(.p, text: words["It became this item, or an alias of it:"])
                html.add(.p, .class("named")) { html in writeName(item, words, to: &html) }
            } else if let at = group.decidedAt {
                html.add(.p, text: words.text("Decided %1.", words.instant(at)))
            }
            html.add(.form, .methodPost, .action(link("reopen"))) { html in
                writeHidden("reopen", to: &html)
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), text: words["Reopen"])
                    html.add(
                        .span, .class("hint"),
                        text: words["Puts the name back into the queue. An item or alias that it became stays."])
                }
            }
        }
    }

    private func writeName(_ item: CatalogueItem, _ words: ConsoleWords, to html: inout HTMLWriter) {
        ItemMark(item).write(to: &html)
        html.add(.span, .class("titled")) { html in
            if mayOpenItems {
                html.add(.a, .href(HTMLLink("console", "catalogue", item.id.lowercased))) { html in
                    html.add(.bdi, text: item.name)
                }
            } else {
                html.add(.bdi, text: item.name)
            }
            html.add(
                .small, .class("muted"), text: "\(item.category) · \(words.money(item.typicalAmount))")
        }
    }

    // MARK: Pending

    private func writePending(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.add(.section, .class("stack"), .id("similar")) { html in
            html.add(.h2, text: words["Similar items"])
            if nearest.isEmpty {
                html.add(.p, .class("muted"), text: words["No item of the catalogue is similar."])
            } else {
                writeCandidates(nearest, words["Similar items"], words, to: &html)
            }
            frame.filters(link(), hidden: list.map { ("list_\($0.name)", $0.value) }, submit: "Search").write(
                [], to: &html,
                search: {
                    frame.searchField("item", "Search the catalogue for another item", value: search, to: &$0)
                })
            if !search.isEmpty {
                if found.isEmpty {
                    html.add(.p, .role("status"), text: words["No item matches"])
                } else {
                    writeCandidates(found, words["Search the catalogue for another item"], words, to: &html)
                }
            }
        }
        html.add(.section, .class("section"), .id("reject")) { html in
            html.add(.h2, text: words["Reject"])
            html.add(.form, .class("filters"), .methodPost, .action(link("reject"))) { html in
                writeHidden("reject", to: &html)
                html.reason(reason, known: reasons, words)
                html.add(.button, .type("submit"), .class("danger"), text: words["Reject"])
            }
        }
        html.add(.section, .class("section"), .id("approve")) { html in
            html.add(.h2, text: words["Approve as a new item"])
            html.add(.form, .class("form"), .methodPost, .action(link("approve")), .data("guard")) { html in
                writeHidden("approve", to: &html)
                CatalogueForms.approve.write(
                    values, faults, words, suggestions: CatalogueForms.suggestions(categories: categories), to: &html)
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), .class("primary"), text: words["Approve and add the item"])
                }
            }
        }
    }

    private func writeCandidates(
        _ candidates: [Candidate], _ caption: String, _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        let isScored = candidates.contains { $0.score != nil }
        html.add(.form, .methodPost, .action(link("merge"))) { html in
            writeHidden("merge", to: &html)
            html.table(
                .label(caption), caption: caption, unseen: true, of: candidates,
                [
                    .heading(words["Name"]) { candidate, html in
                        html.add(.span, .class("named")) { html in writeName(candidate.item, words, to: &html) }
                    },
                    .text(words["Aliases"], isLabelled: false, .class("names")) {
                        $0.item.aliases.prefix(5).joined(separator: ", ")
                    },
                    isScored ? .number(words["Score"]) { $0.score.map { "\($0)" } ?? "" } : nil,
                    .actions { candidate, html in
                        let item = candidate.item
                        html.add(
                            .button, .type("submit"), .name("merge_into"), .value(item.id.lowercased),
                            .aria("label", words.text("Add %1 as an alias of %2", group.name, item.name)),
                            text: words["Add as alias"])
                    },
                ])
        }
    }
}

/// A suggestion that was deleted while a person decided on it: what they typed.
package struct GoneSuggestionPage: Sendable {
    private let typed: FormValues
    /// The query of the list, to go back to it.
    private let list: [(name: String, value: String)]

    package init(typed: FormValues, list: [(name: String, value: String)]) {
        self.typed = typed
        self.list = list
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.suggestions, title: words["This suggestion is gone"]) { html in
            html.crumb(HTMLLink(path: ["console", "suggestions"], query: list), words["Back to the list"])
            html.add(.div, .class("top")) { html in html.add(.h1, text: words["This suggestion is gone"]) }
            html.add(
                .p, .class("notice warn"), .role("alert"), .tabindex(-1), .data("focus"),
                text: words["It was deleted meanwhile, and nothing was saved. This is what you typed:"])
            html.add(.dl, .class("facts")) { html in
                let fields =
                    CatalogueForms.approve.fields.map { ($0.name, $0.label) } + [
                        ("reason", "Reason for the audit log (optional)" as Sentence)
                    ]
                for (name, label) in fields where !typed[name].isEmpty {
                    html.add(.div) { html in
                        html.add(.dt, text: words[label])
                        html.add(.dd, .class("lines")) { html in html.add(.bdi, text: typed[name]) }
                    }
                }
            }
        }
    }
}
