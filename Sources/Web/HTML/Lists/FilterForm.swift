/// A filter of a list, chosen in a form.
package struct FilterField {
    /// Whether it leaves something out.
    let isActive: Bool
    /// Whether what was typed was not accepted.
    let hasFault: Bool
    let content: (inout HTMLWriter) -> Void

    package init(isActive: Bool, hasFault: Bool = false, content: @escaping (inout HTMLWriter) -> Void) {
        self.isActive = isActive
        self.hasFault = hasFault
        self.content = content
    }

    /// A list to choose one value from.
    ///
    /// - Parameters:
    ///   - options: the first one is chosen without a choice, and leaves nothing out.
    ///   - isFilter: false for an order.
    package static func choice(
        _ name: String, _ label: String, _ options: [(value: String, text: String)], chosen: String?,
        isFilter: Bool = true
    ) -> FilterField {
        FilterField(isActive: isFilter && chosen != nil && chosen != options.first?.value) { html in
            html.choice(name, label, current: chosen, options)
        }
    }
}

/// The form with the filters of a list. On a narrow screen, all but the search are behind one button that says how many
/// apply.
package struct FilterForm {
    private let action: HTMLLink
    private let title: String
    private let submit: String
    private let isSearch: Bool
    private let results: String?
    private let hidden: [(name: String, value: String)]

    /// - Parameters:
    ///   - title: of the button on a narrow screen, such as `Filters`.
    ///   - submit: of the button that sends the form.
    ///   - results: the id of the list that a script replaces while a search is typed.
    ///   - hidden: what the form keeps of the address.
    package init(
        _ action: HTMLLink, title: String, submit: String, isSearch: Bool = true, results: String? = nil,
        hidden: [(name: String, value: String)] = []
    ) {
        self.action = action
        self.title = title
        self.submit = submit
        self.isSearch = isSearch
        self.results = results
        self.hidden = hidden
    }

    /// - Parameters:
    ///   - search: the field that is always visible.
    ///   - further: links after the button.
    package func write(
        _ fields: [FilterField?], to html: inout HTMLWriter, search: ((inout HTMLWriter) -> Void)? = nil,
        further: (inout HTMLWriter) -> Void = { _ in }
    ) {
        let fields = fields.compactMap(\.self)
        html.add(
            .form, .class("filters"), isSearch ? .role("search") : nil, .action(action),
            results.map { .data("search", $0) }
        ) { html in
            for (name, value) in hidden { html.hidden(name, value) }
            search?(&html)
            if !fields.isEmpty {
                html.add(.details, fields.contains(where: \.hasFault) ? .open : nil) { html in
                    html.add(.summary, .class("button")) { html in
                        html.text(title)
                        let count = fields.count(where: \.isActive)
                        guard count > 0 else { return }
                        html.text(" ")
                        html.add(.span, .class("tally"), text: "\(count)")
                    }
                    html.add(.div) { html in for field in fields { field.content(&html) } }
                }
            }
            html.add(.button, .type("submit"), text: submit)
            further(&html)
        }
    }
}
