/// A name with its value, in a list of facts.
package struct Fact {
    private let name: String
    private let attribute: HTMLAttribute?
    private let content: (inout HTMLWriter) -> Void

    /// - Parameter attribute: of the value, such as a class.
    package init(
        _ name: String, _ attribute: HTMLAttribute? = nil, content: @escaping (inout HTMLWriter) -> Void
    ) {
        self.name = name
        self.attribute = attribute
        self.content = content
    }

    /// Nil without a text, or with an empty one.
    package init?(_ name: String, _ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        self.init(name) { $0.text(text) }
    }

    fileprivate func write(to html: inout HTMLWriter) {
        html.add(.div) { html in
            html.add(.dt, text: name)
            html.add(.dd, attribute) { content(&$0) }
        }
    }
}

extension HTMLWriter {
    /// Names with their values.
    ///
    /// - Parameters:
    ///   - facts: nil is left out.
    ///   - style: the classes of the list.
    package mutating func facts(_ facts: [Fact?], style: StaticString = "panel sheet") {
        add(.dl, .class(style)) { html in for case let fact? in facts { fact.write(to: &html) } }
    }
}
