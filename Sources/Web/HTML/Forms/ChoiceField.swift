extension HTMLWriter {
    /// A field with a list to choose one value from.
    ///
    /// - Parameter all: the text of the empty value, which stands first; nil for a list without it.
    package mutating func choice(
        _ name: String, _ label: String, current: String?, all: String? = nil,
        _ options: [(value: String, text: String)]
    ) {
        add(.div, .class("field")) { html in
            html.add(.label, .for(name), text: label)
            html.add(.select, .id(name), .name(name)) { html in
                if let all { html.add(.option, .value(""), text: all) }
                for (value, text) in options {
                    html.add(.option, .value(value), value == current ? .selected : nil, text: text)
                }
            }
        }
    }
}
