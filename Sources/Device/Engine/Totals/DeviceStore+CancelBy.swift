public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Totals {
    /// The last day to cancel a subscription; nil when no charge follows.
    public func cancelBy(of subscription: Subscription, at moment: Moment) throws -> CancelBy? {
        try store.read(at: moment) { session in
            let catalogue = CatalogueTable(session: session, starter: store.starter)
            return subscription.cancelBy(
                today: moment.today, catalogueNotice: try catalogue.notice(of: subscription))
        }
    }

    /// The last days to cancel some subscriptions, through a day: those before a trial converts or a contract is
    /// extended, not those before an ordinary charge. Reads only the subscriptions for which there can be one.
    public func cancelBy(
        of ids: some Sequence<UUID>, through last: CalendarDay, at moment: Moment
    ) throws -> [UUID: CancelBy] {
        let bound = """
            SELECT num FROM subscriptions WHERE id = ? AND (trial_ends_on >= ? \
            OR contract_ends_on IS NOT NULL OR minimum_months > 0 OR notice_days > 0)
            """
        return try store.read(at: moment) { session in
            // One by one: a page shows few, and reading all others would take longer.
            let numbers = try ids.compactMap { id in
                try session.first(bound, [.uuid(id), .day(moment.today)]) { try $0.integer(0) }
            }
            var found: [UUID: CancelBy] = [:]
            let catalogue = CatalogueTable(session: session, starter: store.starter)
            for subscription in try SubscriptionTable(session).load(numbers: numbers) {
                let notice = try catalogue.notice(of: subscription)
                guard let cancelBy = subscription.cancelBy(today: moment.today, catalogueNotice: notice),
                    cancelBy.reason != .renewal, cancelBy.lastDay <= last
                else { continue }
                found[subscription.id] = cancelBy
            }
            return found
        }
    }
}
