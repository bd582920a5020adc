package import HTML
package import JSONWire
import SubGuardContract
package import SubGuardDomain

/// The texts in the inputs of a form: of a stored value, or as they were typed. Typed texts are kept as they are, so
/// that what was refused can be shown again.
package struct FormValues: Sendable, Hashable {
    /// By the name of the input; several for checkboxes.
    private var texts: [String: [String]]

    package init() { texts = [:] }

    /// What was typed.
    package init(_ form: FormFields) {
        texts = Dictionary(grouping: form.fields, by: \.name).mapValues { $0.map(\.value) }
    }

    /// The values of an object of the API.
    package init(_ object: JSONObject) {
        texts = Dictionary(object.members.map { ($0.name, Self.texts($0.value)) }) { first, _ in first }
    }

    /// The text of an input; lists have an element on each line.
    package subscript(name: String) -> String {
        get { (texts[name] ?? []).joined(separator: "\n") }
        set { texts[name] = [newValue] }
    }

    package func has(_ choice: String, in name: String) -> Bool { texts[name]?.contains(choice) ?? false }

    private static func texts(_ value: JSONValue) -> [String] {
        switch value {
        case .null, .object: []
        case .string(let text): [text]
        case .number(let text): [text]
        case .bool(let isTrue): isTrue ? ["true"] : []
        case .array(let elements): elements.flatMap(texts)
        }
    }
}

extension FormDeclaration.Input {
    /// Reads the input as a member of the body; nil leaves it out.
    ///
    /// What is not a number stays a text, so that the fault of the API names the field. An empty optional input is
    /// left out of a new object; in a change it clears the value, or is the empty text that the API refuses.
    func json(_ form: FormFields, isChange: Bool) -> JSONValue? {
        let given = form.values(name)
        switch kind {
        case .other: return nil
        case .boolean: return .bool(given.contains("true"))
        case .choices:
            return .array(given.filter { !$0.isEmpty }.map { .string($0) })
        case .lines(let areNumbers):
            let lines = given.flatMap { $0.split(separator: "\n") }.map(Self.trimmed).filter { !$0.isEmpty }
            if lines.isEmpty, !isChange, !isRequired { return nil }
            return .array(lines.map { areNumbers ? Self.number(Self.ungrouped($0)) : .string($0) })
        case .area, .text: return text(given.first ?? "", isChange) { .string($0) }
        case .link, .day, .choice: return text(Self.trimmed(given.first ?? ""), isChange) { .string($0) }
        case .amount:
            return text(Self.trimmed(given.first ?? ""), isChange) { .string(Self.decimal($0)) }
        case .instant: return text(Self.trimmed(given.first ?? ""), isChange) { .string(Self.instant($0)) }
        case .integer:
            return text(Self.trimmed(given.first ?? ""), isChange) { Self.number(Self.ungrouped($0)) }
        case .number:
            return text(Self.trimmed(given.first ?? ""), isChange) { Self.number(Self.decimal($0)) }
        }
    }

    private func text(_ text: String, _ isChange: Bool, _ value: (String) -> JSONValue) -> JSONValue? {
        guard Self.trimmed(text).isEmpty else { return value(text) }
        if isRequired { return .string("") }
        guard isChange else { return nil }
        return takesNull ? .null : .string("")
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        var rest = Substring(text)
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// A decimal comma becomes a point, blanks between groups of digits go. Anything else stays.
    static func decimal(_ text: String) -> String {
        let digits = text.filter { !$0.isWhitespace && $0 != "\u{202F}" }
        guard digits.contains(","), !digits.contains(".") else { return digits }
        return digits.filter { $0 == "," }.count == 1 ? digits.replacing(",", with: ".") : digits
    }

    /// Digits without separators between groups of three: 1,000 and 1 000 are 1000. Anything else stays.
    static func ungrouped(_ text: String) -> String {
        let groups = text.split(omittingEmptySubsequences: false) {
            [",", " ", "\u{A0}", "\u{202F}", "\u{2009}"].contains($0)
        }
        guard groups.count > 1, (1...3).contains(groups[0].count),
            groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return text }
        return groups.joined()
    }

    /// A JSON number if the text is one.
    private static func number(_ text: String) -> JSONValue {
        guard case .number(let number)? = try? JSONValue.parse(Array(text.utf8)) else { return .string(text) }
        return .number(number)
    }

    /// `datetime-local` has no zone; the label says that it is UTC.
    private static func instant(_ text: String) -> String {
        switch text.utf8.count {
        case 16: text + ":00Z"
        case 19: text + "Z"
        default: text
        }
    }
}

/// Why the API refused what a form sent.
package struct FormFaults: Sendable {
    package let faults: [Fault]
    /// The sentence about the whole, for a refusal without faults.
    package let sentence: Sentence
    /// The code of a refusal by the API.
    package let code: ProblemCode?

    package init(_ faults: [Fault] = [], detail sentence: Sentence = "", code: ProblemCode? = nil) {
        self.faults = faults
        self.sentence = sentence
        self.code = code
    }

    package var isEmpty: Bool { faults.isEmpty && sentence.pattern.isEmpty }

    /// The faults of a member and of what is inside it.
    package func of(_ name: String) -> [Fault] { faults.filter { Self.name($0) == name } }

    /// The member that a fault concerns: the first part of its pointer.
    static func name(_ fault: Fault) -> String {
        let pointer = fault.pointer
        guard pointer.hasPrefix("#/") else { return pointer }
        return String(pointer.dropFirst(2).prefix { $0 != "/" })
    }

    /// The number of the line with a fault, for lists.
    static func line(_ fault: Fault) -> Int? {
        let parts = fault.pointer.split(separator: "/")
        guard parts.count > 2, let number = Int(parts[2]) else { return nil }
        // Rows of a file have numbers, members of a list begin at 0.
        return parts[1] == "line" ? number : number + 1
    }
}

/// One reason why something was refused, to be said in the language of the page.
package enum Refusal: Sendable {
    /// A value is not accepted.
    case fault(Fault)
    /// The whole is not accepted.
    case problem(Sentence, ProblemCode? = nil)
}

extension FormFaults {
    /// The faults, or the sentence about the whole without any.
    package var refusals: [Refusal] { faults.isEmpty ? [.problem(sentence, code)] : faults.map { .fault($0) } }
}

extension ConsoleWords {
    /// A fault with the line that it concerns.
    func sentence(_ fault: Fault) -> String {
        let text = plain(fault)
        return FormFaults.line(fault).map { self["Line \($0): \(text)"] } ?? text
    }

    /// A fault without its line.
    func plain(_ fault: Fault) -> String { said(fault.sentence) ?? self[.fault(fault.code)] }

    func sentence(_ refusal: Refusal) -> String {
        switch refusal {
        case .fault(let fault): plain(fault)
        case .problem(let sentence, let code):
            said(sentence) ?? self[code.flatMap(Sentence.problem) ?? "It was not accepted."]
        }
    }
}
