import Foundation

/// The fields of a subscription that can be set from text: command-line flags, CSV columns, JSON members. The raw value
/// is the name on the wire.
public enum SubscriptionField: String, Sendable, Hashable, CaseIterable {
    case id
    case name
    case amount
    case currency
    case cycle
    /// The next billing day.
    case nextBillingOn = "next_billing_on"
    /// The first billing day, from which the others are computed; replaces the next one.
    case anchorOn = "anchor_on"
    /// The first day, today or before. Charges from then until the day of entry are taken as made.
    case startedOn = "started_on"
    /// `pro` or `personal`.
    case scope
    /// A category; `pro` and `personal`, which were categories once, set the scope.
    case category
    /// `active`, `trial`, `paused` or `cancelled`; anything but active takes effect on the day of entry.
    case status
    /// The first day of the trial that ends on ``trialEndsOn``.
    case trialStartsOn = "trial_starts_on"
    case trialEndsOn = "trial_ends_on"
    case trialConverts = "trial_converts"
    case remind
    case details
    case notes
    case website
    case paymentMethod = "payment_method"
    case icon
    case color
    case catalogueItemID = "catalogue_item_id"
    case contractEndsOn = "contract_ends_on"
    case minimumMonths = "minimum_months"
    case extensionMonths = "extension_months"
    case noticeDays = "notice_days"
    case endsOn = "ends_on"
    case isVariable = "variable"
    case bundledIn = "bundled_in"
    case replacedBy = "replaced_by"
}

/// Field values as text. An empty text clears an optional field.
public typealias SubscriptionDraft = [SubscriptionField: String]

/// Parses the values of a draft.
enum DraftValue {
    static func day(_ text: String, _ field: SubscriptionField) throws(Fault) -> CalendarDay {
        guard let day = CalendarDay(iso: text) else {
            throw Fault(field.rawValue, .invalidDay, "Must be an existing date, such as 2027-01-15.")
        }
        return day
    }

    static func optionalDay(_ text: String, _ field: SubscriptionField) throws(Fault) -> CalendarDay? {
        text.isEmpty ? nil : try day(text, field)
    }

    static func cycle(_ text: String) throws(Fault) -> BillingCycle {
        guard let cycle = BillingCycle(wire: text.lowercased()) else {
            guard !CycleText.isTwiceAMonth(text) else {
                throw Fault(
                    SubscriptionField.cycle.rawValue, .unknownCycle,
                    "Twice a month is not supported. Use two monthly subscriptions, or biweekly for every two weeks.")
            }
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
