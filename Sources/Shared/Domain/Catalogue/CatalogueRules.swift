/// The bounds of the catalogue's fields and the checks of single fields.
package enum CatalogueRules {
    /// Characters are counted as Unicode scalars, so that stacked marks cannot grow a name without bound.
    package static let maximumNameLength = 120
    /// In bytes.
    package static let maximumSlugLength = 80
    /// In bytes.
    package static let maximumCategoryLength = 40
    /// In bytes.
    package static let maximumURLLength = 500
    /// How many other names an item may have.
    package static let maximumAliases = 20
    /// Notice periods that an item may have, in days.
    package static let noticeDaysRange = 0...365
    /// In whole units of the currency. A thousand million, because a yearly plan costs several million rupiah, dong or
    /// won.
    package static let maximumAmountMajorUnits: Int64 = 1_000_000_000

    /// The text without whitespace around it.
    package static func trimmed(_ text: String) -> String {
        // Most texts need no look at the properties of characters.
        if let first = text.utf8.first, let last = text.utf8.last, visible.contains(first), visible.contains(last) {
            return text
        }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    private static let visible: ClosedRange<UInt8> = 0x21...0x7E

    /// Aliases that another program wrote: without those that are longer than a name, and no more than an item has.
    package static func bounded(_ aliases: [String]) -> [String] {
        Array(aliases.lazy.filter { (1...maximumNameLength).contains($0.unicodeScalars.count) }.prefix(maximumAliases))
    }

    /// Checks a trimmed name or alias: 1…``maximumNameLength`` characters, at least one of them visible, no control or
    /// invisible characters, and at most four consecutive combining marks.
    package static func nameError(_ name: String, field: String) -> Fault? {
        if name.isEmpty { return Fault(field, .required, "Must not be empty.") }
        guard name.unicodeScalars.count <= maximumNameLength else { return tooLong(field, maximumNameLength) }
        guard !name.unicodeScalars.contains(where: isForbidden) else {
            return Fault(field, .invalidCharacters, "Must not contain control characters.")
        }
        guard NameVisibility.hasVisibleCharacter(name) else {
            return Fault(field, .blank, "Must contain a visible character.")
        }
        if let scalar = NameVisibility.invisibleCharacter(in: name) {
            let number = String(scalar.value, radix: 16, uppercase: true)
            let code = "U+" + String(repeating: "0", count: max(0, 4 - number.count)) + number
            return Fault(field, .invisibleCharacters, "Must not contain invisible characters; found \(code).")
        }
        guard !NameVisibility.hasTooManyMarks(name) else {
            return Fault(
                field, .tooManyMarks, "At most \(NameVisibility.maximumMarksInARow) combining marks on a letter.")
        }
        return nil
    }

    package static func slugError(_ slug: String, field: String) -> Fault? {
        if slug.isEmpty { return Fault(field, .required, "Must not be empty.") }
        guard slug.utf8.count <= maximumSlugLength else { return tooLong(field, maximumSlugLength) }
        let words = slug.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLowerCaseOrDigit) }) else {
            return Fault(
                field, .invalidFormat, "Must be lower-case letters and digits, words joined by single hyphens.")
        }
        return nil
    }

    /// Checks a category: 1…40 lower-case letters, digits and underscores.
    package static func categoryError(_ category: String, field: String) -> Fault? {
        if category.isEmpty { return Fault(field, .required, "Must not be empty.") }
        guard category.utf8.count <= maximumCategoryLength else { return tooLong(field, maximumCategoryLength) }
        guard category.utf8.allSatisfy({ isLowerCaseOrDigit($0) || $0 == UInt8(ascii: "_") }) else {
            return Fault(field, .invalidFormat, "Must be lower-case letters, digits and underscores.")
        }
        return nil
    }

    package static func amountError(_ amount: Money, field: String) -> Fault? {
        let maximum = maximumAmountMajorUnits * amount.currency.minorUnitsPerMajorUnit
        guard (0...maximum).contains(amount.minorUnits) else {
            return Fault(
                field, .outOfRange,
                "Must be between 0 and \(Money(minorUnits: maximum, currency: amount.currency).decimal).")
        }
        return nil
    }

    static func noticeDaysError(_ days: Int, field: String) -> Fault? {
        guard !noticeDaysRange.contains(days) else { return nil }
        return Fault(
            field, .outOfRange, "Must be between \(noticeDaysRange.lowerBound) and \(noticeDaysRange.upperBound).")
    }

    /// Checks a link that clients may open.
    package static func urlError(_ url: String, field: String) -> Fault? {
        guard url.utf8.count <= maximumURLLength else { return tooLong(field, maximumURLLength) }
        guard WebLink.isValid(url) else {
            return Fault(
                field, .invalidURL,
                "Must be an absolute https URL with a host, without user name, blanks or control characters.")
        }
        return nil
    }

    private static func tooLong(_ field: String, _ maximum: Int) -> Fault {
        Fault(field, .outOfRange, "At most \(maximum) characters.")
    }

    private static func isLowerCaseOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// Controls, line ends, and marks that change the direction of the surrounding text.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: return true
        default: return scalar.properties.isNoncharacterCodePoint
        }
    }
}
