package import HTML
package import JSONWire
import SubGuardDomain

/// A form for the body of an operation: the declared inputs in the order of a page, with labels.
///
///     static let rule = DeclaredForm(
///         FormDeclaration(of: .createAlertRule),
///         [.init("name", .name), .init("muted_until", .mutedUntil, hint: "In UTC.")])
///
/// A page writes it with `writeSummary` and `write` inside a form with hidden fields for the idempotency key and the
/// revision. The route sends `form.json(fields)` as the body of a call through `ConsoleRoutes.attempt`: done leads to a redirect, refused to the
/// page with `FormValues(fields)` and the faults, a lost race to ``LostRacePage``.
package struct DeclaredForm: Sendable {
    /// How a declared input is shown.
    package struct Field: Sendable {
        package let name: String
        let label: Sentence
        var hint: Sentence?
        /// Names of the words of a closed list, by word.
        var names: [String: Sentence] = [:]
        /// Whether it takes the whole width.
        var isWide = false
        var placeholder: String?

        init(
            _ name: String, _ label: Sentence, hint: Sentence? = nil, names: [String: Sentence] = [:],
            isWide: Bool = false,
            placeholder: String? = nil
        ) {
            self.name = name
            self.label = label
            self.hint = hint
            self.names = names
            self.isWide = isWide
            self.placeholder = placeholder
        }
    }

    package let declaration: FormDeclaration
    package let fields: [Field]

    /// Fields that the operation does not declare are left out; a test compares them.
    package init(_ declaration: FormDeclaration, _ fields: [Field]) {
        self.declaration = declaration
        self.fields = fields
    }

    /// The body for the API. Only fields of the form are in it.
    package func json(_ form: FormFields) -> JSONObject {
        JSONObject(
            fields.compactMap { field in
                guard let input = declaration[field.name],
                    let value = input.json(form, isChange: declaration.isChange)
                else { return nil }
                return (field.name, value)
            })
    }

    /// Whether both versions have the same values in the fields of the form.
    package func isEqual(_ left: FormValues, _ right: FormValues) -> Bool {
        fields.allSatisfy { isEqual($0.name, left, right) }
    }

    /// Whether a field has the same value, as the API would store it: without the white space around lines, and 5 is
    /// 5.00.
    func isEqual(_ name: String, _ left: FormValues, _ right: FormValues) -> Bool {
        let isAmount = declaration[name]?.kind == .amount
        func normalised(_ text: String) -> [String] {
            text.split(separator: "\n").map { line in
                let plain = FormDeclaration.Input.trimmed(line)
                guard isAmount else { return plain }
                var digits = FormDeclaration.Input.decimal(plain)
                if digits.contains(".") {
                    while digits.last == "0" { digits.removeLast() }
                    if digits.last == "." { digits.removeLast() }
                }
                return digits
            }.filter { !$0.isEmpty }
        }
        return normalised(left[name]) == normalised(right[name])
    }

    // MARK: HTML

    /// The inputs with their labels, hints and faults.
    ///
    /// - Parameter suggestions: texts offered for an input, by name.
    package func write(
        _ values: FormValues, _ faults: FormFaults, _ words: ConsoleWords, suggestions: [String: [String]] = [:],
        to html: inout HTMLWriter
    ) {
        html.add(.div, .class("fields")) { html in
            for field in fields {
                guard let input = declaration[field.name] else { continue }
                let writer = InputWriter(
                    field: field, input: input, values: values, faults: faults.of(field.name), words: words,
                    suggestions: suggestions[field.name] ?? [])
                writer.write(to: &html)
            }
        }
    }

    /// What was refused, with links to the fields; nothing without faults.
    package func writeSummary(_ faults: FormFaults, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !faults.isEmpty else { return }
        html.add(.div, .class("notice bad"), .role("alert"), .id("faults"), .tabindex(-1), .data("focus")) { html in
            html.add(.p, text: words["This was not accepted:"])
            if faults.faults.isEmpty {
                for refusal in faults.refusals { html.add(.p, text: words.sentence(refusal)) }
            }
            html.add(.ul) { html in
                for fault in faults.faults {
                    let text = words.sentence(fault)
                    html.add(.li) { html in
                        if let field = fields.first(where: { $0.name == FormFaults.name(fault) }) {
                            html.add(.a, .href(.fragment(Self.id(field.name))), text: words[field.label])
                            html.text(": ")
                        }
                        html.add(.span, text: text)
                    }
                }
            }
        }
    }

    static func id(_ name: String) -> String { "f-\(name)" }
}

/// Writes one input of a form.
private struct InputWriter {
    let field: DeclaredForm.Field
    let input: FormDeclaration.Input
    let values: FormValues
    let faults: [Fault]
    let words: ConsoleWords
    let suggestions: [String]

    private var id: String { DeclaredForm.id(field.name) }
    private var value: String { values[field.name] }

    private var invalid: HTMLAttribute? { faults.isEmpty ? nil : .aria("invalid", "true") }

    private var described: HTMLAttribute? {
        let ids = [field.hint == nil ? nil : "\(id)-hint", faults.isEmpty ? nil : "\(id)-fault"].compactMap(\.self)
        return ids.isEmpty ? nil : .aria("describedby", ids.joined(separator: " "))
    }

    private var required: HTMLAttribute? { input.isNeeded ? .required : nil }
    private var list: HTMLAttribute? { suggestions.isEmpty ? nil : .list("\(id)-list") }
    private var placeholder: HTMLAttribute? { field.placeholder.map { .placeholder($0) } }

    func write(to html: inout HTMLWriter) {
        switch input.kind {
        case .other: break
        case .boolean:
            html.add(.div, field.isWide ? .class("field whole") : .class("field")) { html in
                html.add(.label, .class("choice")) { html in
                    html.add(
                        .input, .type("checkbox"), .id(id), .name(field.name), .value("true"),
                        values.has("true", in: field.name) ? .checked : nil, invalid, described)
                    html.text(words[field.label])
                }
                writeNotes(to: &html)
            }
        case .choices(let choices):
            html.add(.fieldset, .class("field whole"), .id(id), invalid, described) { html in
                html.add(.legend, text: words[field.label])
                html.add(.div, .class("choices")) { html in
                    for choice in choices {
                        html.add(.label, .class("choice")) { html in
                            html.add(
                                .input, .type("checkbox"), .name(field.name), .value(choice),
                                values.has(choice, in: field.name) ? .checked : nil)
                            html.text(name(of: choice))
                        }
                    }
                }
                writeNotes(to: &html)
            }
        default:
            html.add(.div, field.isWide || isArea ? .class("field whole") : .class("field")) { html in
                html.add(.label, .for(id)) { html in
                    html.text(words[field.label])
                    if !input.isNeeded || isLines && !input.isRequired {
                        html.text(" ")
                        html.add(.span, .class("optional"), text: words["(optional)"])
                    }
                }
                writeInput(to: &html)
                writeNotes(to: &html)
            }
        }
    }

    private var isArea: Bool {
        switch input.kind {
        case .area, .lines: true
        default: false
        }
    }

    private var isLines: Bool {
        if case .lines = input.kind { true } else { false }
    }

    private func writeInput(to html: inout HTMLWriter) {
        switch input.kind {
        case .choice(let choices):
            html.add(.select, .id(id), .name(field.name), required, invalid, described) { html in
                if !input.isRequired || !choices.contains(value) {
                    html.add(.option, .value(""), value.isEmpty ? .selected : nil, text: "")
                }
                // A refused word stays visible.
                if !value.isEmpty, !choices.contains(value) {
                    html.add(.option, .value(value), .selected, text: value)
                }
                for choice in choices {
                    html.add(.option, .value(choice), choice == value ? .selected : nil, text: name(of: choice))
                }
            }
        case .area(let length):
            html.add(
                .textarea, .id(id), .name(field.name), .rows(4), length.map { .maxLength($0) }, required, invalid,
                described, placeholder, text: value)
        case .lines:
            let count = value.split(separator: "\n").count
            html.add(
                .textarea, .id(id), .name(field.name), .rows(min(max(count + 1, 3), 12)), invalid, described,
                placeholder, .spellcheck(false), text: value)
        case .link(let length):
            html.add(
                .input, .type("url"), .id(id), .name(field.name), .value(value), length.map { .maxLength($0) },
                required, invalid, described, placeholder, .spellcheck(false), .autocomplete("off"))
        case .amount:
            html.add(
                .input, .type("text"), .inputMode("decimal"), .id(id), .name(field.name), .value(value), required,
                invalid, described, placeholder, .autocomplete("off"))
        case .day:
            html.add(
                .input, .type("date"), .id(id), .name(field.name), .value(value), required, invalid, described)
        case .instant:
            html.add(
                .input, .type("datetime-local"), .id(id), .name(field.name), .value(String(value.prefix(16))),
                required, invalid, described)
        case .integer(let minimum, let maximum):
            html.add(
                .input, .type("number"), .id(id), .name(field.name), .value(value), minimum.map { .minimum($0) },
                maximum.map { .maximum($0) }, .step("1"), required, invalid, described, placeholder)
        case .number(let minimum, let maximum):
            html.add(
                .input, .type("number"), .id(id), .name(field.name), .value(value), minimum.map { .minimum($0) },
                maximum.map { .maximum($0) }, .step("any"), required, invalid, described, placeholder)
        default:
            html.add(
                .input, .type("text"), .id(id), .name(field.name), .value(value),
                maximumLength.map { .maxLength($0) }, required, invalid, described, placeholder, list,
                .autocomplete("off"))
            if !suggestions.isEmpty {
                html.add(.datalist, .id("\(id)-list")) { html in
                    for text in suggestions { html.add(.option, .value(text)) { _ in } }
                }
            }
        }
    }

    private var maximumLength: Int? {
        if case .text(let length) = input.kind { length } else { nil }
    }

    private func name(of choice: String) -> String { field.names[choice].map { words[$0] } ?? choice }

    private func writeNotes(to html: inout HTMLWriter) {
        for (index, fault) in faults.enumerated() {
            let text = words.sentence(fault)
            html.add(
                .p, .class("fault"), index == 0 ? .id("\(id)-fault") : nil, text: text)
        }
        if let hint = field.hint { html.add(.p, .class("hint"), .id("\(id)-hint"), text: words[hint]) }
    }
}
