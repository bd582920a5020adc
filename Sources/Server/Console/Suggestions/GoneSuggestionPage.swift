package import HTML
import SubGuardDomain

extension SimplePage {
    /// A suggestion that was deleted while a person decided on it: what they typed.
    ///
    /// - Parameter list: the query of the list, to go back to it.
    package static func goneSuggestion(typed: FormValues, list: [NamedValue]) -> SimplePage {
        SimplePage { frame in
            let words = frame.words
            return frame.page(.suggestions, title: words["This suggestion is gone"]) { html in
                html.crumb(HTMLLink(path: ["console", "suggestions"], query: list), words["Back to the list"])
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
                        Fact(words[label], .class("lines")) { $0.bdi(typed[name]) }
                    }, style: "facts")
            }
        }
    }
}
