extension HTMLWriter {
    // MARK: Sections

    /// A part of a page with a heading.
    ///
    /// - Parameters:
    ///   - id: of the section.
    ///   - headingID: of the heading, to which a table or a link may refer.
    ///   - isLabelled: whether the section is a landmark named by its heading, which needs a `headingID`.
    package mutating func section(
        _ title: String, style: StaticString = "section", id: String? = nil, headingID: String? = nil,
        isLabelled: Bool = false, content: (inout HTMLWriter) -> Void
    ) {
        let label = isLabelled ? headingID.map { HTMLAttribute.aria("labelledby", $0) } : nil
        add(.section, .class(style), id.map { .id($0) }, label) { html in
            html.add(.h2, headingID.map { .id($0) }, text: title)
            content(&html)
        }
    }

    /// The head of a page: its title, what it is about, and actions on the right.
    ///
    /// - Parameters:
    ///   - isName: whether the title is the name of something, which may be written from right to left.
    ///   - lead: below the title.
    package mutating func top(
        _ title: String, isName: Bool = false, lead: ((inout HTMLWriter) -> Void)? = nil,
        actions: ((inout HTMLWriter) -> Void)? = nil
    ) {
        add(.div, .class("top")) { html in
            html.add(.div) { html in
                html.add(.h1) { html in if isName { html.bdi(title) } else { html.text(title) } }
                lead?(&html)
            }
            if let actions { html.add(.div, .class("actions")) { actions(&$0) } }
        }
    }

    /// The same with one sentence below the title.
    package mutating func top(
        _ title: String, isName: Bool = false, lead: String, actions: ((inout HTMLWriter) -> Void)? = nil
    ) {
        top(title, isName: isName, lead: { $0.paragraph(lead) }, actions: actions)
    }

    /// What a list says without rows.
    ///
    /// - Parameter isInSection: whether a heading of a section stands above it.
    package mutating func empty(_ title: String, _ hint: String, isInSection: Bool = false) {
        add(.div, .class("empty")) { html in
            html.add(isInSection ? .h3 : .h2, text: title)
            html.paragraph(hint)
        }
    }

    /// A text that can be opened, such as a definition.
    package mutating func more(_ title: String, style: StaticString = "what", _ text: String) {
        add(.details, .class(style)) { html in
            html.add(.summary, text: title)
            html.paragraph(text)
        }
    }

    /// Rows with a name on the left and what is said about it on the right.
    package mutating func rows<Row>(
        _ rows: some Sequence<Row>, style: StaticString? = "waits", row content: (Row, inout HTMLWriter) -> Void
    ) {
        add(.ul, style.map { .class($0) }) { html in
            for row in rows { html.add(.li) { content(row, &$0) } }
        }
    }

    // MARK: Texts

    /// A text of other people, which may be written from right to left.
    package mutating func bdi(_ text: String) { add(.bdi, text: text) }

    package mutating func muted(_ text: String) { add(.span, .class("muted"), text: text) }

    /// A line below a value.
    package mutating func under(_ text: String, _ attribute: HTMLAttribute? = nil) {
        add(.span, .class("under"), attribute, text: text)
    }

    package mutating func paragraph(_ text: String) { add(.p, text: text) }

    package mutating func hint(_ text: String) { add(.p, .class("hint"), text: text) }

    /// A state as a word on a colour; the colour alone would say nothing to some.
    ///
    /// - Parameter isGood: nil if it is neither good nor bad.
    package mutating func rating(_ text: String, isGood: Bool? = nil) {
        let style: HTMLAttribute =
            switch isGood {
            case nil: .class("rating")
            case true?: .class("rating good")
            case false?: .class("rating bad")
            }
        add(.span, style, text: text)
    }

    package mutating func time(_ datetime: String, _ text: String) { add(.time, .datetime(datetime), text: text) }

    // MARK: Links

    package mutating func link(_ text: String, _ link: HTMLLink) { add(.a, .href(link), text: text) }

    /// A link with the name of something.
    package mutating func link(named name: String, _ link: HTMLLink) {
        add(.a, .href(link)) { $0.bdi(name) }
    }

    /// A link that looks like a button.
    ///
    /// - Parameters:
    ///   - style: further classes with `button`, as literals.
    ///   - label: for screen readers, where the text does not say what it concerns.
    package mutating func linkButton(
        _ text: String, _ link: HTMLLink, style: StaticString = "button", label: String? = nil,
        _ attribute: HTMLAttribute? = nil
    ) {
        add(.a, .class(style), attribute, .href(link), label.map { .aria("label", $0) }, text: text)
    }
}
