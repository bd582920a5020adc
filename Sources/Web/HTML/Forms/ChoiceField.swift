extension HTMLWriter {
    /// A field with a list to choose one value from.
    package mutating func choice(
        _ name: String, _ label: String, current: String?,
        _ options: [(value: String, text: String)]
    ) {
        add(.div, .class("field")) { html in
            html.add(.label, .for(name), text: label)
            html.add(.select, .id(name), .name(name)) { html in
                for (value, text) in options {
                    html.add(.option, .value(value), value == current ? .selected : nil, text: text)
                }
            }
        }
    }
}
