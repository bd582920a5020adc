package import HTML
package import JSONWire
package import SubGuardContract
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
        /// The label of the text for a value that is none of its options; nil if it must be one of them.
        var other: Sentence?
        /// Whether a value that is none of its options can be typed.
        package var isOpen: Bool { other != nil }
        /// The name of a stored value for people, where it is not the value itself.
        var shown: (@Sendable (String, ConsoleWords) -> String)?
        /// Whether it takes the whole width.
        var isWide = false
        var placeholder: String?
        /// Whether one of its options says what an empty value means.
        var saysEmpty = false
        /// Its place in a sentence that some inputs are together; nil for one that stands alone.
        var part: SentencePart?

        init(
            _ name: String, _ label: Sentence, hint: Sentence? = nil, names: [String: Sentence] = [:],
            other: Sentence? = nil, shown: (@Sendable (String, ConsoleWords) -> String)? = nil,
            isWide: Bool = false, placeholder: String? = nil, saysEmpty: Bool = false, part: SentencePart? = nil
        ) {
            self.name = name
            self.label = label
            self.hint = hint
            self.names = names
            self.other = other
            self.shown = shown
            self.isWide = isWide
            self.placeholder = placeholder
            self.saysEmpty = saysEmpty
            self.part = part
        }

        /// A value for people.
        func text(_ value: String, _ words: ConsoleWords) -> String {
            names[value].map { words[$0] } ?? shown?(value, words) ?? value
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

    /// The form with the values that were typed because no option has them.
    package func resolved(_ form: FormFields) -> FormFields {
        OpenChoice.resolved(form, Set(fields.filter(\.isOpen).map(\.name)))
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
            }, colon: words.colon)
    }

    static func id(_ name: String) -> String { "f-\(name)" }
}

/// The inputs that the declared body of an operation needs: kinds, bounds, closed lists, what is required. They are
/// read from the JSON Schema of the contract, so a form never has rules of its own.
package struct FormDeclaration: Sendable {
    package enum Kind: Sendable, Hashable {
        case text(maximumLength: Int?)
        /// A text of several lines.
        case area(maximumLength: Int?)
        case link(maximumLength: Int?)
        /// Decimal digits of money, as a text.
        case amount
        case day
        /// An instant, entered as date and time in UTC.
        case instant
        case integer(minimum: String?, maximum: String?)
        case number(minimum: String?, maximum: String?)
        case boolean
        /// One word of a closed list.
        case choice([String])
        /// Several words of a closed list.
        case choices([String])
        /// A list of texts, or of numbers, one on each line.
        case lines(areNumbers: Bool)
        /// An object or a list of objects: its page writes and reads it itself.
        case other
    }

    package struct Input: Sendable {
        package let name: String
        package let kind: Kind
        package let isRequired: Bool
        /// Whether null clears the value.
        package let takesNull: Bool
        /// The value of an omitted member.
        package let fallback: JSONValue?
        /// Whether the form must not send it empty: it is required, or a change could not clear it.
        package let isNeeded: Bool
    }

    /// In declared order.
    package let inputs: [Input]
    /// Whether an omitted member keeps its value, as in a PATCH.
    package let isChange: Bool

    /// - Parameter variant: which of the objects, for an operation that takes one of several.
    package init(of operation: APIOperation, variant: Int = 0) {
        var components = WireComponents()
        let schema = operation.description.body?.contents.first?.schema(&components) ?? [:]
        self.init(schema, components, variant: variant, isChange: operation.method == .patch)
    }

    private init(_ schema: JSONObject, _ components: WireComponents, variant: Int, isChange: Bool) {
        let reader = SchemaReader(components)
        var body = reader.resolved(schema).schema
        if let objects = body["oneOf"]?.arrayValue?.compactMap(\.objectValue), objects.indices.contains(variant) {
            body = reader.resolved(objects[variant]).schema
        }
        let required = Set((body["required"]?.arrayValue ?? []).compactMap(\.stringValue))
        inputs = (body["properties"]?.objectValue?.members ?? []).map { member in
            let resolved = reader.resolved(member.value.objectValue ?? [:])
            let isRequired = required.contains(member.name)
            return Input(
                name: member.name, kind: reader.kind(resolved.schema, resolved.name), isRequired: isRequired,
                takesNull: resolved.takesNull, fallback: member.value.objectValue?["default"],
                isNeeded: isRequired || isChange && !resolved.takesNull)
        }
        self.isChange = isChange
    }

    package subscript(name: String) -> Input? { inputs.first { $0.name == name } }
}

/// Reads the kind of input from a JSON Schema.
private struct SchemaReader {
    private let components: [String: JSONObject]

    init(_ components: WireComponents) {
        self.components = Dictionary(components.schemas.map { ($0.name, $0.schema) }) { first, _ in first }
    }

    /// Follows references, and takes null out of a choice with it.
    func resolved(_ schema: JSONObject) -> (schema: JSONObject, name: String?, takesNull: Bool) {
        if let reference = schema["$ref"]?.stringValue?.split(separator: "/").last.map(String.init) {
            let inner = resolved(components[reference] ?? [:])
            return (inner.schema, inner.name ?? reference, inner.takesNull)
        }
        if let choices = schema["anyOf"]?.arrayValue?.compactMap(\.objectValue) {
            let rest = choices.filter { $0["type"] != "null" }
            if rest.count == 1, rest.count < choices.count {
                let inner = resolved(rest[0])
                return (inner.schema, inner.name, true)
            }
        }
        if let types = schema["type"]?.arrayValue, types.contains("null") {
            var plain = schema
            plain.set("type", types.first { $0 != "null" } ?? .null)
            return (plain, nil, true)
        }
        return (schema, nil, false)
    }

    /// Texts that may be longer get several lines.
    private static let lineLength = 300

    func kind(_ schema: JSONObject, _ name: String?) -> FormDeclaration.Kind {
        if let words = schema["enum"]?.arrayValue?.compactMap(\.stringValue) { return .choice(words) }
        switch schema["type"]?.stringValue {
        case "boolean": return .boolean
        case "integer": return .integer(minimum: bound(schema["minimum"]), maximum: bound(schema["maximum"]))
        case "number": return .number(minimum: bound(schema["minimum"]), maximum: bound(schema["maximum"]))
        case "string":
            let length = schema["maxLength"]?.integerValue.flatMap { Int(exactly: $0) }
            if name == "Amount" { return .amount }
            switch schema["format"]?.stringValue {
            case "date": return .day
            case "date-time": return .instant
            case "uri": return .link(maximumLength: length)
            default:
                let isLong = length.map { $0 > Self.lineLength } ?? false
                return isLong ? .area(maximumLength: length) : .text(maximumLength: length)
            }
        case "array":
            let element = resolved(schema["items"]?.objectValue ?? [:])
            switch kind(element.schema, element.name) {
            case .choice(let words): return .choices(words)
            case .integer, .number: return .lines(areNumbers: true)
            case .other, .choices, .lines, .boolean: return .other
            default: return .lines(areNumbers: false)
            }
        default: return .other
        }
    }

    /// Bounds of 64 bits say nothing to a person.
    private func bound(_ json: JSONValue?) -> String? {
        guard case .number(let text)? = json, text.utf8.count < 16 else { return nil }
        return text
    }
}
