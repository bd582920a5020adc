/// A list whose rows can be selected, with what can be done to the selected ones.
package struct BulkForm {
    private let action: HTMLLink
    private let hidden: [NamedValue]
    private let legend: String
    private let selected: (one: String, many: String)

    /// - Parameters:
    ///   - legend: what the selected rows are called, such as `With the selected items`.
    ///   - selected: how many are selected, with `%1` for the number.
    package init(_ action: HTMLLink, _ hidden: [NamedValue], legend: String, selected: (one: String, many: String)) {
        self.action = action
        self.hidden = hidden
        self.legend = legend
        self.selected = selected
    }

    /// - Parameters:
    ///   - list: the rows, each with a check box.
    ///   - fields: what a decision needs, before the buttons.
    ///   - buttons: the decisions.
    package func write(
        to html: inout HTMLWriter, list: (inout HTMLWriter) -> Void, fields: (inout HTMLWriter) -> Void = { _ in },
        buttons: (inout HTMLWriter) -> Void
    ) {
        html.form(action, hidden, .data("bulk")) { html in
            // Enter in a field presses the first button of a form that is not disabled: one that decides nothing.
            html.add(.button, .type("submit"), .hidden) { _ in }
            list(&html)
            html.add(.fieldset, .class("bulk")) { html in
                html.add(.legend) { html in
                    html.text(legend)
                    html.add(
                        .output, .data("selected-one", selected.one), .data("selected-many", selected.many)
                    ) { _ in }
                }
                fields(&html)
                html.add(.div, .class("actions")) { buttons(&$0) }
            }
        }
    }
}
