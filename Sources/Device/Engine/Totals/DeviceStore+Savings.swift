public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Totals {
    /// What was saved by cancelled subscriptions, sorted by name. A charge that `year` counts, such as a confirmed one
    /// of after the cancellation, was not saved; one that the cancellation took back was. With a `limit`, only those
    /// that were cancelled last, nil for all. With `isNet`, only the owner's part of shared ones counts.
    public func savings(limit: Int? = nil, isNet: Bool = false, at moment: Moment) throws -> [Saving] {
        try store.read(at: moment) { session in
            let reader = SavingReader(session, today: moment.today)
            let splits = isNet ? try OthersReader(session: session, today: moment.today).splits() : nil
            return try reader.cancelled(limit).compactMap { try reader.saving(of: $0, splits) }
        }.sorted { ($0.name, $0.subscriptionID) < ($1.name, $1.subscriptionID) }
    }
}

/// Compares what a cancelled subscription would have been charged with what the ledger says.
private struct SavingReader {
    private let session: any SQLSession
    private let today: CalendarDay
    private let table: SubscriptionTable

    init(_ session: any SQLSession, today: CalendarDay) {
        self.session = session
        self.today = today
        table = SubscriptionTable(session)
    }

    /// The subscriptions that are cancelled by today, those of the last cancellations.
    func cancelled(_ limit: Int?) throws -> [Subscription] {
        let sql = """
            SELECT subscription FROM entered_states WHERE state = ? AND is_overruled = 0 AND from_day <= ? \
            GROUP BY subscription ORDER BY max(from_day) DESC LIMIT ?
            """
        let arguments: [SQLValue] = [
            .count(SubscriptionState.cancelled.rawValue), .day(today), .count(limit ?? -1),
        ]
        return try table.load(numbers: try session.query(sql, arguments) { try $0.integer(0) })
    }

    /// - Parameter splits: for the owner's part; nil for the whole.
    func saving(of subscription: Subscription, _ splits: SharedSplits?) throws -> Saving? {
        guard let first = subscription.cancelledOn(asOf: today) else { return nil }
        let number = try table.requireNumber(of: subscription.id)
        let replacement = try subscription.replacedBy.flatMap { try table.find($0) }
        var saving = subscription.saving(
            today: today, settled: try settled(number, from: first), takenBack: try takenBack(number, from: first),
            costs: try replacement.map { try costs(of: $0, from: first) } ?? [])
        guard let splits, let gross = saving else { return saving }
        let others = OthersReader(session: session, today: today)
        var units = try others.sum(ofAvoided: gross.avoided, of: subscription, number, splits)
        if let replacement {
            let number = try table.requireNumber(of: replacement.id)
            for part in try others.parts(from: first, through: today)
            where part.number == number && part.amount.currency == gross.amount.currency && counts(part) {
                units -= part.amount.minorUnits
            }
        }
        saving?.amount.minorUnits -= units
        return saving
    }

    /// As ``costs(of:from:)`` counts: also what is due today.
    private func counts(_ part: OthersReader.Part) -> Bool { part.isCharged || part.isForecast && part.on == today }

    /// The days from `first` on whose charges count as spent, or were skipped by the user.
    private func settled(_ number: Int64, from first: CalendarDay) throws -> Set<CalendarDay> {
        let sql = """
            SELECT due_day FROM ledger WHERE subscription = ? AND due_day BETWEEN ? AND ? AND withheld IS NULL \
            AND (fate IN (1, 2, 4) OR fate = 0 AND due_day < ? OR fate = 3 AND acted_at IS NOT NULL)
            """
        return Set(
            try session.query(sql, [.integer(number), .day(first), .day(today), .day(today)]) { try $0.day(0) })
    }

    /// The days from `first` on and before the present schedule whose charges are withheld.
    private func takenBack(_ number: Int64, from first: CalendarDay) throws -> [CalendarDay] {
        let sql = """
            SELECT due_day FROM ledger WHERE subscription = ? AND due_day BETWEEN ? AND ? AND withheld IS NOT NULL \
            AND due_day < (SELECT tracked_from FROM subscriptions WHERE num = ?)
            """
        return try session.query(sql, [.integer(number), .day(first), .day(today), .integer(number)]) {
            try $0.day(0)
        }
    }

    /// What a subscription was charged from a day on, with what is due today.
    private func costs(of subscription: Subscription, from first: CalendarDay) throws -> [Money] {
        let number = try table.requireNumber(of: subscription.id)
        var charges = try DebtReader(session: session, today: today).charges(of: number, from: first)
        if charges.last?.on != today, first <= today, subscription.isBillingDay(today) {
            charges.append((on: today, amount: subscription.charge(on: today)))
        }
        return Money.sums(of: charges.map(\.amount))
    }
}

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
        let bound = "SELECT num FROM subscriptions WHERE id = ? AND \(Self.isBound)"
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
