/// One field of an input that breaks a rule.
public struct InvalidField: Error, Sendable, Hashable {
    /// The field's name on the wire, such as `amount`.
    public var field: String
    /// A stable word: `required`, `too_long`, `out_of_range`, `invalid_format`, `invalid_characters`,
    /// `too_many_decimals`, `unknown_currency`, `duplicate`, `premium_required`.
    public var code: String
    /// One English sentence that does not repeat the value.
    public var detail: String

    public init(field: String, code: String, detail: String) {
        self.field = field
        self.code = code
        self.detail = detail
    }
}

/// Checks of texts and amounts, shared by all entities.
public enum FieldRules {
    /// 10 billion in a currency with two decimals. Prevents overflow in totals.
    public static let maximumMinorUnits: Int64 = 1_000_000_000_000
    /// In Unicode scalars, so that combining marks cannot make a name arbitrarily large.
    public static let maximumNameLength = 200
    public static let maximumNoteLength = 10_000

    /// Trims the text; refuses empty texts, texts that are too long and control characters.
    public static func name(_ text: String, field: String) throws(InvalidField) -> String {
        let trimmed = CatalogueRules.trimmed(text)
        guard !trimmed.isEmpty else {
            throw InvalidField(field: field, code: "required", detail: "Must not be empty.")
        }
        return try line(trimmed, field: field, maximumLength: maximumNameLength)
    }

    /// Checks one line of text; may be empty.
    public static func line(_ text: String, field: String, maximumLength: Int = 2048) throws(InvalidField) -> String {
        guard text.unicodeScalars.count <= maximumLength else {
            throw InvalidField(
                field: field, code: "too_long", detail: "Must have at most \(maximumLength) characters.")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw InvalidField(
                field: field, code: "invalid_characters", detail: "Must not contain control characters.")
        }
        return text
    }

    /// Trims and checks a link that clients may open; may be empty.
    ///
    /// Only https and http are allowed: schemes such as `javascript:` and `file:` are dangerous. An address without a scheme,
    /// such as `netflix.com/account`, is accepted.
    public static func link(_ text: String, field: String) throws(InvalidField) -> String {
        let trimmed = try line(CatalogueRules.trimmed(text), field: field)
        let beginning = trimmed.unicodeScalars.prefix { !"/?#".unicodeScalars.contains($0) }
        guard beginning.contains(":") else { return trimmed }
        let scheme = beginning.prefix { $0 != ":" }.map { $0.properties.lowercaseMapping }.joined()
        let rest = trimmed.unicodeScalars.dropFirst(beginning.count)
        guard scheme == "https" || scheme == "http", beginning.last == ":", rest.starts(with: "//".unicodeScalars),
            let host = rest.dropFirst(2).first, !"/?#:@".unicodeScalars.contains(host)
        else {
            throw InvalidField(
                field: field, code: "invalid_format", detail: "Must be a link that begins with https:// or http://.")
        }
        return trimmed
    }

    /// Checks text of several lines; may be empty.
    public static func note(_ text: String, field: String) throws(InvalidField) -> String {
        guard text.unicodeScalars.count <= maximumNoteLength else {
            throw InvalidField(
                field: field, code: "too_long", detail: "Must have at most \(maximumNoteLength) characters.")
        }
        guard !text.unicodeScalars.contains(where: { $0.value == 0 }) else {
            throw InvalidField(field: field, code: "invalid_characters", detail: "Must not contain NUL.")
        }
        return text
    }

    /// Checks that an amount is greater than 0 and not too large.
    public static func positive(_ amount: Money, field: String) throws(InvalidField) -> Money {
        guard amount.minorUnits > 0 else {
            throw InvalidField(field: field, code: "out_of_range", detail: "Must be greater than 0.")
        }
        guard amount.minorUnits <= maximumMinorUnits else {
            throw InvalidField(field: field, code: "out_of_range", detail: "The amount is too large.")
        }
        return amount
    }

    public static func currency(_ code: String, field: String = "currency") throws(InvalidField) -> Currency {
        guard let currency = Currency(code: code.uppercased()) else {
            throw InvalidField(
                field: field, code: "unknown_currency", detail: "Must be a currency code, such as EUR.")
        }
        return currency
    }

    /// Reads the wire form of an amount.
    public static func amount(_ text: String, _ currency: Currency, field: String = "amount") throws(InvalidField)
        -> Money
    {
        do {
            return try Money(decimal: text, currency: currency)
        } catch {
            throw InvalidField(field: field, code: error.code, detail: error.detail)
        }
    }

    public static func within(_ range: ClosedRange<Int>, _ value: Int, field: String) throws(InvalidField) -> Int {
        guard range.contains(value) else {
            throw InvalidField(
                field: field, code: "out_of_range",
                detail: "Must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// Checks the form `name@host.tld`.
    public static func email(_ text: String, field: String = "email") throws(InvalidField) -> String {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let labels = parts.last.map { $0.split(separator: ".", omittingEmptySubsequences: false) } ?? []
        guard parts.count == 2, !parts[0].isEmpty, labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }),
            (labels.last?.count ?? 0) >= 2, text.utf8.count <= 254,
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.properties.generalCategory != .control })
        else { throw InvalidField(field: field, code: "invalid_format", detail: "Must be an e-mail address.") }
        return text
    }
}

extension Money {
    /// The same number in another currency, not converted. Refused when the other currency has fewer decimals.
    public func relabelled(_ currency: Currency) throws(InvalidField) -> Money {
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
