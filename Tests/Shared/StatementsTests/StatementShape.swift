import Foundation
import SubGuardDomain
import TestKit
import Testing

/// The shape in which a bank exports statements: lines above, header, a row, encoding. The content is invented.
///
/// Parts of rows in braces are replaced: dates by their pattern (`{dd.MM.yyyy}`), signed amounts (`{-1.234,56}`),
/// amounts that only charges or credits have (`{out,}`, `{in.}`), balances (`{=,}`), `{payee}`, `{text}`, `{holder}`,
/// `{ref}`, and one of two words for charges and credits (`{Af|Bij}`).
struct StatementShape: Sendable, CustomTestStringConvertible {
    var bank: String
    var language: String
    var header: String
    var row: String
    var encoding = StatementEncoding.utf8
    var currency = "EUR"
    /// The rows of the last days first.
    var isReversed = false
    /// Charges are positive amounts.
    var isCard = false
    var lineEnd = "\n"

    init(
        _ bank: String, _ language: String, _ header: String, _ row: String, _ encoding: StatementEncoding = .utf8,
        _ currency: String = "EUR", isReversed: Bool = false, isCard: Bool = false, lineEnd: String = "\n"
    ) {
        (self.bank, self.language, self.header, self.row) = (bank, language, header, row)
        (self.encoding, self.currency, self.isReversed, self.isCard) = (encoding, currency, isReversed, isCard)
        self.lineEnd = lineEnd
    }

    var testDescription: String { "\(bank) (\(language))" }

    struct Payment: Sendable {
        var on: CalendarDay
        var units: Int64
        var payee: String
        var isSubscription = false
    }

    static let subscriptions = ["NETFLIX.COM", "Basic Fit", "Le Monde"]

    /// A year of payments by day.
    func payments(seed: UInt64) -> [Payment] {
        var random = SeededRandom(seed: seed)
        let start = CalendarDay(iso: "2026-01-01") ?? .earliest
        let shops =
            ["Carrefour", "Shell", "Decathlon", "Bakery Meyer", "Hotel Astoria", "Pharmacy Nova", "Ikea", "H&M"]
            + [local]
        var payments: [Payment] = []
        for month in 0..<12 {
            let first = start.adding(months: month)
            for (place, (name, units)) in zip(Self.subscriptions, [Int64(1399), 2990, 999]).enumerated() {
                payments.append(
                    Payment(on: first.adding(days: 3 + place * 8), units: -units, payee: name, isSubscription: true))
            }
            for _ in 0..<6 {
                payments.append(
                    Payment(
                        on: first.adding(days: Int.random(in: 0...27, using: &random)),
                        units: -Int64.random(in: 150...14_999, using: &random),
                        payee: shops[Int.random(in: 0..<shops.count, using: &random)]))
            }
            if !isCard { payments.append(Payment(on: first.adding(days: 27), units: 234_567, payee: "Employer Inc")) }
        }
        let sorted = payments.enumerated().sorted { ($0.element.on, $0.offset) < ($1.element.on, $1.offset) }
        return sorted.map(\.element)
    }

    /// A shop with letters of the language.
    private var local: String {
        switch language {
        case "pl": "Żabka Łódź Świętokrzyska"
        case "cs": "Řeznictví u Dvořáka"
        case "hu": "Étterem Győző"
        case "ru": "Продукты Заря"
        case "de": "Bäckerei Größe"
        case "fr": "Épicerie du Château"
        case "es": "Panadería Muñoz"
        case "sv", "no", "da", "fi": "Kött och Ångbåt"
        default: "Café Plus"
        }
    }

    func write(_ payments: [Payment], seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var balance: Int64 = 300_000
        var rows: [String] = []
        for payment in payments {
            balance += isCard ? -payment.units : payment.units
            rows.append(line(payment, balance, Int.random(in: 100_000...999_999, using: &random)))
        }
        if isReversed { rows.reverse() }
        let text = ((header.isEmpty ? [] : [header]) + rows).joined(separator: "\n") + "\n"
        return TestEncoding.bytes(text.replacingOccurrences(of: "\n", with: lineEnd), encoding)
    }

    private func line(_ payment: Payment, _ balance: Int64, _ reference: Int) -> String {
        var line = ""
        var rest = row[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            line += rest[..<open]
            line += part(String(rest[rest.index(after: open)..<close]), payment, balance, reference)
            rest = rest[rest.index(after: close)...]
        }
        return line + rest
    }

    private func part(_ name: String, _ payment: Payment, _ balance: Int64, _ reference: Int) -> String {
        let isCharge = payment.units < 0
        switch name {
        case "payee": return payment.payee
        case "text": return "\(isCharge ? "CARD" : "TRANSFER") \(payment.payee) \(reference)"
        case "holder": return "Anna Example"
        case "ref": return "\(reference)X\(reference % 97)"
        case "out,", "out.": return isCharge ? Self.decimal(-payment.units, name.suffix(1)) : ""
        case "in,", "in.": return isCharge ? "" : Self.decimal(payment.units, name.suffix(1))
        case "=,", "=.": return Self.decimal(balance, name.suffix(1))
        case "1,23", "1.23": return Self.decimal(abs(payment.units), name.dropFirst().prefix(1))
        case "-1.234": return Self.whole(payment.units)
        case "=1.234": return Self.whole(balance)
        case "-1,23", "-1.23": return Self.decimal(payment.units, name.dropFirst(2).prefix(1))
        case "+1.23": return Self.decimal(-payment.units, ".")
        case "-1.234,56": return Self.decimal(payment.units, ",", group: ".")
        case "-1,234.56": return Self.decimal(payment.units, ".", group: ",")
        case "-1 234,56": return Self.decimal(payment.units, ",", group: "\u{202F}")
        case "-1 234,56 €": return Self.decimal(payment.units, ",", group: "\u{2009}") + " €"
        case "−1,23": return Self.decimal(payment.units, ",").replacingOccurrences(of: "-", with: "\u{2212}")
        case "–1.23": return Self.decimal(payment.units, ".").replacingOccurrences(of: "-", with: "\u{2013}")
        case "(1.23)": return isCharge ? "(\(Self.decimal(-payment.units, ".")))" : Self.decimal(payment.units, ".")
        case "1,23-": return Self.decimal(abs(payment.units), ",") + (isCharge ? "-" : "+")
        default:
            let words = name.split(separator: "|", omittingEmptySubsequences: false)
            if words.count == 2 { return String(isCharge ? words[0] : words[1]) }
            return date(name, payment.on)
        }
    }

    private func date(_ pattern: String, _ day: CalendarDay) -> String {
        let parts = day.components
        let two = StatementWriter.two
        var text = pattern
        if let months = Self.months[language] {
            text = text.replacingOccurrences(of: "MMM", with: months[parts.month - 1])
        }
        for (name, value) in [
            ("yyyy", "\(parts.year)"), ("yy", two(parts.year % 100)), ("MM", two(parts.month)), ("dd", two(parts.day)),
        ] { text = text.replacingOccurrences(of: name, with: value) }
        return text
    }

    static let months: [String: [String]] = [
        "en": ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"],
        "fr": [
            "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
        ],
        "de": [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
            "Dezember",
        ],
        "nl": ["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
        "es": ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"],
        "it": [
            "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
            "novembre", "dicembre",
        ],
    ]

    /// Of a currency without decimals.
    private static func whole(_ units: Int64) -> String {
        var digits = "\(abs(units))"
        for place in [3, 7] where digits.utf8.count > place {
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -place))
        }
        return (units < 0 ? "-" : "") + digits
    }

    private static func decimal(_ units: Int64, _ mark: some StringProtocol, group: String = "") -> String {
        StatementWriter.decimal(units, String(mark), group: group)
    }
}

/// Writes texts in the encodings of banks.
enum TestEncoding {
    static func bytes(_ text: String, _ encoding: StatementEncoding) -> [UInt8] {
        switch encoding {
        case .utf8: return Array(text.utf8)
        case .utf16:
            return [0xFF, 0xFE]
                + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        default:
            let table = tables[encoding] ?? [:]
            return text.unicodeScalars.map { scalar in
                if let byte = table[scalar] { return byte }
                return scalar.value < 0x80 || encoding == .windows1252 || encoding == .iso8859p15
                    ? UInt8(truncatingIfNeeded: scalar.value) : 0x3F
            }
        }
    }

    /// Those in which the same texts can be written.
    static let western: [StatementEncoding] = [
        .utf8, .windows1252, .utf16, .iso8859p15, .windows1250, .iso8859p2, .windows1251, .macRoman, .cp850,
    ]

    private static let tables: [StatementEncoding: [Unicode.Scalar: UInt8]] = [
        .windows1252: table("€", [0x80]), .iso8859p15: table("€", [0xA4]),
        .windows1250: table(
            "ąćęłńóśźżŁŚŻřšťůýžáčďéěíňúŘÁÍÉőűöüŐß",
            [
                0xB9, 0xE6, 0xEA, 0xB3, 0xF1, 0xF3, 0x9C, 0x9F, 0xBF, 0xA3, 0x8C, 0xAF, 0xF8, 0x9A, 0x9D, 0xF9, 0xFD,
                0x9E,
                0xE1, 0xE8, 0xEF, 0xE9, 0xEC, 0xED, 0xF2, 0xFA, 0xD8, 0xC1, 0xCD, 0xC9, 0xF5, 0xFB, 0xF6, 0xFC, 0xD5,
                0xDF,
            ]),
        .iso8859p2: table(
            "ąćęłńóśźżŁŚŻřšťůýžáčďéěíňúŘ",
            [
                0xB1, 0xE6, 0xEA, 0xB3, 0xF1, 0xF3, 0xB6, 0xBC, 0xBF, 0xA3, 0xA6, 0xAF, 0xF8, 0xB9, 0xBB, 0xF9, 0xFD,
                0xBE,
                0xE1, 0xE8, 0xEF, 0xE9, 0xEC, 0xED, 0xF2, 0xFA, 0xD8,
            ]),
        .windows1251: Dictionary(
            uniqueKeysWithValues: (0x410...0x44F).compactMap { value in
                Unicode.Scalar(value as Int).map { ($0, UInt8(value - 0x410 + 0xC0)) }
            }),
        .macRoman: table(
            "éèêàâçôûùîÉäöüß€",
            [
                0x8E, 0x8F, 0x90, 0x88, 0x89, 0x8D, 0x99, 0x9E, 0x9D, 0x94, 0x83, 0x8A, 0x9A, 0x9F, 0xA7, 0xDB,
            ]),
        .cp850: table(
            "éèêàâçôûùîÉäöüßÄÖÜ",
            [
                0x82, 0x8A, 0x88, 0x85, 0x83, 0x87, 0x93, 0x96, 0x97, 0x8C, 0x90, 0x84, 0x94, 0x81, 0xE1, 0x8E, 0x99,
                0x9A,
            ]),
    ]

    private static func table(_ letters: String, _ bytes: [UInt8]) -> [Unicode.Scalar: UInt8] {
        Dictionary(uniqueKeysWithValues: zip(letters.unicodeScalars, bytes))
    }
}
