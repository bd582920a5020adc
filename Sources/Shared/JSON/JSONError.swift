/// Why a JSON text, or a value in it, was rejected, and at which byte.
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
        /// More combining marks or regional indicators in a row than ``CharacterRuns`` allows.
        case longRun
        case tooDeep
        case trailingContent
        case duplicateName
        /// More values than the caller allows; the text may be valid.
        case tooManyValues
        /// The text is valid, but the value is of a different kind than requested.
        case wrongKind(expected: JSONReader.Kind, found: JSONReader.Kind)
        /// A number with a fraction or an exponent instead of an integer.
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

    /// Whether the text is well formed at this point, but the value is not as requested.
    ///
    /// After such an error the reader is at the start of that value, so `skipValue()` skips it.
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
        case .loneSurrogate: "A surrogate escape is not part of a pair."
        case .controlCharacter: "A control character in a string must be escaped."
        case .invalidUTF8: "Not valid UTF-8."
        case .longRun: "Too many combining marks on a letter, or flags in a row."
        case .tooDeep: "Nested too deeply."
        case .trailingContent: "The value is followed by other data."
        case .duplicateName: "A name occurs twice in one object."
        case .tooManyValues: "There are too many values."
        case .wrongKind(let expected, let found): "Expected \(expected.noun), found \(found.noun)."
        case .notAnInteger: "Expected an integer."
        case .integerOutOfRange: "The integer is out of range."
        }
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String { "\(message) (byte \(offset))" }
}
