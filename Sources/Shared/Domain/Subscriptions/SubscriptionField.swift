import Foundation

/// The fields of a subscription that can be set from text: command-line flags, CSV columns, JSON members. The raw value
/// is the name on the wire.
public enum SubscriptionField: String, Sendable, Hashable, CaseIterable {
    /// A UUID for the new subscription, instead of a new one; ignored by edits.
    case id
    /// The name: 1…200 characters. Required.
    case name
    /// The price of one charge with a decimal point, such as `29.90`, greater than 0. Required.
    case amount
    /// An ISO 4217 code such as `EUR`, in upper or lower case. Required.
    case currency
    /// The wire form of a ``BillingCycle``, such as `monthly` or `every:18m`. Required.
    case cycle
    /// The next billing day.
    case nextBillingOn = "next_billing_on"
    /// The first billing day, from which the others are computed; replaces the next one. Ignored by edits.
    case anchorOn = "anchor_on"
    /// The first day, today or before. Charges from then until the day of entry are taken as made.
    case startedOn = "started_on"
    /// `pro` or `personal`.
    case scope
    /// A category; `pro` and `personal`, which were categories once, set the scope.
    case category
    /// `active`, `trial`, `paused`, `cancelled` or `ended`; a change takes effect on the day of entry.
    case status
    /// The first day of the cancellation, whether that is in force or planned; says more than ``status``.
    case cancelsOn = "cancels_on"
    /// The first day of the trial that ends on ``trialEndsOn``.
    case trialStartsOn = "trial_starts_on"
    /// The last day of the trial, such as `2027-01-15`; empty for no trial.
    case trialEndsOn = "trial_ends_on"
    /// Whether it is charged after the trial: `true`, the default, or `false`. Ignored without a trial.
    case trialConverts = "trial_converts"
    /// The reminders, such as `7,1`, `default` or `none`; see ``ReminderPlan/init(wire:)``.
    case remind
    /// A description of at most 10,000 characters.
    case details
    /// Notes of at most 10,000 characters, also on several lines.
    case notes
    /// An https or http link, or one without a scheme, such as `netflix.com/account`.
    case website
    /// How it is paid, in at most 200 characters, such as `App Store`.
    case paymentMethod = "payment_method"
    /// The name of an icon, which the client defines; at most 200 characters.
    case icon
    /// A colour such as `#9FE870`.
    case color
    /// The UUID of the catalogue item that it is linked to.
    case catalogueItemID = "catalogue_item_id"
    /// The last day of the current contract term, such as `2027-01-15`.
    case contractEndsOn = "contract_ends_on"
    /// The minimum term in months from the first day on, 0…240; empty is 0.
    case minimumMonths = "minimum_months"
    /// Months by which the contract is extended unless cancelled, 0…240; empty is 0.
    case extensionMonths = "extension_months"
    /// The notice period in days before the end of the term, 0…730; empty is 0.
    case noticeDays = "notice_days"
    /// The last day of a fixed term, after which nothing is charged, such as `2027-01-15`.
    case endsOn = "ends_on"
    /// `true` for an amount that differs from charge to charge; the price is then an estimate. `variable` on the wire.
    case isVariable = "variable"
    /// The UUID of the subscription that includes this one; its own price is then not counted.
    case bundledIn = "bundled_in"
    /// The UUID of the subscription that replaced this one; its cost reduces the saving of a cancellation.
    case replacedBy = "replaced_by"

    /// Those whose dates are read as people write them.
    package static let days: [SubscriptionField] = [
        .nextBillingOn, .startedOn, .cancelsOn, .trialStartsOn, .trialEndsOn, .contractEndsOn, .endsOn,
    ]
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
