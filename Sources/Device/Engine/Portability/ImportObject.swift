import Foundation
import JSONWire
import SubGuardDomain

/// The sections of a JSON export other than subscriptions, in import order.
enum ImportSection: String, CaseIterable {
    case people
    case formerPeople = "former_people"
    case groups
    case expenses
    case repayments
    case transactions
    case budgets

    /// Whether the section must be imported before subscriptions, which refer to it.
    var isBeforeSubscriptions: Bool { [.people, .formerPeople, .groups].contains(self) }
}

/// Reads the members of an element. Throws `Fault` with the name of the member.
struct ImportObject {
    let object: JSONObject

    init(_ element: JSONValue) throws {
        guard let object = element.objectValue else {
            throw Fault("row", .invalidType, "Must be an object.")
        }
        self.object = object
    }

    /// Nil when the member is missing or null.
    func text(_ name: String) throws -> String? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let text = value.plainText else { throw Fault(name, .invalidType, "Must be a string or a number.") }
        return text
    }

    func required(_ name: String) throws -> String {
        guard let text = try text(name) else {
            throw Fault(name, .required, "Is required.")
        }
        return text
    }

    func texts(_ name: String) throws -> [String]? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let texts = value.arrayValue?.map(\.stringValue), texts.allSatisfy({ $0 != nil }) else {
            throw Fault(name, .invalidType, "Must be an array of strings.")
        }
        return texts.compactMap { $0 }
    }

    func id(_ name: String) throws -> UUID? { try text(name).map { try Self.id($0, name) } }

    func ids(_ name: String) throws -> [UUID]? { try texts(name)?.map { try Self.id($0, name) } }

    func objects(_ name: String) throws -> [ImportObject]? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let elements = value.arrayValue else { throw Fault(name, .invalidType, "Must be an array of objects.") }
        return try elements.map { try ImportObject($0) }
    }

    func flag(_ name: String) throws -> Bool? {
        try text(name).map { text in
            guard let flag = Bool(text) else { throw Fault(name, .unknownValue, "Must be true or false.") }
            return flag
        }
    }

    func day(_ name: String) throws -> CalendarDay? {
        try text(name).map { text in
            guard let day = CalendarDay(iso: text) else {
                throw Fault(name, .invalidDay, "Must be an existing date, such as 2027-01-15.")
            }
            return day
        }
    }

    func instant(_ name: String) throws -> UTCInstant? {
        try text(name).map { text in
            guard let instant = UTCInstant(rfc3339: text) else {
                throw Fault(name, .invalidTimestamp, "Must be a timestamp such as 2026-11-20T10:00:00Z.")
            }
            return instant
        }
    }

    /// An amount in the currency of the member `currency`; greater than 0.
    func money(_ name: String) throws -> Money {
        let currency = try FieldRules.currency(try required("currency"))
        return try FieldRules.positive(try FieldRules.amount(try required(name), currency, field: name), field: name)
    }

    /// A member with a value of an enumeration.
    func word<Word: RawRepresentable & CaseIterable>(_ name: String, of type: Word.Type) throws -> Word
    where Word.RawValue == String {
        let text = try required(name)
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(name, .unknownValue, "Must be one of \(words).")
        }
        return word
    }

    /// Payers with amounts in minor units: `<id>=<number>`, separated by commas.
    func payers(_ name: String) throws -> [PersonAmount] {
        let text = try required(name)
        guard let payers = try? PersonAmountText.amounts(text) else {
            throw Fault(name, .invalidFormat, Self.peopleForm)
        }
        return payers
    }

    /// A split, from the members `split` and `parts`.
    func split() throws -> Split {
        let kind = try word("split", of: SplitKind.self)
        guard let split = try? PersonAmountText.split(kind.rawValue, try required("parts")) else {
            throw Fault("parts", .invalidFormat, Self.peopleForm)
        }
        return split
    }

    private static let peopleForm: Sentence = "Must be ids, or ID=number pairs, separated by commas."

    private static func id(_ text: String, _ name: String) throws -> UUID {
        guard text.utf8.count == 36, let id = UUID(uuidString: text) else {
            throw Fault(name, .invalidID, "Must be a UUID.")
        }
        return id
    }
}
