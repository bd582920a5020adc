import JSONWire
public import SubGuardDomain

/// What a change of the journal did.
public enum JournalKind: String, Sendable, Hashable, CaseIterable {
    /// A subscription was added, by itself and not with a file.
    case subscriptionAdded = "subscription_added"
    /// Fields of a subscription were edited; ``JournalDetails/fields`` has them.
    case subscriptionEdited = "subscription_edited"
    /// A subscription was deleted, with its charges, prices, states and share.
    case subscriptionDeleted = "subscription_deleted"
    /// A price was set from a day on, or such a price was removed.
    case priceSet = "price_set"
    /// A subscription was paused, cancelled or resumed, or a pause was removed.
    case stateSet = "state_set"
    /// One or several charges were confirmed.
    case chargeConfirmed = "charge_confirmed"
    /// One or several charges were skipped: they did not happen.
    case chargeSkipped = "charge_skipped"
    /// The amount paid for a charge was recorded.
    case chargePaid = "charge_paid"
    /// A person was added or changed.
    case personSaved = "person_saved"
    /// A person was deleted.
    case personDeleted = "person_deleted"
    /// A photo came in the place of what a person had.
    case photoSet = "photo_set"
    /// The way in which a subscription's cost is split was set, changed or ended.
    case shareSaved = "share_saved"
    /// A group was added or changed.
    case groupSaved = "group_saved"
    /// A group was deleted, with its expenses and repayments.
    case groupDeleted = "group_deleted"
    /// A group expense was added or changed.
    case expenseSaved = "expense_saved"
    /// A group expense was deleted.
    case expenseDeleted = "expense_deleted"
    /// A single payment or income was added or changed.
    case transactionSaved = "transaction_saved"
    /// A single payment or income was deleted.
    case transactionDeleted = "transaction_deleted"
    /// A spending limit was set.
    case budgetSet = "budget_set"
    /// A spending limit was deleted.
    case budgetDeleted = "budget_deleted"
    /// The user set an exchange rate.
    case rateSet = "rate_set"
    /// A repayment was recorded.
    case repaymentSaved = "repayment_saved"
    /// A repayment was deleted; no call does that now, but the journal of an earlier build may have it.
    case repaymentDeleted = "repayment_deleted"
    /// The file of a receipt was added.
    case receiptAdded = "receipt_added"
    /// The file of a receipt was deleted.
    case receiptDeleted = "receipt_deleted"
    /// One or several settings were set, or set back to their defaults.
    case settingSet = "setting_set"
    /// A file with subscriptions, or the sheet of a group, was imported.
    case imported = "imported"
    /// Bank statements were imported.
    case statementImported = "statement_imported"
    /// A backup was merged into the database.
    case merged = "merged"
    /// A backup replaced all data.
    case restored = "restored"
}

/// The values that the description of a change names.
public struct JournalDetails: Sendable, Hashable {
    /// The subscription, person, group, expense, transaction, category or setting.
    public var name: String?
    /// The new price, amount or limit, or what was paid; nil where no amount was set.
    public var amount: Money?
    /// The first day of a price, state or exchange rate, or the day of a charge; nil for several charges.
    public var on: CalendarDay?
    /// The new state, for ``JournalKind/stateSet``.
    public var state: SubscriptionState?
    /// The new value of a setting; the exchange rate.
    public var value: String?
    /// The changed fields, by the names of their registers.
    public var fields: [String] = []
    /// Rows that came; 1 for a single row that is new.
    public var added = 0
    /// Rows that changed; how many charges or settings were changed at once, when several.
    public var changed = 0
    /// Rows that went; 1 for a price or state that was removed.
    public var removed = 0
    /// How many of the added rows are subscriptions; only for imports, merges and restores.
    public var subscriptions = 0
    /// How many of the added rows are charges; only for imports, merges and restores.
    public var charges = 0
}

/// One change that can be taken back.
public struct JournalEntry: Sendable, Hashable, Identifiable {
    /// Increases with every change; the same while the journal has the change.
    public var id: Int64
    /// When the change was made, by the device's clock.
    public var at: UTCInstant
    /// What the change did.
    public var kind: JournalKind
    /// The values for a description of the change.
    public var details: JournalDetails
    /// Whether it was taken back, and can be made again.
    public var isUndone: Bool
}

/// A value that an undo left as it is, because something else changed it after the change that was taken back.
public struct JournalRest: Sendable, Hashable {
    /// The table, such as `subscriptions`.
    public var table: String
    /// The name of the subscription, person or group, if any.
    public var name: String?
    /// The field, or the group of fields that change together; nil for a whole row.
    public var field: String?
}

/// The result of an undo or a redo.
public struct JournalReport: Sendable, Hashable {
    /// What was taken back or made again, in this order.
    public var entries: [JournalEntry] = []
    /// What stayed as it is.
    public var left: [JournalRest] = []
}

extension JournalDetails {
    var wire: String {
        JSONWriter.text { json in
            if let name { json.field("name", name) }
            if let amount {
                json.field("amount", amount.decimal)
                json.field("currency", amount.currency.code)
            }
            if let on { json.field("on", on.iso) }
            if let state { json.field("state", state.rawValue) }
            if let value { json.field("value", value) }
            if !fields.isEmpty { json.field("fields", fields.joined(separator: ",")) }
            let counts = [
                ("added", added), ("changed", changed), ("removed", removed), ("subscriptions", subscriptions),
                ("charges", charges),
            ]
            for (name, count) in counts where count > 0 {
                json.field(name, count)
            }
        }
    }

    /// What cannot be read is left out: a description never stands in the way of an undo.
    init(wire: String) {
        guard let object = (try? JSONValue.parse(Array(wire.utf8)))?.objectValue else { return }
        name = object["name"]?.stringValue
        if let currency = object["currency"]?.stringValue.flatMap({ Currency(code: $0) }),
            let decimal = object["amount"]?.stringValue
        {
            amount = try? Money(decimal: decimal, currency: currency)
        }
        on = object["on"]?.stringValue.flatMap { CalendarDay(iso: $0) }
        state = object["state"]?.integerValue.flatMap { SubscriptionState(rawValue: Int($0)) }
        value = object["value"]?.stringValue
        fields = object["fields"]?.stringValue?.split(separator: ",").map(String.init) ?? []
        let count = { (name: String) in object[name]?.integerValue.map { Int($0) } ?? 0 }
        (added, changed, removed) = (count("added"), count("changed"), count("removed"))
        (subscriptions, charges) = (count("subscriptions"), count("charges"))
    }
}
