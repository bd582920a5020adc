package import SubGuardClient
package import SubGuardDomain
package import SubGuardEngine

/// A text of the program: written in English where it is used, with the values that it shows; ``French`` translates it.
///
/// A text with a singular and a plural holds both, separated by a bar, with the same values:
/// `"\(count) item|\(count) items"`. The first value, a number, decides.
package struct Phrase: ExpressibleByStringInterpolation, Sendable {
    package enum Value: Sendable {
        case number(Int)
        case text(String)
    }

    /// The English text with `%` in the place of each value.
    package let key: String
    package let values: [Value]

    package init(stringLiteral text: String) {
        key = text
        values = []
    }

    package init(stringInterpolation text: StringInterpolation) {
        key = text.key
        values = text.values
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var values: [Value] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { key += literal }

        package mutating func appendInterpolation(_ number: Int) {
            key += "%"
            values.append(.number(number))
        }

        package mutating func appendInterpolation(_ text: String) {
            key += "%"
            values.append(.text(text))
        }
    }

    package func text(_ language: DisplayLanguage) -> String {
        let pattern = language == .french ? French.messages[key] ?? key : key
        let forms = pattern.split(separator: "|", omittingEmptySubsequences: false)
        var form = forms[0]
        if forms.count == 2, case .number(let number)? = values.first {
            let isSingular = language == .french ? number.magnitude < 2 : number == 1
            form = isSingular ? forms[0] : forms[1]
        }
        let texts = values.map { value in
            switch value {
            case .number(let number): AmountStyle(language).grouped(number)
            case .text(let text): text
            }
        }
        return Self.fill(form, texts)
    }

    /// The pattern with its `%` replaced by the texts, in order.
    static func fill(_ pattern: some StringProtocol, _ texts: [String]) -> String {
        let pieces = pattern.split(separator: "%", omittingEmptySubsequences: false)
        return zip(pieces, texts.prefix(pieces.count - 1) + [""]).map { String($0) + $1 }.joined()
    }
}

extension DisplayLanguage {
    /// Translates an error, which the libraries describe in English. A text without a translation stays as it is.
    package func sentence(_ english: String) -> String { self == .french ? French.sentence(english) : english }
}

extension French {
    /// Patterns with values, the most specific first.
    private static let patterns: [(pieces: [Substring], french: String)] = errors.filter { $0.key.contains("%") }
        .sorted { ($1.key.count, $0.key) < ($0.key.count, $1.key) }
        .map { ($0.key.split(separator: "%", omittingEmptySubsequences: false), $0.value) }

    static func sentence(_ english: String) -> String {
        if let french = errors[english] { return french }
        for (pieces, french) in patterns {
            if let values = values(of: english, in: pieces) { return Phrase.fill(french, values.map(shown)) }
        }
        return english
    }

    /// A value of a sentence: days and amounts as French writes them.
    private static func shown(_ value: String) -> String {
        if let day = CalendarDay(iso: value) { return day.displayName(.french) }
        let parts = value.split(separator: " ").map(String.init)
        if parts.count == 2, let currency = Currency(code: parts[1]),
            let amount = try? Money(decimal: parts[0], currency: currency)
        {
            return amount.formatted(AmountStyle(.french))
        }
        return sentence(value)
    }

    /// The texts between the pieces of a pattern; nil when the text does not have its form.
    private static func values(of text: String, in pieces: [Substring]) -> [String]? {
        guard let first = pieces.first, let last = pieces.last, text.hasPrefix(first),
            text.utf8.count >= pieces.reduce(0, { $0 + $1.utf8.count }) + pieces.count - 1
        else { return nil }
        var rest = text.dropFirst(first.count)
        guard rest.hasSuffix(last) else { return nil }
        rest = rest.dropLast(last.count)
        var values: [String] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: piece) else { return nil }
            values.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return values + [String(rest)]
    }
}

// The words of enumerations that only the program shows. Those of the domain name themselves.

extension AnalyticsConsent {
    package var phrase: Phrase {
        switch self {
        case .granted: "granted"
        case .revoked: "revoked"
        case .undecided: "not given yet"
        }
    }
}

extension SyncReport.Name {
    package var phrase: Phrase {
        switch self {
        case .catalogue: "catalogue"
        case .rates: "rates"
        case .suggestions: "suggestions"
        case .erasure: "erasure"
        case .analytics: "events"
        case .signals: "sessions"
        case .premium: "premium"
        }
    }
}

extension PurchaseStatus {
    package var phrase: Phrase {
        switch self {
        case .none: "no purchase"
        case .active: "active"
        case .gracePeriod: "grace period"
        case .billingRetry: "payment pending"
        case .expired: "expired"
        case .revoked: "revoked by the App Store"
        case .refunded: "refunded"
        case .upgraded: "upgraded"
        }
    }
}

extension StoredBackup.Kind {
    package var phrase: Phrase {
        switch self {
        case .automatic: "automatic"
        case .manual: "manual"
        case .beforeRestore: "before a restore"
        case .beforeMerge: "before a merge"
        }
    }
}

extension StatementExclusion {
    /// `3 payments, last €850.00 on 2026-11-03: Landlord (loan, rent or tax)`.
    package func line(_ language: DisplayLanguage) -> String {
        let amount = last.amount.formatted(AmountStyle(language))
        let (day, why) = (last.on.displayName(language), reason.phrase.text(language))
        let phrase: Phrase =
            "\(charges) payment, last \(amount) on \(day): \(name) (\(why))|\(charges) payments, last \(amount) on \(day): \(name) (\(why))"
        return phrase.text(language)
    }
}

extension StatementExclusion.Reason {
    fileprivate var phrase: Phrase {
        switch self {
        case .cash: "cash"
        case .transfer: "transfer"
        case .obligation: "loan, rent or tax"
        case .person: "name of a person"
        }
    }
}
