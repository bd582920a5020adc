/// Checks of texts and amounts that all entities share.
package enum FieldRules {
    /// 10 billion in a currency with two decimals. Prevents overflow in totals. Amounts that people enter have a closer
    /// limit: ``Currency/entryLimit``.
    package static let maximumMinorUnits: Int64 = 1_000_000_000_000
    /// In Unicode scalars, so that combining marks cannot make a name arbitrarily large.
    package static let maximumNameLength = 200
    /// In characters.
    package static let maximumNoteLength = 10_000

    /// Trims the text; rejects empty texts, texts that are too long and control characters.
    package static func name(_ text: String, field: String) throws(Fault) -> String {
        let trimmed = CatalogueRules.trimmed(text)
        // Marks of direction and width alone would be a row without a name.
        guard trimmed.unicodeScalars.contains(where: { !isInvisible($0) }) else {
            throw Fault(field, .required, "Must not be empty.")
        }
        return try line(trimmed, field: field, maximumLength: maximumNameLength)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Checks one line of text; may be empty.
    package static func line(_ text: String, field: String, maximumLength: Int = 2048) throws(Fault) -> String {
        guard text.unicodeScalars.count <= maximumLength else {
            throw Fault(field, .outOfRange, "Must have at most \(maximumLength) characters.")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Fault(field, .invalidCharacters, "Must not contain control characters.")
        }
        return text
    }

    /// Trims and checks a link that clients may open; may be empty.
    ///
    /// Only https and http are allowed: schemes such as `javascript:` and `file:` are dangerous. An address without a
    /// scheme, such as `netflix.com/account`, is accepted.
    package static func link(_ text: String, field: String) throws(Fault) -> String {
        let trimmed = try line(CatalogueRules.trimmed(text), field: field)
        let beginning = trimmed.unicodeScalars.prefix { !"/?#".unicodeScalars.contains($0) }
        guard beginning.contains(":") else { return trimmed }
        let scheme = beginning.prefix { $0 != ":" }.map { $0.properties.lowercaseMapping }.joined()
        let rest = trimmed.unicodeScalars.dropFirst(beginning.count)
        guard scheme == "https" || scheme == "http", beginning.last == ":", rest.starts(with: "//".unicodeScalars),
            let host = rest.dropFirst(2).first, !"/?#:@".unicodeScalars.contains(host)
        else {
            throw Fault(field, .invalidURL, "Must be a link that begins with https:// or http://.")
        }
        return trimmed
    }

    /// Checks the form `#rrggbb`.
    package static func color(_ text: String, field: String) throws(Fault) -> String {
        guard RGBColor(wire: text) != nil else {
            throw Fault(field, .invalidFormat, "Must be a colour such as #9FE870.")
        }
        return text
    }

    /// Trims and checks a single emoji, such as one of a person with a skin tone, or a flag.
    package static func emoji(_ text: String, field: String) throws(Fault) -> String {
        let trimmed = CatalogueRules.trimmed(text)
        let scalars = trimmed.unicodeScalars
        // Digits are emoji too, but only with the marks that make them keys.
        guard trimmed.count == 1, scalars.count <= 20, let first = scalars.first, first.properties.isEmoji,
            !first.isASCII || scalars.contains("\u{20E3}")
        else { throw Fault(field, .invalidFormat, "Must be one emoji.") }
        return trimmed
    }

    /// Checks text of several lines; may be empty.
    package static func note(_ text: String, field: String) throws(Fault) -> String {
        guard text.unicodeScalars.count <= maximumNoteLength else {
            throw Fault(field, .outOfRange, "Must have at most \(maximumNoteLength) characters.")
        }
        guard !text.unicodeScalars.contains(where: { $0.value == 0 }) else {
            throw Fault(field, .invalidCharacters, "Must not contain NUL.")
        }
        return text
    }

    /// Checks that an amount is greater than 0 and not too large.
    package static func positive(_ amount: Money, field: String) throws(Fault) -> Money {
        guard amount.minorUnits > 0 else {
            throw Fault(field, .outOfRange, "Must be greater than 0.")
        }
        guard amount.minorUnits <= maximumMinorUnits else {
            throw Fault(field, .outOfRange, "The amount is too large.")
        }
        return amount
    }

    /// Reads a code in upper or lower case. Throws a fault of the field for a currency that is not in ISO 4217.
    package static func currency(_ code: String, field: String = "currency") throws(Fault) -> Currency {
        guard let currency = Currency(code: code.uppercased()) else {
            throw Fault(field, .unknownCurrency, "Must be a currency code, such as EUR.")
        }
        return currency
    }

    /// Reads the wire form of an amount that was entered; it must be below the limit of its currency.
    package static func amount(_ text: String, _ currency: Currency, field: String = "amount") throws(Fault)
        -> Money
    {
        let limit = currency.entryLimit
        let tooLarge = Fault(
            field, .outOfRange,
            limit == Currency.commonEntryLimit ? "Must be below 10 million." : "Must be below 10 billion.")
        let amount: Money
        do {
            amount = try Money(decimal: text, currency: currency)
        } catch {
            throw error == .outOfRange ? tooLarge : Fault(field, error.code, error.sentence)
        }
        guard amount.minorUnits < limit * currency.minorUnitsPerMajorUnit else { throw tooLarge }
        return amount
    }

    /// Returns the value. Throws a fault of the field when it is out of range.
    package static func within(_ range: ClosedRange<Int>, _ value: Int, field: String) throws(Fault) -> Int {
        guard range.contains(value) else {
            throw Fault(field, .outOfRange, "Must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// Checks the form `name@host.tld`.
    package static func email(_ text: String, field: String = "email") throws(Fault) -> String {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let labels = parts.last.map { $0.split(separator: ".", omittingEmptySubsequences: false) } ?? []
        guard parts.count == 2, !parts[0].isEmpty, labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }),
            (labels.last?.count ?? 0) >= 2, text.utf8.count <= 254,
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.properties.generalCategory != .control })
        else { throw Fault(field, .invalidFormat, "Must be an e-mail address.") }
        return text
    }
}

extension Money {
    /// The same number in another currency, not converted. Throws if the other currency has fewer decimals.
    public func relabelled(_ currency: Currency) throws(Fault) -> Money {
        var text = decimal
        if let point = text.firstIndex(of: ".") {
            while text.distance(from: point, to: text.endIndex) - 1 > currency.exponent, text.last == "0" {
                text.removeLast()
            }
            if text.last == "." { text.removeLast() }
        }
        return try FieldRules.amount(text, currency)
    }
}
