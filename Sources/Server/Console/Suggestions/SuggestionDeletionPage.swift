package import Backend
import HTML
import SubGuardDomain

/// Asks before suggestions are deleted, and says exactly which.
package struct SuggestionDeletionPage: Sendable {
    private let groups: [SuggestionGroup]
    private let query: SuggestionListQuery
    private let cursor: String?
    private let reason: String
    private let idempotencyKey: String

    package init(
        _ groups: [SuggestionGroup], query: SuggestionListQuery, cursor: String?, reason: String,
        idempotencyKey: String
    ) {
        self.groups = groups
        self.query = query
        self.cursor = cursor
        self.reason = reason
        self.idempotencyKey = idempotencyKey
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title = words.count(Int64(groups.count), "Delete %1 suggestion?|Delete %1 suggestions?")
        let here = HTMLLink(
            "console", "suggestions",
            query: SuggestionsPage.address(query, status: query.status, cursor: cursor))
        return frame.page(.suggestions, title: title) { html in
            html.add(.div, .class("confirm")) { html in
                html.add(.h1, text: title)
                html.add(
                    .p,
                    text: words[
                        "This cannot be undone. The names return to the queue when devices suggest them "
                            + "again; reject a name to keep it out."])
                html.add(.ul, .class("waits")) { html in
                    for group in groups {
                        html.add(.li) { html in
                            html.add(.bdi, text: group.name)
                            html.add(
                                .span, .class("muted"),
                                text: "\(words.nameOfOne(group.status)), \(words.number(group.count)) ×")
                        }
                    }
                }
                html.add(.form, .methodPost, .action(here)) { html in
                    SuggestionsPage.writeHidden(query, cursor: cursor, key: idempotencyKey, to: &html)
                    for group in groups {
                        html.hidden("ids", group.id.lowercased)
                    }
                    html.hidden("reason", reason)
                    html.hidden("confirmed", "yes")
                    html.add(.p, .class("actions")) { html in
                        html.add(
                            .button, .type("submit"), .class("danger"), .name("action"), .value("delete"),
                            text: words["Delete for good"])
                        html.add(.a, .class("button"), .href(here), text: words["Cancel"])
                    }
                }
            }
        }
    }
}
