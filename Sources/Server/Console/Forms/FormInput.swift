import HTML
import SubGuardDomain

/// A value of an input of which one is chosen.
package struct FormOption: Sendable {
    let value: String
    let text: String
    var isDisabled = false
}

/// Writes one input of a form.
struct InputWriter {
    let field: DeclaredForm.Field
    let input: FormDeclaration.Input
    let values: FormValues
    let faults: [String]
    let words: ConsoleWords
    let suggestions: [String]
    let options: [FormOption]?

    private var id: String { DeclaredForm.id(field.name) }
    private var value: String { values[field.name] }
    private var hint: String? { field.hint.map { words[$0] } }
    private var marks: FieldMarks { HTMLWriter.marks(id, faults, hint) }
    private var required: HTMLAttribute? { input.isNeeded ? .required : nil }
    private var placeholder: HTMLAttribute? { field.placeholder.map { .placeholder($0) } }

    func write(to html: inout HTMLWriter) {
        switch input.kind {
        case .other: break
        case .boolean:
            html.add(.div, .class(style(isArea: false))) { html in
                writeCheckbox("true", words[field.label], .id(id), marks.invalid, marks.described, to: &html)
                html.fieldNotes(id, faults, hint)
            }
        case .choices(let choices):
            html.add(.fieldset, .class("field whole"), .id(id), marks.invalid, marks.described) { html in
                html.add(.legend, text: words[field.label])
                html.add(.div, .class("choices")) { html in
                    for choice in choices { writeCheckbox(choice, name(of: choice), to: &html) }
                }
                html.fieldNotes(id, faults, hint)
            }
        default:
            var (isArea, mayBeEmpty) = (false, !input.isNeeded && !field.saysEmpty)
            if case .area = input.kind { isArea = true }
            if case .lines = input.kind { (isArea, mayBeEmpty) = (true, mayBeEmpty || !input.isRequired) }
            html.field(
                id, words[field.label], optional: mayBeEmpty ? words["(optional)"] : nil, style: style(isArea: isArea),
                faults: faults, hint: hint
            ) { html, _ in writeInput(to: &html) }
        }
    }

    private func style(isArea: Bool) -> StaticString { field.isWide || isArea ? "field whole" : "field" }

    private func writeCheckbox(
        _ value: String, _ text: String, _ attributes: HTMLAttribute?..., to html: inout HTMLWriter
    ) {
        html.add(.label, .class("choice")) { html in
            let isChecked: HTMLAttribute? = values.has(value, in: field.name) ? .checked : nil
            html.add(
                .input,
                attributes: [.type("checkbox"), .name(field.name), .value(value), isChecked] + attributes)
            html.text(text)
        }
    }

    private func writeInput(to html: inout HTMLWriter) {
        if let options {
            guard let other = field.other else { return writeSelect(options, to: &html) }
            return OpenChoice(name: field.name, id: id, value: value, options: options, other: words[other])
                .write(words, required, marks: marks, to: &html)
        }
        switch input.kind {
        case .choice(let choices):
            let isKnown = choices.contains(value)
            // A refused word stays visible.
            let others = (isKnown && input.isRequired ? [] : [""]) + (isKnown || value.isEmpty ? [] : [value])
            writeSelect(
                others.map { FormOption(value: $0, text: $0) }
                    + choices.map { FormOption(value: $0, text: name(of: $0)) }, to: &html)
        case .area(let length):
            writeArea(rows: 4, length.map { .maxLength($0) }, required, to: &html)
        case .lines:
            let count = value.split(separator: "\n").count
            writeArea(rows: min(max(count + 1, 3), 12), .spellcheck(false), to: &html)
        case .link(let length):
            write(
                "url", length.map { .maxLength($0) }, placeholder, .spellcheck(false), .autocomplete("off"), to: &html)
        case .amount: write("text", .inputMode("decimal"), placeholder, .autocomplete("off"), to: &html)
        case .day: write("date", to: &html)
        case .instant: write("datetime-local", value: String(value.prefix(16)), to: &html)
        case .integer(let minimum, let maximum):
            write(
                "number", minimum.map { .minimum($0) }, maximum.map { .maximum($0) }, .step("1"), placeholder,
                to: &html)
        case .number(let minimum, let maximum):
            write(
                "number", minimum.map { .minimum($0) }, maximum.map { .maximum($0) }, .step("any"), placeholder,
                to: &html)
        default:
            var maximum: HTMLAttribute?
            if case .text(let length) = input.kind { maximum = length.map { .maxLength($0) } }
            let list: HTMLAttribute? = suggestions.isEmpty ? nil : .list("\(id)-list")
            write("text", maximum, placeholder, list, .autocomplete("off"), to: &html)
            html.datalist("\(id)-list", suggestions)
        }
    }

    private func write(
        _ type: StaticString, value: String? = nil, _ attributes: HTMLAttribute?..., to html: inout HTMLWriter
    ) {
        html.add(
            .input,
            attributes: [
                .type(type), .id(id), .name(field.name), .value(value ?? self.value), required, marks.invalid,
                marks.described,
            ] + attributes)
    }

    private func writeArea(rows: Int, _ attributes: HTMLAttribute?..., to html: inout HTMLWriter) {
        html.add(
            .textarea,
            attributes: [
                .id(id), .name(field.name), .rows(rows), marks.invalid, marks.described, placeholder,
            ] + attributes
        ) { $0.text(value) }
    }

    private func writeSelect(_ options: [FormOption], to html: inout HTMLWriter) {
        html.add(.select, .id(id), .name(field.name), required, marks.invalid, marks.described) { html in
            for option in options {
                html.add(
                    .option, .value(option.value), option.value == value ? .selected : nil,
                    option.isDisabled ? .disabled : nil, text: option.text)
            }
        }
    }

    private func name(of choice: String) -> String { field.names[choice].map { words[$0] } ?? choice }
}

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
