package import JSONWire
package import SubGuardContract

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
