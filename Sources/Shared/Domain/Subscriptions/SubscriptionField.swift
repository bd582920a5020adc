/// The fields of a subscription that can be given as text: on a command line, in a CSV column, in a JSON member. The raw
/// value is the name on the wire.
public enum SubscriptionField: String, Sendable, Hashable, CaseIterable {
    case id
    case name
    case amount
    case currency
    case cycle
    /// The next or the first billing day.
    case nextBillingOn = "next_billing_on"
    /// The first billing day of all, from which the others are counted; with it the next one need not be given.
    case anchorOn = "anchor_on"
    case category
    /// `active`, `trial`, `paused` or `cancelled`; anything but active takes effect on the day of entry.
    case status
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

/// Values of some fields as text. An empty text takes an optional value away.
public typealias SubscriptionDraft = [SubscriptionField: String]
