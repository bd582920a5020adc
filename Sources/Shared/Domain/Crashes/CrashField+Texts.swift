extension CrashField {
    /// Returns the field at a path of an event; nil if it is not kept.
    package static func kept(at path: String) -> CrashField? { CrashRegistry.fields.first { $0.path == path } }
}

extension CrashField.Kind {
    /// The text as it is stored, scrubbed; nil if it is not of this kind.
    package func scrubbed(_ text: String, _ scrubber: inout CrashScrubber) -> String? {
        let kept =
            switch self {
            case .text(let bytes): scrubber.text(text, maximumBytes: bytes)
            case .symbol(let bytes): scrubber.symbol(text, maximumBytes: bytes)
            case .word: Self.isWord(text) ? text : ""
            case .version: Self.isVersion(text) ? text : ""
            case .release: ReleaseName.isValid(text) ? text : ""
            case .number, .flag: ""
            }
        return kept.isEmpty ? nil : kept
    }

    private static func isWord(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { Octet.isToken($0) || $0 == UInt8(ascii: ".") }
    }

    private static func isVersion(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { Octet.isToken($0) || Octet.isOneOf($0, " .+()") }
    }

    /// Whether a text is of this kind and has at most as many Unicode scalars as the field's maximum bytes.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .text(let bytes), .symbol(let bytes): (1...bytes).contains(text.unicodeScalars.count)
        case .word: Self.isWord(text)
        case .version: Self.isVersion(text)
        case .release: ReleaseName.isValid(text)
        case .number, .flag: false
        }
    }

    /// The fault of a text that is not of this kind; nil for one that is.
    package func fault(of text: String) -> FaultCode? {
        guard !accepts(text) else { return nil }
        if text.isEmpty { return .required }
        return text.unicodeScalars.count > maximumLength ? .outOfRange : .invalidFormat
    }

    private var maximumLength: Int {
        switch self {
        case .text(let bytes), .symbol(let bytes): bytes
        case .word: 32
        case .version: 40
        case .release: 96
        case .number, .flag: .max
        }
    }

    /// The rule as an error message.
    package var rule: Sentence {
        switch self {
        case .text(let bytes), .symbol(let bytes): "Must be a string of 1 to \(bytes) characters."
        case .word: "Must be 1 to 32 letters, digits and . _ -"
        case .version: "Must be 1 to 40 letters, digits, blanks and . _ + - ( )"
        case .release: "Must be a version, a commit or package@version, of at most 96 characters."
        case .number: "Must be a whole number from 0 on."
        case .flag: "Must be true or false."
        }
    }
}

/// The names of releases: a version, a commit, or `package@version`.
package enum ReleaseName {
    package static func isValid(_ text: String) -> Bool {
        guard (1...96).contains(text.utf8.count) else { return false }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let version = parts.last, parts.allSatisfy({ isPart($0) }) else { return false }
        // A mail address also looks like `package@version`, so the version must begin with a number or be a commit.
        return parts.count == 1 || isVersion(version)
    }

    private static func isPart(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.allSatisfy { Octet.isToken($0) || Octet.isOneOf($0, ".+/ ()") }
    }

    private static func isVersion(_ part: Substring) -> Bool {
        let number = part.utf8.prefix { Octet.isDigit($0) }
        let next = part.utf8.dropFirst(number.count).first
        let isNumbered = !number.isEmpty && (next.map { Octet.isOneOf($0, ".+-_ ") } ?? true)
        return isNumbered || (part.utf8.count >= 7 && part.utf8.allSatisfy { Octet.isHex($0) })
    }
}
