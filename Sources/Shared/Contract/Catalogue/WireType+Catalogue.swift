import JSONWire
package import SubGuardDomain
import TextCoding

/// The types of catalogue fields. A `given…` type is for input of editors or devices and enforces the rules of the
/// catalogue; the others are for output of the server.
extension WireType where Value == String {
    /// A name or an alias, trimmed.
    package static var givenName: WireType {
        ruled(
            "Name",
            """
            1 to \(CatalogueRules.maximumNameLength) characters (Unicode scalar values). White space around it is \
            removed. Control characters, line separators, private-use characters, marks that change the direction of \
            text and invisible characters are refused. Also refused: a name without a visible character, joiners \
            outside emoji, Arabic and Indic scripts, variation selectors that do not follow an emoji, and more than \
            four combining marks in a row.
            """, ["pattern": .string(CataloguePatterns.name)], example: "Netflix", CatalogueRules.nameError, trims: true
        )
    }

    /// A name in the catalogue.
    package static var name: WireType { text(1...CatalogueRules.maximumNameLength, example: "Netflix") }

    package static var givenSlug: WireType {
        ruled(
            "Slug", "Lower-case ASCII words joined by single hyphens; unique in the catalogue.",
            [
                "minLength": 1, "maxLength": .integer(CatalogueRules.maximumSlugLength),
                "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$",
            ], example: "netflix", CatalogueRules.slugError)
    }

    package static var slug: WireType { givenSlug.read(as: text(1...CatalogueRules.maximumSlugLength)) }

    package static var givenCategory: WireType {
        ruled(
            "Category", "The kind of service.",
            [
                "minLength": 1, "maxLength": .integer(CatalogueRules.maximumCategoryLength), "pattern": "^[a-z0-9_]+$",
            ], example: "streaming", CatalogueRules.categoryError)
    }

    package static var category: WireType { givenCategory.read(as: text()) }

    /// A link that users may open.
    package static var givenLink: WireType {
        ruled(
            "WebLink", "An absolute https URL in ASCII, without user name; the host has at most 253 characters.",
            [
                "format": "uri", "maxLength": .integer(CatalogueRules.maximumURLLength),
                "pattern": .string(CataloguePatterns.link),
            ], example: "https://www.netflix.com", CatalogueRules.urlError)
    }

    package static var link: WireType { givenLink.read(as: text()) }

    /// The digits of an amount in a request. The limits of its currency are checked where both are known.
    package static var givenAmount: WireType {
        ruled(
            "Amount",
            """
            A decimal number from 0 to \(CatalogueRules.maximumAmountMajorUnits), with no more decimals than its \
            currency has.
            """, ["pattern": .string(CataloguePatterns.amount(decimals: 3))], example: "14.99")
    }

    /// A text used to search or filter a list.
    package static var filterText: WireType { text(1...200, pattern: #"^[^\u0000]+$"#, example: "netflix") }

    /// The opaque position where a page of a list starts.
    package static var cursorText: WireType { cursorText(maximumLength: 512) }

    /// The position in a list that may be sorted by long texts. Only the list can check that the cursor belongs to it.
    package static func cursorText(maximumLength: Int) -> WireType {
        text(1...maximumLength, pattern: "^[A-Za-z0-9_-]+$", example: "AZNPDnwqfT6bGlxtfo-aCw").checking {
            (Base64URL.bytes(of: $0)?.count ?? 0) >= 16
                ? nil : (.invalidCursor, "Must be a next_cursor of this list, with the same parameters.")
        }
    }

    /// A text that is a component of the document and must satisfy `rule`. The rule gets no field name, because the
    /// reading supplies the pointer.
    private static func ruled(
        _ name: String, _ description: String, _ keywords: JSONObject, example: JSONValue,
        _ rule: @escaping @Sendable (String, _ field: String) -> Fault? = { _, _ in nil }, trims: Bool = false
    ) -> WireType {
        WireType {
            $0.reference(name) { _ in
                JSONObject([("description", .string(description)), ("type", "string")] + keywords.members)
            }
        } example: {
            example
        } write: {
            $1.string($0)
        } read: { json, reading in
            guard let given = reading.text(json) else { return nil }
            let text = trims ? CatalogueRules.trimmed(given) : given
            guard let fault = rule(text, "") else { return text }
            reading.note(fault.code, fault.sentence)
            return nil
        }
    }
}

extension WireType where Value == [String] {
    /// Aliases of an item, unique ignoring case and accents.
    package static var givenAliases: WireType {
        .set(
            of: .givenName, count: 0...CatalogueRules.maximumAliases, called: "strings", by: TextFolding.fold)
    }

    package static var aliases: WireType {
        .set(of: .name, count: 0...CatalogueRules.maximumAliases).read(as: array(of: .text()))
    }
}

extension WireType where Value == Int {
    package static var noticeDays: WireType { integer(CatalogueRules.noticeDaysRange) }

    /// Maximum number of items on a page.
    package static var pageLimit: WireType { integer(1...500) }
}

extension WireType where Value == Currency {
    package static var currency: WireType {
        parsed(
            "Currency",
            ["description": "ISO 4217.", "type": "string", "enum": .array(Currency.all.map { .string($0.code) })],
            example: "EUR", else: .unknownCurrency, "Must be the ISO 4217 code of a currency, such as EUR."
        ) {
            $1.string($0.code)
        } parse: {
            Currency(code: $0)
        }
    }
}

extension WireType where Value == BillingCycle {
    package static var cycle: WireType {
        .converted(
            WireType<String>.text(pattern: CataloguePatterns.cycle, example: "monthly").described(
                "`every:18m` is every 18 months; `d`, `w`, `m` and `y` are days, weeks, months and years, 1 to 999."
            ).named("BillingCycle"), else: .unknownCycle,
            "Must be daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime or such as every:18m."
        ) {
            $0.wire
        } decode: {
            // What is counted from payments differs from person to person.
            BillingCycle(wire: $0).flatMap { $0.isCountedFromPayment ? nil : $0 }
        }
    }
}

extension Field where Value == Money {
    /// The members `typical_amount` and `currency`, which form an amount.
    package init(
        price get: @escaping @Sendable (Object) -> Money, _ amount: WireType<String>, _ description: String = ""
    ) {
        let digits = Field<Object, String>("typical_amount", { get($0).decimal }, amount, description)
        let currency = Field<Object, Currency>("currency", { get($0).currency }, .currency)
        self.init(digits, currency) { object, reading in
            let digits = digits.read(object, reading)
            let currency = currency.read(object, reading)
            guard let digits else { return nil }
            guard let currency else {
                // Beside the currency's own fault, what no currency takes: the dinar has the most decimals.
                if let dinar = Currency(code: "BHD") {
                    _ = reading.at("typical_amount") { Money.read(digits, dinar, reading) }
                }
                return nil
            }
            return reading.at("typical_amount") { Money.read(digits, currency, reading) }
        }
    }
}

extension Money {
    /// Parses an amount. Nil, with a fault, if the currency has fewer decimals or the amount is out of range.
    fileprivate static func read(_ digits: String, _ currency: Currency, _ reading: WireReading) -> Money? {
        do throws(MoneyError) {
            let money = try Money(decimal: digits, currency: currency)
            guard let fault = CatalogueRules.amountError(money, field: "") else { return money }
            reading.note(fault.code, fault.sentence)
        } catch {
            reading.note(error.code, error.sentence)
        }
        return nil
    }
}

/// The rules of the catalogue as regular expressions for the document. Tests compare them with the rules.
package enum CataloguePatterns {
    static let cycle =
        "^(?:daily|weekly|biweekly|monthly|quarterly|semi_annual|yearly|lifetime|every:[1-9][0-9]{0,2}[dwmy])$"

    /// Zero, minus zero, or up to nine digits; at most 1,000,000,000.
    package static func amount(decimals: Int) -> String {
        guard decimals > 0 else { return "^(?:-0+|0*(?:[0-9]{1,9}|1000000000))$" }
        return #"^(?:-0+(?:\.0{1,\#(decimals)})?|0*[0-9]{1,9}(?:\.[0-9]{1,\#(decimals)})?"#
            + #"|0*1000000000(?:\.0{1,\#(decimals)})?)$"#
    }

    static let link: String = {
        let label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
        let port =
            "0{0,4}[1-9]|0{0,3}[1-9][0-9]|0{0,2}[1-9][0-9]{2}|0?[1-9][0-9]{3}|[1-5][0-9]{4}|6[0-4][0-9]{3}"
            + "|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
        let rest = "(?:[A-Za-z0-9/?:@._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*"
        return #"^[Hh][Tt][Tt][Pp][Ss]://(?:\#(label)(?:\.\#(label))*|\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\])"#
            + #"(?::(?:\#(port)))?(?:[/?]\#(rest))?(?:#\#(rest))?$"#
    }()

    static let name = trimmed(
        CatalogueRules.maximumNameLength,
        refusing:
            #"\u0000-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F"#
            + #"\u2028-\u202E\u2060-\u206F\u2800\u3164\uE000-\uF8FF\uFDD0-\uFDEF\uFE00-\uFE0D\uFEFF\uFFA0\uFFF0-\uFFFB"#
            + #"\uFFFE\uFFFF"#
            // Regular expression dialects share no escape for code points above U+FFFF.
            + "\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\u{F0000}-\u{10FFFF}")

    /// A text of at most `maximumLength` characters, none in the class `refused`; surrounding white space is not
    /// counted.
    package static func trimmed(_ maximumLength: Int, refusing refused: String) -> String {
        let around = #"[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*"#
        let end = #"[^\#(refused)\u0020\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]"#
        return "^\(around)\(end)(?:[^\(refused)]{0,\(maximumLength - 2)}\(end))?\(around)$"
    }
}
