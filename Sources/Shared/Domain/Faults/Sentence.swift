/// An English sentence whose values are kept apart, so that other languages can say it with the same values.
///
/// Written as a string literal: the pattern of `"Must have \(1) to \(120) characters."` is `Must have %1 to %2
/// characters.`, its values are 1 and 120. Never put words to be translated into a value.
///
/// A sentence with a singular and a plural holds both, separated by a bar and with the same values: `"\(count)
/// item|\(count) items"`. The first value, a number, decides.
public struct Sentence: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// A value in a sentence.
    public enum Value: Sendable, Hashable {
        /// A whole number; as the first value, it decides between singular and plural.
        case number(Int64)
        /// A name or word that is the same in every language.
        case text(String)
    }

    /// The sentence with `%1`, `%2` and so on in the places of the values. A translation is found by it.
    public private(set) var pattern: String
    /// The values of `%1`, `%2` and so on, in this order.
    public private(set) var values: [Value]

    /// Takes pattern and values as they are; a string literal with interpolations makes both.
    public init(pattern: String, values: [Value] = []) {
        self.pattern = pattern
        self.values = values
    }

    /// A sentence without values.
    public init(stringLiteral text: String) { self.init(pattern: text) }

    /// The sentence of a string literal with values: `"At most \(limit) reminders."`.
    public init(stringInterpolation parts: Interpolation) { self = parts.sentence }

    /// Collects the pattern and the values of a literal.
    public struct Interpolation: StringInterpolationProtocol, Sendable {
        fileprivate var sentence = Sentence(pattern: "")
        /// In the plural, the number of the value that it should name next.
        private var repeated: Int?

        /// Begins an empty sentence; the compiler calls this for a string literal.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sentence.pattern.reserveCapacity(literalCapacity + 2 * interpolationCount)
            sentence.values.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ text: String) {
            sentence.pattern += text
            if text.contains("|") { repeated = 0 }
        }

        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            append(.number(Int64(clamping: number)))
        }

        public mutating func appendInterpolation(_ text: String) { append(.text(text)) }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.text(value.description))
        }

        private mutating func append(_ value: Value) {
            if let index = repeated, index < sentence.values.count, sentence.values[index] == value {
                repeated = index + 1
                sentence.pattern += "%\(index + 1)"
                return
            }
            repeated = nil
            sentence.values.append(value)
            sentence.pattern += "%\(sentence.values.count)"
        }
    }

    /// The English sentence.
    public var text: String {
        guard !values.isEmpty else { return pattern }
        return Self.text(Self.form(of: pattern, values: values) { $0 == 1 }, values: values.map(\.text))
    }

    /// The singular or the plural of a pattern that has both, by the first value if that is a number.
    package static func form(of pattern: String, values: [Value], isSingular: (Int64) -> Bool) -> String {
        guard case .number(let number)? = values.first, let bar = pattern.firstIndex(of: "|") else { return pattern }
        return String(isSingular(number) ? pattern[..<bar] : pattern[pattern.index(after: bar)...])
    }

    /// A pattern with values for `%1`, `%2` and so on.
    package static func text(_ pattern: String, values: [String]) -> String {
        var rest = pattern[...]
        var text = ""
        // In one pass, so that a value that contains %1 stays as it is.
        while let mark = rest.firstIndex(of: "%") {
            text += rest[..<mark]
            let after = rest.index(after: mark)
            if after < rest.endIndex, let number = rest[after].wholeNumberValue, values.indices.contains(number - 1) {
                text += values[number - 1]
                rest = rest[rest.index(after: after)...]
            } else {
                text += "%"
                rest = rest[after...]
            }
        }
        return text + rest
    }
}

extension Sentence.Value {
    /// As in the English sentence.
    public var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text): text
        }
    }
}

/// A sentence is written as people read it wherever it is printed, in a log or inside another value.
extension Sentence: CustomStringConvertible, CustomDebugStringConvertible {
    /// The English sentence, as in ``text``.
    public var description: String { text }
    /// The English sentence without quotation marks, as in ``text``.
    public var debugDescription: String { text }
}

extension Sentence {
    /// Sentences are equal if they say the same, however they were made.
    public static func == (left: Sentence, right: Sentence) -> Bool { left.text == right.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// For a literal that is too long for a line.
    public static func + (left: Sentence, right: Sentence) -> Sentence {
        guard !right.values.isEmpty else {
            return Sentence(pattern: left.pattern + right.pattern, values: left.values)
        }
        let numbers = right.values.indices.map { "%\(left.values.count + $0 + 1)" }
        return Sentence(
            pattern: left.pattern + text(right.pattern, values: numbers), values: left.values + right.values)
    }
}
