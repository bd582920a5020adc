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
