/// A parameter of an address, or a value that a form sends unseen.
package typealias NamedValue = (name: String, value: String)

extension [NamedValue] {
    /// Those that have a value.
    package static func given(_ values: [(name: String, value: String?)]) -> [NamedValue] {
        values.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Parameters of a list, as hidden fields of a form that leads back to it.
    package var ofList: [NamedValue] { map { ("list_\($0.name)", $0.value) } }
}

extension HTMLWriter {
    /// A form that changes something.
    ///
    /// - Parameter hidden: what it sends unseen, first.
    package mutating func form(
        _ action: HTMLLink, _ hidden: [NamedValue] = [], _ attributes: HTMLAttribute?...,
        content: (inout HTMLWriter) -> Void
    ) {
        add(.form, attributes: [.methodPost, .action(action)] + attributes) { html in
            for (name, value) in hidden { html.hidden(name, value) }
            content(&html)
        }
    }

    /// A form of one button.
    ///
    /// - Parameter attributes: of the button.
    package mutating func postButton(
        _ text: String, _ action: HTMLLink, _ hidden: [NamedValue] = [], _ attributes: HTMLAttribute?...
    ) {
        form(action, hidden) { html in
            html.add(.button, attributes: [.type("submit")] + attributes) { $0.text(text) }
        }
    }

    /// The button that sends the form around it.
    package mutating func submit(_ text: String, _ attributes: HTMLAttribute?...) {
        add(.button, attributes: [.type("submit")] + attributes) { $0.text(text) }
    }

    /// Buttons in a row, and what is said beside them.
    package mutating func actions(_ style: StaticString = "actions", content: (inout HTMLWriter) -> Void) {
        add(.p, .class(style), content: content)
    }

    /// The main button of a form, with what is said beside it.
    package mutating func mainAction(_ text: String, hint: String? = nil) {
        actions { html in
            html.submit(text, .class("primary"))
            if let hint { html.add(.span, .class("hint"), text: hint) }
        }
    }

    /// Values that an input offers while a person types.
    package mutating func datalist(_ id: String, _ values: [String]) {
        guard !values.isEmpty else { return }
        add(.datalist, .id(id)) { html in
            for value in values { html.add(.option, .value(value)) { _ in } }
        }
    }
}

/// The attributes of an input that refer to what stands below it.
package struct FieldMarks {
    /// Whether its value was not accepted.
    package let invalid: HTMLAttribute?
    /// Its hint and why it was not accepted.
    package let described: HTMLAttribute?
}

extension HTMLWriter {
    /// An input with its label, why it was not accepted, and a hint.
    ///
    /// - Parameters:
    ///   - id: of the input.
    ///   - optional: a word beside the label.
    ///   - areAlerts: whether a screen reader says the faults at once, as where no summary stands above.
    ///   - control: writes the input with this id and the attributes that it gets.
    package mutating func field(
        _ id: String, _ label: String, optional: String? = nil, style: StaticString = "field", faults: [String] = [],
        areAlerts: Bool = false, hint: String? = nil, control: (inout HTMLWriter, FieldMarks) -> Void
    ) {
        add(.div, .class(style)) { html in
            html.add(.label, .for(id)) { html in
                html.text(label)
                guard let optional else { return }
                html.text(" ")
                html.add(.span, .class("optional"), text: optional)
            }
            control(&html, Self.marks(id, faults, hint))
            html.fieldNotes(id, faults, areAlerts: areAlerts, hint)
        }
    }

    /// The attributes of an input with these notes.
    package static func marks(_ id: String, _ faults: [String], _ hint: String?) -> FieldMarks {
        let ids = (hint == nil ? [] : ["\(id)-hint"]) + (faults.isEmpty ? [] : ["\(id)-fault"])
        return FieldMarks(
            invalid: faults.isEmpty ? nil : .aria("invalid", "true"),
            described: ids.isEmpty ? nil : .aria("describedby", ids.joined(separator: " ")))
    }

    /// Why an input was not accepted, and its hint.
    package mutating func fieldNotes(_ id: String, _ faults: [String], areAlerts: Bool = false, _ hint: String?) {
        for (index, fault) in faults.enumerated() {
            add(
                .p, .class("fault"), index == 0 ? .id("\(id)-fault") : nil, areAlerts ? .role("alert") : nil,
                text: fault)
        }
        if let hint { add(.p, .class("hint"), .id("\(id)-hint"), text: hint) }
    }

    /// A field with a list to choose one value from.
    package mutating func choice(
        _ name: String, _ label: String, current: String?, _ options: [(value: String, text: String)],
        style: StaticString = "field", faults: [String] = [], areAlerts: Bool = false, hint: String? = nil
    ) {
        field(name, label, style: style, faults: faults, areAlerts: areAlerts, hint: hint) { html, marks in
            html.add(.select, .id(name), .name(name), marks.invalid, marks.described) { html in
                for (value, text) in options {
                    html.add(.option, .value(value), value == current ? .selected : nil, text: text)
                }
            }
        }
    }
}
