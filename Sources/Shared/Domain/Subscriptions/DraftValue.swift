import Foundation

/// Reads the texts of a draft.
enum DraftValue {
    static func day(_ text: String, _ field: SubscriptionField) throws(Fault) -> CalendarDay {
        guard let day = CalendarDay(iso: text) else {
            throw Fault(field.rawValue, .invalidDay, "Must be a day that exists, written YYYY-MM-DD.")
        }
        return day
    }

    static func optionalDay(_ text: String, _ field: SubscriptionField) throws(Fault) -> CalendarDay? {
        text.isEmpty ? nil : try day(text, field)
    }

    static func cycle(_ text: String) throws(Fault) -> BillingCycle {
        guard let cycle = BillingCycle(wire: text.lowercased()) else {
            throw Fault(
                SubscriptionField.cycle.rawValue, .unknownCycle,
                "Must be daily, weekly, biweekly, monthly, quarterly, semi_annual, yearly, lifetime or every:18m.")
        }
        return cycle
    }

    static func id(_ text: String, _ field: SubscriptionField) throws(Fault) -> UUID {
        guard text.utf8.count == 36, let id = UUID(uuidString: text) else {
            throw Fault(field.rawValue, .invalidID, "Must be a UUID.")
        }
        return id
    }

    static func optionalID(_ text: String, _ field: SubscriptionField) throws(Fault) -> UUID? {
        text.isEmpty ? nil : try id(text, field)
    }

    static func count(_ text: String, _ field: SubscriptionField) throws(Fault) -> Int {
        if text.isEmpty { return 0 }
        guard let count = Int(text), count >= 0 else {
            throw Fault(field.rawValue, .invalidType, "Must be a whole number.")
        }
        return count
    }

    static func flag(_ text: String, _ field: SubscriptionField) throws(Fault) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "1", "oui", "vrai": return true
        case "false", "no", "0", "", "non", "faux": return false
        default: throw Fault(field.rawValue, .unknownValue, "Must be true or false.")
        }
    }
}
