package import Backend
import HTML
import SubGuardDomain

extension SimplePage {
    /// Asks before suggestions are deleted, and says exactly which.
    package static func deletion(
        of groups: [SuggestionGroup], query: SuggestionListQuery, cursor: String?, reason: String
    ) -> SimplePage {
        SimplePage { frame in
            let words = frame.words
            let title = words.count(Int64(groups.count), "Delete %1 suggestion?|Delete %1 suggestions?")
            let address = SuggestionsPage.address(query, status: query.status, cursor: cursor)
            let here = HTMLLink("console", "suggestions", query: address)
            let ids = groups.map { (name: "ids", value: $0.id.lowercased) }
            let hidden = SuggestionsPage.hidden(query, cursor: cursor, frame.keyed()) + ids
            return frame.page(.suggestions, title: title) { html in
                html.confirmation(
                    title, here, hidden + [("reason", reason), ("confirmed", "yes")], button: words["Delete for good"],
                    value: ("action", "delete"), cancel: (words["Cancel"], here)
                ) { html in
                    html.add(
                        .p,
                        text: words[
                            "This cannot be undone. The names return to the queue when devices suggest them "
                                + "again; reject a name to keep it out."])
                    html.scope(
                        groups.map { ($0.name, "\(words.nameOfOne($0.status)), \(words.number($0.count)) ×") })
                }
            }
        }
    }
}
