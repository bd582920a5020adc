import Foundation
import JSONWire
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
