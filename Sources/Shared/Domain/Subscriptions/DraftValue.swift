import Foundation

/// Reads the texts of a draft.
enum DraftValue {
    static func day(_ text: String, _ field: SubscriptionField) throws(InvalidField) -> CalendarDay {
        guard let day = CalendarDay(iso: text) else {
            throw invalid(field, "Must be a day that exists, written YYYY-MM-DD.")
        }
        return day
    }

    static func optionalDay(_ text: String, _ field: SubscriptionField) throws(InvalidField) -> CalendarDay? {
        text.isEmpty ? nil : try day(text, field)
    }

    static func cycle(_ text: String) throws(InvalidField) -> BillingCycle {
        guard let cycle = BillingCycle(wire: text.lowercased()) else {
            throw invalid(
                .cycle,
                "Must be daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime or every:18m.")
        }
        return cycle
    }

    static func id(_ text: String, _ field: SubscriptionField) throws(InvalidField) -> UUID {
        guard text.utf8.count == 36, let id = UUID(uuidString: text) else { throw invalid(field, "Must be a UUID.") }
        return id
    }

    static func optionalID(_ text: String, _ field: SubscriptionField) throws(InvalidField) -> UUID? {
        text.isEmpty ? nil : try id(text, field)
    }

    static func count(_ text: String, _ field: SubscriptionField) throws(InvalidField) -> Int {
        if text.isEmpty { return 0 }
        guard let count = Int(text), count >= 0 else { throw invalid(field, "Must be a whole number.") }
        return count
    }

    static func flag(_ text: String, _ field: SubscriptionField) throws(InvalidField) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "1", "oui", "vrai": return true
        case "false", "no", "0", "", "non", "faux": return false
        default: throw invalid(field, "Must be true or false.")
        }
    }

    private static func invalid(_ field: SubscriptionField, _ detail: String) -> InvalidField {
        InvalidField(field: field.rawValue, code: "invalid_format", detail: detail)
    }
}
