import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine
import TextCoding

extension FormFields {
    /// What was typed, without blanks around it; empty without the field.
    func trimmed(_ name: String) -> String { (self[name] ?? "").trimmingBlanks }

    /// A code such as that of a currency, in upper case.
    func code(_ name: String) -> String { trimmed(name).uppercased() }

    func ids(_ name: String) -> [UUID] { values(name).compactMap { UUID(uuidString: $0) } }

    /// - Parameter missing: what is said without it.
    func id(_ name: String, missing: String) throws(AppRefusal) -> UUID {
        guard let id = self[name].flatMap({ UUID(uuidString: $0) }) else { throw .unreadable(missing) }
        return id
    }

    func day(_ name: String) throws(Fault) -> CalendarDay {
        guard let day = CalendarDay(iso: trimmed(name)) else {
            throw Fault(name, .invalidDay, "Must be a date such as 2027-01-15.")
        }
        return day
    }

    /// Nil for an empty field.
    func passphrase() -> Passphrase? { self["passphrase"].flatMap { $0.isEmpty ? nil : Passphrase($0) } }
}

extension String {
    /// Without blanks and line ends around it.
    var trimmingBlanks: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// With its first letter in upper case.
    var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}

// A form that changes something has the values that its page showed, so that it changes only what was typed: what
// another person else has changed since is no edit of the form.

extension FormFields {
    static func shownName(_ name: String) -> String { "shown_\(name)" }

    /// What was typed in a field; nil when it is what the page showed, and without the field.
    func edited(_ name: String) -> String? {
        guard let typed = self[name]?.trimmingBlanks, typed != shown(name)?.trimmingBlanks else { return nil }
        return typed
    }

    /// Puts what was typed in the place of a value, if it was.
    func edit(_ value: inout String, _ name: String) { value = edited(name) ?? value }

    /// The value that the page showed; nil when the form does not say.
    func shown(_ name: String) -> String? { self[Self.shownName(name)] }

    /// Whether a box was ticked or unticked; nil when it is as the page showed it.
    func editedTick(_ name: String) -> Bool? {
        let isTicked = self[name] != nil
        return shown(name) == (isTicked ? "on" : "") ? nil : isTicked
    }
}

/// Reads the fields of a form one by one and collects their faults, so that all are named at once.
struct FieldReader {
    private let form: FormFields
    private(set) var faults = FaultList()

    init(_ form: FormFields) { self.form = form }

    /// The value; nil after its fault was noted.
    mutating func read<Value>(_ body: (FormFields) throws(Fault) -> Value) -> Value? {
        do throws(Fault) {
            return try body(form)
        } catch {
            faults.note(error)
            return nil
        }
    }

    /// The fields `amount` and `currency`.
    mutating func money() -> Money? {
        let (amount, currency) = amount()
        guard let amount else { return nil }
        let money = read { _ throws(Fault) -> Money in
            // Without a known currency, whether it is an amount at all.
            let known = if let currency { currency } else { try FieldRules.currency("KWD") }
            return try FieldRules.positive(try FieldRules.amount(amount, known), field: "amount")
        }
        return currency == nil ? nil : money
    }

    /// The same in the form of the contract.
    mutating func amount() -> (decimal: String?, currency: Currency?) {
        let currency = read { form throws(Fault) -> Currency in try FieldRules.currency(form.code("currency")) }
        let decimal = read { form throws(Fault) -> String in
            let known = if let currency { currency } else { try FieldRules.currency("KWD") }
            return try AmountText.decimal(form["amount"] ?? "", in: known, field: "amount")
        }
        return (decimal, currency)
    }

    mutating func day(_ name: String) -> CalendarDay? {
        read { form throws(Fault) -> CalendarDay in try form.day(name) }
    }

    mutating func name(_ field: String) -> String? {
        read { form throws(Fault) -> String in try FieldRules.name(form[field] ?? "", field: field) }
    }

    /// Throws the faults that were noted.
    func finish() throws {
        if let error = DeviceStoreError.of(faults) { throw error }
    }
}

// A form for something new has a key, made when it is shown. The id of what it adds follows from the key and from what
// was typed: the same form sent twice adds one thing, and with other words it adds another.

extension AppVisit {
    static let formKeyName = FormFields.shownName("form")

    /// The key of a form for something new; that of a sent form which is shown again.
    var formKey: String { sent?.fields[Self.formKeyName] ?? store.makeID(moment).lowercased }

    /// The id of what a form adds.
    func newID(_ form: FormFields) -> UUID {
        guard form[Self.formKeyName]?.isEmpty == false else { return store.makeID(moment) }
        let fields = PercentCoding.encode(pairs: form.fields.map { ($0.name, $0.value) })
        return DerivedID.of("form \(request.path)?\(fields)")
    }
}

extension HTMLWriter {
    /// A form that adds something.
    mutating func adding(
        _ visit: AppVisit, _ link: HTMLLink, _ style: StaticString, _ attribute: HTMLAttribute,
        content: (inout HTMLWriter) -> Void
    ) {
        post(link, style, attribute) { html in
            html.hidden(AppVisit.formKeyName, visit.formKey)
            content(&html)
        }
    }
}

extension DeviceStoreError {
    /// The page of what a form has added before; nil for any other error.
    var addedBefore: HTMLLink? {
        guard case .duplicate(let entity, let id) = self, let id = UUID(uuidString: id) else { return nil }
        return switch entity {
        case .subscription: SubscriptionPages.link(id)
        case .person: PersonPages.link(id)
        case .group: GroupPages.link(id)
        case .expense: ExpensePages.link(id)
        case .transaction: TransactionPages.link(id)
        default: TogetherPages.link
        }
    }
}
