/// Why a JSON text, or one value of it, was refused, and at which byte.
package struct JSONError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case unexpectedEnd
        case unexpectedByte
        case byteOrderMark
        case invalidNumber
        case invalidEscape
        case loneSurrogate
        case controlCharacter
        case invalidUTF8
        case tooDeep
        case trailingContent
        case duplicateName
        /// More values than the caller takes; the text may be fine.
        case tooManyValues
        /// The text is fine, but here stands a value of another kind than the one asked for.
        case wrongKind(expected: JSONReader.Kind, found: JSONReader.Kind)
        /// A number with a fraction or an exponent where an integer was asked for.
        case notAnInteger
        case integerOutOfRange
    }

    /// Offset of the offending byte from the start of the text, counted from zero.
    package let offset: Int
    package let reason: Reason

    package init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    /// Whether the text itself is well formed here and merely holds another value than was asked for.
    ///
    /// After such an error the reader stands at the start of that value, so `skipValue()` goes on behind it.
    package var isMismatch: Bool {
        switch reason {
        case .wrongKind, .notAnInteger, .integerOutOfRange: true
        default: false
        }
    }

    /// One short English sentence without the offset and without any byte of the text.
    package var message: String {
        switch reason {
        case .unexpectedEnd: "The text ends too early."
        case .unexpectedByte: "Unexpected character."
        case .byteOrderMark: "A byte order mark is not allowed."
        case .invalidNumber: "Not a valid number."
        case .invalidEscape: "Not a valid escape sequence."
        case .loneSurrogate: "A surrogate escape stands alone."
        case .controlCharacter: "A control character in a string must be escaped."
        case .invalidUTF8: "Not valid UTF-8."
        case .tooDeep: "Nested too deeply."
        case .trailingContent: "Something follows the value."
        case .duplicateName: "A name occurs twice in one object."
        case .tooManyValues: "More values than are taken here."
        case .wrongKind(let expected, let found): "Expected \(expected.noun), found \(found.noun)."
        case .notAnInteger: "Expected an integer."
        case .integerOutOfRange: "The integer is out of range."
        }
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String { "\(message) (byte \(offset))" }
}
