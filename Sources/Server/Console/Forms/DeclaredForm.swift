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
/// revision. The route sends `form.json(fields)` as the body of a call through `ConsoleRoutes.submit`: done leads to a
/// redirect, refused to the page with `FormValues(fields)` and the faults, a lost race to ``LostRacePage``.
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
        /// Whether one of its options says what an empty value means.
        var saysEmpty = false
        /// Its place in a sentence that some inputs are together; nil for one that stands alone.
        var part: SentencePart?

        init(
            _ name: String, _ label: Sentence, hint: Sentence? = nil, names: [String: Sentence] = [:],
            isWide: Bool = false, placeholder: String? = nil, saysEmpty: Bool = false, part: SentencePart? = nil
        ) {
            self.name = name
            self.label = label
            self.hint = hint
            self.names = names
            self.isWide = isWide
            self.placeholder = placeholder
            self.saysEmpty = saysEmpty
            self.part = part
        }
    }

    /// What stands around an input that is a part of a sentence.
    package struct SentencePart: Sendable {
        /// The words before it.
        var before: Sentence?
        /// The units after it, of which the styles show the one that applies.
        var units: [(style: StaticString, text: String)] = []
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
    /// - Parameters:
    ///   - suggestions: texts offered for an input, by name.
    ///   - options: the values of an input of which one is chosen, by name, where only the page knows them.
    package func write(
        _ values: FormValues, _ faults: FormFaults, _ words: ConsoleWords, suggestions: [String: [String]] = [:],
        options: [String: [FormOption]] = [:], to html: inout HTMLWriter
    ) {
        func write(_ field: Field, to html: inout HTMLWriter) {
            guard let input = declaration[field.name] else { return }
            let writer = InputWriter(
                field: field, input: input, values: values, faults: faults.of(field.name).map(words.sentence),
                words: words, suggestions: suggestions[field.name] ?? [], options: options[field.name])
            writer.write(to: &html)
        }
        html.add(.div, .class("fields")) { html in
            var rest = fields[...]
            while let field = rest.first {
                let together = rest.prefix { $0.part != nil }
                rest = rest.dropFirst(max(together.count, 1))
                guard !together.isEmpty else {
                    write(field, to: &html)
                    continue
                }
                html.add(.div, .class("whole sentence")) { html in
                    for field in together {
                        if let before = field.part?.before { html.add(.span, text: words[before]) }
                        write(field, to: &html)
                        for unit in field.part?.units ?? [] { html.add(.span, .class(unit.style), text: unit.text) }
                    }
                }
            }
        }
    }

    /// What was refused, with links to the fields; nothing without faults.
    package func writeSummary(_ faults: FormFaults, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !faults.isEmpty else { return }
        html.refusal(
            words["This was not accepted:"], id: "faults",
            sentences: faults.faults.isEmpty ? faults.refusals.map(words.sentence) : [],
            faults: faults.faults.map { fault in
                let field = fields.first { $0.name == FormFaults.name(fault) }
                return (field.map { (words[$0.label], Self.id($0.name)) }, words.sentence(fault))
            })
    }

    static func id(_ name: String) -> String { "f-\(name)" }
}
