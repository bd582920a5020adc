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

/// The names of releases: a version, a commit, or `package@version`, where the package may be `@scope/name`.
package enum ReleaseName {
    /// The name under which the sessions of all releases without a name of their own are counted.
    package static let other = "(other)"

    package static func isValid(_ text: String) -> Bool {
        guard (1...96).contains(text.utf8.count) else { return false }
        let isScoped = text.utf8.first == UInt8(ascii: "@")
        let parts = text.utf8.dropFirst(isScoped ? 1 : 0).split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false
        ).map { Array($0) }
        guard let package = parts.first, parts.allSatisfy(isPart) else { return false }
        guard parts.count == 2 else { return parts.count == 1 && !isScoped }
        return (!isScoped || package.contains(UInt8(ascii: "/"))) && isVersion(parts[1])
    }

    private static func isPart(_ part: [UInt8]) -> Bool {
        let marks: StaticString = startsWithNumber(part) ? ".+/ ()~:" : ".+/ ()"
        return !part.isEmpty && part.allSatisfy { Octet.isToken($0) || Octet.isOneOf($0, marks) }
    }

    /// With or without a `v` before it.
    private static func startsWithNumber(_ part: [UInt8]) -> Bool {
        let digits = part.first.map { $0 | 0x20 == UInt8(ascii: "v") } ?? false ? part.dropFirst() : part[...]
        return digits.first.map { Octet.isDigit($0) } ?? false
    }

    /// Whether what follows the `@` cannot be the host of a mail address. It has a number or a commit as a word of its
    /// own, which `localhost` lacks; a branch alone, such as `main`, looks the same and names no release. And it has no
    /// top-level domain: letters follow a dot only behind two numbers, as in `5.4.0.Final`, and never as in `163.com`.
    private static func isVersion(_ part: [UInt8]) -> Bool {
        let words = part.split { !Octet.isAlphanumeric($0) }
        let hasNumber = words.contains { word in
            startsWithNumber(Array(word)) || (word.count >= 7 && word.allSatisfy { Octet.isHex($0) })
        }
        let hasTopLevelDomain = words.contains { word in
            word.count > 1 && word.allSatisfy { Octet.isLetter($0) } && word.startIndex > 0
                && part[word.startIndex - 1] == UInt8(ascii: ".")
        }
        return hasNumber && (!hasTopLevelDomain || startsWithTwoNumbers(part, words))
    }

    /// As `5.4` or `v5.4` do.
    private static func startsWithTwoNumbers(_ part: [UInt8], _ words: [ArraySlice<UInt8>]) -> Bool {
        guard words.count > 1, words[0].startIndex == 0, startsWithNumber(part) else { return false }
        return words[0].dropFirst().allSatisfy { Octet.isDigit($0) } && words[1].allSatisfy { Octet.isDigit($0) }
            && words[1].startIndex == words[0].endIndex + 1 && part[words[0].endIndex] == UInt8(ascii: ".")
    }
}
