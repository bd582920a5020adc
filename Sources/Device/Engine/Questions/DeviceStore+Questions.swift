public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// What cancelling some subscriptions today would save.
public struct CancellationEffect: Sendable, Hashable {
    /// What a subscription still costs although it is cancelled.
    public struct Owed: Sendable, Hashable {
        /// The subscription that would be cancelled.
        public var subscriptionID: UUID
        /// The name of the subscription.
        public var name: String
        /// The last day of its term or notice period, and what is charged until then.
        public var commitment: Commitment
    }

    /// The last day that counts: 12 months from today.
    public var until: CalendarDay
    /// The charges that are avoided by then, one sum per currency, sorted by code.
    public var saves: [Money]
    /// Sorted by name.
    public var commitments: [Owed]
    /// What all of them still cost, one sum per currency, sorted by code.
    public var owed: [Money] { Money.sums(of: commitments.flatMap(\.commitment.amounts)) }
}

extension DeviceStore.Totals {
    /// What changed since a day: prices, trials that converted, what started and what ended; sorted by day. Changes
    /// that are still to come are not included. With `isNet`, only the owner's part of shared ones counts, as they are
    /// split on the day of the change.
    public func changes(
        since day: CalendarDay, isNet: Bool = false, at moment: Moment
    ) throws -> [SubscriptionChange] {
        try store.read(at: moment) { session in
            let others = isNet ? try OthersReader(session: session, today: moment.today).splits() : nil
            return try SubscriptionTable(session).changed(from: day, through: moment.today)
                .flatMap { subscription in
                    subscription.changes(from: day, through: moment.today)
                        .map { others?.net($0, of: subscription) ?? $0 }
                }
                .sorted(by: SubscriptionChange.earliestFirst)
        }
    }

    /// The last prices that rose, from a day through today, the newest first; at most `limit`.
    public func priceRises(since day: CalendarDay, limit: Int, at moment: Moment) throws -> [SubscriptionChange] {
        try store.read(at: moment) { session in
            let table = SubscriptionTable(session)
            let sql = """
                SELECT subscription, from_day FROM prices WHERE from_day BETWEEN ? AND ? AND is_removed = 0 \
                ORDER BY from_day DESC, subscription
                """
            let places = try session.query(sql, [.day(day), .day(moment.today)]) {
                (try $0.integer(0), try $0.day(1))
            }
            var rises: [SubscriptionChange] = []
            for (number, day) in places {
                guard rises.count < limit else { break }
                rises += try table.load(number: number).changes(from: day, through: day).filter {
                    $0.kind == .priceRise
                }
            }
            return Array(rises.prefix(limit))
        }
    }

    /// What the next 12 months would save if these subscriptions were cancelled today; what a contract or notice period
    /// still costs is deducted, and what is paid already is not counted. Changes nothing. A subscription that is named
    /// twice counts once.
    ///
    /// Throws ``DeviceStoreError/notFound(_:id:)``. With `isNet`, only the owner's part of shared ones counts.
    public func effect(
        ofCancelling ids: [UUID], isNet: Bool = false, at moment: Moment
    ) throws -> CancellationEffect {
        try store.read(at: moment) { session in
            let table = SubscriptionTable(session)
            let catalogue = CatalogueTable(session: session, starter: store.starter)
            let until = moment.today.adding(months: 12).adding(days: -1)
            let others =
                isNet
                ? try OthersReader(session: session, today: moment.today).parts(from: moment.today, through: until) : []
            var avoided: [Money] = []
            var owed: [CancellationEffect.Owed] = []
            for id in Set(ids) {
                let subscription = try table.load(id)
                var commitment = subscription.commitment(
                    cancelledOn: moment.today, catalogueNotice: try catalogue.notice(of: subscription))
                let first = commitment.map { $0.through.adding(days: 1) } ?? moment.today
                let number = try table.requireNumber(of: id)
                let settled = try Self.settled(session, number, from: first)
                let days = subscription.charges(from: first, through: until).filter { !settled.contains($0) }
                let theirs = others.filter { $0.number == number }
                avoided += days.map(subscription.charge(on:))
                avoided += theirs.filter { days.contains($0.on) }.map(\.amount.negated)
                if isNet, let rest = commitment {
                    let owed = subscription.charges(from: moment.today, through: rest.through)
                    let parts = try OthersReader(session: session, today: moment.today)
                        .parts(from: moment.today, through: rest.through)
                        .filter { $0.number == number && owed.contains($0.on) }
                    commitment?.amounts = Money.sums(of: rest.amounts + parts.map(\.amount.negated))
                }
                if let commitment, !commitment.amounts.isEmpty {
                    owed.append(.init(subscriptionID: id, name: subscription.name, commitment: commitment))
                }
            }
            return CancellationEffect(
                until: until,
                saves: Money.sums(of: avoided),
                commitments: owed.sorted {
                    ($0.name, $0.subscriptionID) < ($1.name, $1.subscriptionID)
                })
        }
    }

    /// The days from `first` on whose charges are confirmed or paid.
    private static func settled(
        _ session: any SQLSession, _ number: Int64, from first: CalendarDay
    ) throws -> Set<CalendarDay> {
        let sql = "SELECT due_day FROM ledger WHERE subscription = ? AND fate IN (1, 2) AND due_day >= ?"
        return Set(try session.query(sql, [.integer(number), .day(first)]) { try $0.day(0) })
    }
}
