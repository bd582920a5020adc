import Foundation
import SQLDatabase
public import SubGuardDomain
import TextCoding

extension DeviceStore.Portability {
    /// Exports all data as text. Formats other than JSON require premium; see ``PremiumGate``.
    public func export(_ format: ExportFormat, language: DisplayLanguage = .english, at moment: Moment) throws -> String
    {
        try DeviceStore.mapping {
            try PremiumGate(isPremium: try store.premium.isActive(at: moment)).requireExport(format)
        }
        switch format {
        case .csv: return try csv(at: moment)
        case .json: return try ExportDocument(store: store, moment: moment).text()
        case .ical: return try calendar(language, at: moment)
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
                    reference: occurrence.id.wire, isCleared: occurrence.fate != .open)
            }
    }

    private func calendar(_ language: DisplayLanguage, at moment: Moment) throws -> String {
        let isFrench = language == .french
        var feed = CalendarFeed(name: isFrench ? "Abonnements" : "Subscriptions")
        let last = moment.today.adding(months: CalendarFeed.months)
        let all = try store.read(at: moment) { try SubscriptionTable($0).all().map(\.subscription) }
        let categories = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.category.displayName(language)) })
        for occurrence in try store.ledger.occurrences(from: moment.today, through: last, at: moment)
        where occurrence.fate != .skipped {
            feed.add(
                CalendarFeed.Event(
                    uid: "\(occurrence.id.subscriptionID.lowercased)-\(occurrence.billingOn.iso)@subguard",
                    day: occurrence.billingOn,
                    summary: "\(occurrence.name) \(occurrence.amount.decimal) \(occurrence.amount.currency.code)",
                    category: categories[occurrence.id.subscriptionID] ?? ""), stamp: moment.now)
        }
        for subscription in all {
            // Only when the user must act in time: trials that convert, and contracts with terms.
            let terms = subscription.contract
            guard let cancelBy = subscription.cancelBy(today: moment.today), cancelBy.lastDay <= last,
                cancelBy.reason == .trial || terms.endsOn != nil || terms.noticeDays > 0 || terms.minimumMonths > 0
            else { continue }
            let verb = isFrench ? "Dernier jour pour résilier" : "Last day to cancel"
            feed.add(
                CalendarFeed.Event(
                    uid: "\(subscription.id.lowercased)-cancel-by-\(cancelBy.avoids.iso)@subguard",
                    day: cancelBy.lastDay, summary: "\(verb): \(subscription.name)"), stamp: moment.now)
        }
        return feed.text
    }
}
