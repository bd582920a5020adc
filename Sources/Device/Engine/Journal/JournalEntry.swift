import JSONWire
public import SubGuardDomain

/// What a change of the journal did.
public enum JournalKind: String, Sendable, Hashable, CaseIterable {
    case subscriptionAdded = "subscription_added"
    case subscriptionEdited = "subscription_edited"
    case subscriptionDeleted = "subscription_deleted"
    case priceSet = "price_set"
    case stateSet = "state_set"
    case chargeConfirmed = "charge_confirmed"
    case chargeSkipped = "charge_skipped"
    case chargePaid = "charge_paid"
    case personSaved = "person_saved"
    case personDeleted = "person_deleted"
    /// A photo came in the place of what a person had.
    case photoSet = "photo_set"
    case shareSaved = "share_saved"
    case groupSaved = "group_saved"
    case groupDeleted = "group_deleted"
    case expenseSaved = "expense_saved"
    case expenseDeleted = "expense_deleted"
    case transactionSaved = "transaction_saved"
    case transactionDeleted = "transaction_deleted"
    case budgetSet = "budget_set"
    case budgetDeleted = "budget_deleted"
    case rateSet = "rate_set"
    case repaymentSaved = "repayment_saved"
    case repaymentDeleted = "repayment_deleted"
    case receiptAdded = "receipt_added"
    case receiptDeleted = "receipt_deleted"
    case settingSet = "setting_set"
    case imported = "imported"
    case statementImported = "statement_imported"
    case merged = "merged"
    case restored = "restored"
}

/// The values that the description of a change names.
public struct JournalDetails: Sendable, Hashable {
    /// The subscription, person, group, expense, transaction, category or setting.
    public var name: String?
    public var amount: Money?
    public var on: CalendarDay?
    /// The new state, for ``JournalKind/stateSet``.
    public var state: SubscriptionState?
    /// The new value of a setting; the exchange rate.
    public var value: String?
    /// The changed fields, by the names of their registers.
    public var fields: [String] = []
    /// Rows that came, changed and went.
    public var added = 0
    public var changed = 0
    public var removed = 0
    /// How many of the added rows are subscriptions and charges, for what adds many rows at once.
    public var subscriptions = 0
    public var charges = 0

    public init() {}
}

/// One change that can be taken back.
public struct JournalEntry: Sendable, Hashable, Identifiable {
    public var id: Int64
    public var at: UTCInstant
    public var kind: JournalKind
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
