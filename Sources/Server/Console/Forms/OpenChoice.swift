import HTML
import SubGuardDomain

/// One of known values by its name, or another one that is typed. The styles show the text for it only while the last
/// option is chosen.
package struct OpenChoice {
    /// The value of the option for what is typed. No word of the contract begins so.
    private static let another = "+"

    let name: String
    let id: String
    let value: String
    let options: [FormOption]
    /// The label of the text.
    let other: String
    /// The form that both belong to, if they stand outside of it.
    var form: HTMLAttribute?

    /// The name of the text.
    package static func typedName(_ name: String) -> String { "\(name)_other" }

    /// The fields of a form, with what was typed as the value of the fields of these names.
    static func resolved(_ form: FormFields, _ names: Set<String>) -> FormFields {
        let typed = Set(names.map(typedName))
        return FormFields(
            form.fields.compactMap { field in
                if typed.contains(field.name) { return nil }
                guard names.contains(field.name), field.value == another else { return field }
                return FormFields.Field(name: field.name, value: form[typedName(field.name)] ?? "")
            })
    }

    /// - Parameter attributes: those of the select.
    func write(
        _ words: ConsoleWords, _ attributes: HTMLAttribute?..., marks: FieldMarks? = nil, to html: inout HTMLWriter
    ) {
        let isKnown = options.contains { $0.value == value }
        let isOther = !isKnown && !value.isEmpty
        let none = value.isEmpty && !isKnown ? [FormOption(value: "", text: "–")] : []
        html.add(
            .select, attributes: [.id(id), .name(name), form, marks?.invalid, marks?.described] + attributes
        ) { html in
            for option in none + options + [FormOption(value: Self.another, text: words["Another…"])] {
                let isChosen = isOther ? option.value == Self.another : option.value == value
                html.add(.option, .value(option.value), isChosen ? .selected : nil, text: option.text)
            }
        }
        html.add(
            .input, .type("text"), .class("another"), .name(Self.typedName(name)), .value(isOther ? value : ""),
            .aria("label", other), .autocomplete("off"), .spellcheck(false), form,
            isOther ? marks?.invalid : nil, isOther ? marks?.described : nil)
    }
}
