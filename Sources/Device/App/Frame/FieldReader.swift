import HTML
import SubGuardDomain
import SubGuardEngine

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
        let currency = read { form throws(Fault) -> Currency in
            try FieldRules.currency((form["currency"] ?? "").trimmingBlanks.uppercased())
        }
        let amount = read { form throws(Fault) -> Money in
            // Without a known currency, whether it is an amount at all.
            let known = if let currency { currency } else { try FieldRules.currency("KWD") }
            let decimal = try AmountText.decimal(form["amount"] ?? "", in: known, field: "amount")
            return try FieldRules.positive(try FieldRules.amount(decimal, known), field: "amount")
        }
        return currency == nil ? nil : amount
    }

    mutating func day(_ name: String) -> CalendarDay? {
        read { form throws(Fault) -> CalendarDay in
            guard let day = CalendarDay(iso: form[name] ?? "") else {
                throw Fault(name, .invalidDay, "Must be a date such as 2027-01-15.")
            }
            return day
        }
    }

    mutating func name(_ field: String) -> String? {
        read { form throws(Fault) -> String in try FieldRules.name(form[field] ?? "", field: field) }
    }

    /// Throws the faults that were noted.
    func finish() throws {
        if let error = DeviceStoreError.of(faults) { throw error }
    }
}
