import Cryptography
import Foundation
import SQLDatabase
import SubGuardDomain

/// The calendar of a database: charges, ends of trials and last days to cancel of the next 24 months, each with the
/// alarms of its reminders.
struct CalendarExport {
    let store: DeviceStore
    let language: DisplayLanguage
    let moment: Moment

    func text() throws -> String {
        let policy = try store.reminders.policy()
        let planner = ReminderPlanner(policy: policy, time: moment.time)
        let last = moment.today.adding(months: CalendarFeed.months)
        let (all, deadlines) = try store.read(at: moment) { session in
            let all = try SubscriptionTable(session).all().map(\.subscription)
            let catalogue = CatalogueTable(session: session, starter: store.starter)
            let deadlines = try all.compactMap { subscription in
                subscription.cancelDeadline(
                    today: moment.today, catalogueNotice: try catalogue.notice(of: subscription)
                ).map { (subscription.id, $0) }
            }
            return (all, Dictionary(uniqueKeysWithValues: deadlines))
        }
        let subscriptions = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        let categories = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.category.displayName(language)) })
        let alarms = { (kind: ReminderKind, subscription: Subscription?) in
            policy.days(of: kind, subscription?.reminders ?? ReminderPlan())
                .map { CalendarFeed.Alarm(daysBefore: $0, minuteOfDay: planner.minuteOfReminders) }
        }
        var feed = CalendarFeed(name: language.text("Subscriptions"))
        func add(_ id: UUID, _ suffix: String, _ day: CalendarDay, _ summary: String, _ kind: ReminderKind) {
            var event = CalendarFeed.Event(uid: "\(id.lowercased)-\(suffix)@subguard", day: day, summary: summary)
            event.category = kind == .charge ? categories[id] ?? "" : ""
            event.alarms = alarms(kind, subscriptions[id])
            feed.add(event, stamp: moment.now)
        }
        for occurrence in try store.ledger.occurrences(from: moment.today, through: last, at: moment)
        where occurrence.fate != .skipped {
            add(
                occurrence.id.subscriptionID, occurrence.billingOn.iso, occurrence.billingOn,
                "\(occurrence.name) \(amount(occurrence.amount))", .charge)
        }
        for subscription in all {
            if let end = subscription.trialEnd(from: moment.today), end.on <= last {
                let summary = language.text("End of trial: \(subscription.name)")
                add(subscription.id, "trial-end-\(end.on.iso)", end.on, summary, .trialEnd)
            }
            if let deadline = deadlines[subscription.id], deadline.lastDay <= last {
                let summary = language.text("Last day to cancel: \(subscription.name)")
                add(subscription.id, "cancel-by-\(deadline.avoids.iso)", deadline.lastDay, summary, .cancelBy)
            }
        }
        return feed.text
    }

    /// `13.49 EUR`, in French as people write it: `13,49 €`.
    private func amount(_ amount: Money) -> String {
        language == .french ? amount.formatted(AmountStyle(language)) : "\(amount.decimal) \(amount.currency.code)"
    }
}

extension DeviceStore {
    /// The address at which calendars on this machine read the charges.
    package var calendarAddress: CalendarAddress { CalendarAddress(store: self) }

    /// See ``DeviceStore/calendarAddress``.
    package struct CalendarAddress: Sendable { let store: DeviceStore }
}

/// Off until it is turned on. A client that knows the secret in the address reads what an export for a calendar has. It
/// is stored as it is, so that the address can be shown again: it opens nothing that is not in the same file. It is no
/// part of backups, merges and exports.
extension DeviceStore.CalendarAddress {
    /// 64 hexadecimal digits for 256 random bits; nil while the address is off.
    package func secret() throws -> String? { try store.read { try Settings($0).value(Settings.calendarKey) } }

    /// Turns the address on and returns its secret; one that is on stays as it is.
    ///
    /// Throws ``DeviceStoreError/premiumRequired(_:)``, as the export does.
    @discardableResult
    package func turnOn(at moment: Moment) throws -> String { try secret() ?? renew(at: moment) }

    /// Turns the address on with a new secret; the old one stops working. Throws as ``turnOn(at:)``.
    @discardableResult
    package func renew(at moment: Moment) throws -> String {
        try DeviceStore.mapping {
            try PremiumGate(isPremium: try store.premium.isActive(at: moment)).requireExport(.ical)
        }
        let secret = store.browsers.randomText(words: 4)
        try store.write(at: moment) { try Settings.set(secret, for: Settings.calendarKey, in: $0.session) }
        return secret
    }

    /// Turns the address off; nothing if it is off.
    package func turnOff(at moment: Moment) throws {
        try store.write(at: moment) { try Settings.set(nil, for: Settings.calendarKey, in: $0.session) }
    }

    /// Whether a text is the secret, compared in a time that says nothing about it.
    package func isSecret(_ text: String) throws -> Bool {
        guard let secret = try secret() else { return false }
        return ConstantTime.areEqual(SHA256.hash(of: text.utf8), SHA256.hash(of: secret.utf8))
    }
}

extension Settings {
    static let calendarKey = "calendar_secret"
}
