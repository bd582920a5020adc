extension HTMLWriter {
    /// The question before something that changes much, or cannot be undone.
    ///
    /// - Parameters:
    ///   - button: what is done; it looks dangerous.
    ///   - value: name and value of the button.
    ///   - cancel: the way back, on which nothing is done.
    ///   - content: what it does and to what.
    package mutating func confirmation(
        _ title: String, _ action: HTMLLink, _ hidden: [NamedValue] = [], button: String,
        value: NamedValue? = nil, cancel: (text: String, link: HTMLLink), content: (inout HTMLWriter) -> Void
    ) {
        add(.div, .class("confirm")) { html in
            html.add(.h1, text: title)
            content(&html)
            html.form(action, hidden) { html in
                html.actions { html in
                    html.submit(button, .class("danger"), value.map { .name($0.name) }, value.map { .value($0.value) })
                    html.linkButton(cancel.text, cancel.link)
                }
            }
        }
    }

    /// What a confirmation concerns: names, and what is said about each.
    package mutating func scope(_ rows: [(name: String, text: String)]) {
        self.rows(rows) { row, html in
            html.bdi(row.name)
            html.muted(row.text)
        }
    }
}
