import Foundation
import SQLDatabase
public import SubGuardDomain
import TextCoding

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
            return fields.map { draft[$0] ?? "" }
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
