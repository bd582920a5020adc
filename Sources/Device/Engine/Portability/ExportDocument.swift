import Foundation
package import JSONWire
import SQLDatabase
public import SubGuardDomain
import TextCoding

/// JSON export of all data: amounts and days as text.
struct ExportDocument {
    static let format = "subguard-export"
    static let version: Int64 = 1

    let store: DeviceStore
    let moment: Moment

    func text() throws -> String {
        try JSONWriter.text(capacity: 1 << 16) { json in
            json.field("format", Self.format)
            json.field("version", Self.version)
            json.field("exported_at", moment.now.rfc3339)
            try json.array("subscriptions", try store.subscriptions.all()) { try subscription($1, &$0) }
            try writeSharing(&json)
        } + "\n"
    }

    private func subscription(_ subscription: Subscription, _ json: inout JSONWriter) throws {
        let draft = subscription.draft(today: moment.today)
        for field in SubscriptionField.allCases where draft[field] != nil {
            switch field {
            case .isVariable: json.field(field.rawValue, subscription.isVariable)
            case .trialConverts: json.field(field.rawValue, subscription.trial?.converts)
            default: json.field(field.rawValue, draft[field])
            }
        }
        json.array("prices", subscription.priceHistory) { json, price in
            json.field("from", price.from.iso)
            json.field("amount", price.amount.decimal)
            json.field("currency", price.amount.currency.code)
        }
        json.array("states", subscription.stateHistory) { json, state in
            json.field("from", state.from.iso)
            json.field("state", state.state.wire)
        }
        json.array("history", try store.ledger.history(subscription.id, at: moment)) { json, entry in
            json.field("billing_on", entry.occurrence.billingOn.iso)
            json.field("status", entry.status.rawValue)
            json.field("amount", entry.amount.decimal)
            json.field("currency", entry.amount.currency.code)
            if entry.isBeforeEntry { json.field("assumed", true) }
            if entry.isBeforeEntry, !entry.isAssumed { json.field("confirmed", true) }
            if let paid = entry.paid { json.field("paid", paid.decimal) }
        }
        try writeShare(subscription, &json)
    }
}

extension DeviceStore.Portability {
    /// Exports all data as text. Formats other than JSON require premium; see `PremiumGate`.
    public func export(_ format: ExportFormat, language: DisplayLanguage = .english, at moment: Moment) throws -> String
    {
        try DeviceStore.mapping {
            try PremiumGate(isPremium: try store.premium.isActive(at: moment)).requireExport(format)
        }
        switch format {
        case .csv: return try csv(at: moment)
        case .json: return try ExportDocument(store: store, moment: moment).text()
        case .ical: return try CalendarExport(store: store, language: language, moment: moment).text()
        case .ledger: return AccountingText(.ledger).text(try charges(at: moment))
        case .beancount: return AccountingText(.beancount).text(try charges(at: moment))
        }
    }

    private func csv(at moment: Moment) throws -> String {
        let fields = SubscriptionField.allCases
        let rows = try store.subscriptions.all().map { subscription in
            let draft = subscription.draft(today: moment.today)
            // An empty cell says nothing, so that the reminders of all subscriptions would hold.
            return fields.map { draft[$0] == "" && $0 == .remind ? ReminderPlan.noneWord : draft[$0] ?? "" }
        }
        var writer = CSVWriter()
        for row in [fields.map(\.rawValue)] + rows { writer.guardedRecord(row) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Past charges, in order of the days.
    private func charges(at moment: Moment) throws -> [AccountingText.Entry] {
        let kinds = try store.read { try SubscriptionKind.all($0) }
        return try store.ledger.occurrences(from: .earliest, through: moment.today, at: moment)
            .filter { $0.fate != .skipped && ($0.billingOn < moment.today || $0.fate != .open) }
            .map { occurrence in
                let kind = kinds[occurrence.id.subscriptionID]
                return AccountingText.Entry(
                    day: occurrence.billingOn, payee: occurrence.name, scope: kind?.scope ?? .personal,
                    category: kind?.category ?? .other, amount: occurrence.amount,
                    reference: occurrence.id.wire, isCleared: occurrence.fate != .open && occurrence.fate != .assumed)
            }
    }
}

/// The sections other than subscriptions; read by `UnitOfWork+Import`.
extension ExportDocument {
    func writeSharing(_ json: inout JSONWriter) throws {
        json.array("people", try store.sharing.people()) { json, person in
            json.field("id", person.id.lowercased)
            json.field("name", person.name)
            json.field("email", person.email)
            json.field("phone", person.phone)
            json.field("avatar_kind", person.avatar.kind)
            json.field("avatar", person.avatar.value)
            json.field("color", person.color)
            json.field("notes", person.notes)
            json.field("created_at", person.createdAt.rfc3339)
        }
        let former = try store.read { try SharingReader($0).formerPeople() }
        if !former.isEmpty {
            json.array("former_people", former) { json, person in
                json.field("id", person.id.lowercased)
                json.field("name", person.name)
                json.field("left_on", person.leftOn.iso)
            }
        }
        json.array("groups", try store.sharing.groups()) { json, group in
            json.field("id", group.id.lowercased)
            json.field("name", group.name)
            json.field("details", group.details)
            json.field("emoji", group.emoji)
            json.strings("members", group.memberIDs.map(\.lowercased))
            json.array("membership", group.changes) { json, change in
                json.field("person", change.personID.lowercased)
                json.field("from", change.from.iso)
                json.field("member", change.isMember)
            }
            json.field("created_at", group.createdAt.rfc3339)
        }
        json.array("expenses", try store.sharing.expenses()) { write($1, &$0) }
        json.array("repayments", try store.sharing.repayments()) { json, repayment in
            json.field("id", repayment.id.lowercased)
            json.field("from", repayment.from.lowercased)
            json.field("to", repayment.to.lowercased)
            json.field("amount", repayment.amount.decimal)
            json.field("currency", repayment.amount.currency.code)
            json.field("on", repayment.paidOn.iso)
            json.field("group_id", repayment.groupID?.lowercased)
            json.field("created_at", repayment.createdAt.rfc3339)
        }
        json.array("transactions", try store.transactions.list()) { write($1, &$0) }
        json.array("budgets", try store.budgets.list(at: moment).map(\.budget)) { json, budget in
            json.field("id", budget.id.lowercased)
            budget.write(to: &json)
        }
    }

    private func write(_ expense: GroupExpense, _ json: inout JSONWriter) {
        json.field("id", expense.id.lowercased)
        json.field("group_id", expense.groupID.lowercased)
        json.field("title", expense.title)
        json.field("amount", expense.amount.decimal)
        json.field("currency", expense.amount.currency.code)
        json.field("on", expense.spentOn.iso)
        json.field("paid_by", PersonAmountText.text(expense.payers))
        json.field("split", expense.split.kind.rawValue)
        json.field("parts", PersonAmountText.text(expense.split.people, expense.split.weights))
        json.field("category", expense.category)
        json.field("notes", expense.notes)
        json.field("receipt_path", expense.receiptPath)
        json.field("settled", expense.isSettled)
        json.field("created_at", expense.createdAt.rfc3339)
    }

    private func write(_ transaction: Transaction, _ json: inout JSONWriter) {
        json.field("id", transaction.id.lowercased)
        json.field("title", transaction.title)
        json.field("subtitle", transaction.subtitle)
        json.field("type", transaction.kind.rawValue)
        json.field("amount", transaction.amount.decimal)
        json.field("currency", transaction.amount.currency.code)
        json.field("on", transaction.bookedOn.iso)
        json.field("person_id", transaction.personID?.lowercased)
        json.field("category", transaction.category)
        json.field("recurring", transaction.isRecurring)
        json.strings("tags", transaction.tags)
        json.field("notes", transaction.notes)
        json.field("receipt_path", transaction.receiptPath)
        json.field("created_at", transaction.createdAt.rfc3339)
    }

    /// Writes how a subscription is shared, and who bore it from which day on; nothing when it never was.
    func writeShare(_ subscription: Subscription, _ json: inout JSONWriter) throws {
        let periods = try store.sharing.periods(of: subscription.id)
        if !periods.isEmpty {
            json.array("share_periods", periods) { json, period in
                json.field("from", period.from.iso)
                json.field("split", (period.split?.kind ?? .even).rawValue)
                json.field(
                    "parts", period.split.map { PersonAmountText.text($0.people, $0.weights) } ?? "")
            }
        }
        guard let share = try store.sharing.share(of: subscription.id) else { return }
        json.object("share") { json in
            json.field("split", share.split.kind.rawValue)
            json.field("parts", PersonAmountText.text(share.split.people, share.split.weights))
            json.field("accepted", share.isAccepted)
            json.field("notes", share.notes)
        }
    }
}

extension Budget {
    /// What it limits, from when on; without its id.
    package func write(to json: inout JSONWriter) {
        json.field("scope", target.scope?.rawValue)
        json.field("category", target.category?.wire)
        json.field("limit", limit.decimal)
        json.field("currency", limit.currency.code)
        json.field("period", period.rawValue)
        json.field("begins", begins.wire(period))
    }
}
