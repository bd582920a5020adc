public import Foundation
import SQLDatabase
public import SubGuardDomain

/// What cancelling some subscriptions today would save.
public struct CancellationEffect: Sendable, Hashable {
    /// What a subscription still costs although it is cancelled.
    public struct Owed: Sendable, Hashable {
        public var subscriptionID: UUID
        public var name: String
        public var commitment: Commitment
    }

    /// The last day that counts: 12 months from today.
    public var until: CalendarDay
    /// The charges that are avoided by then, one sum per currency, sorted by code.
    public var saves: [Money]
    /// Sorted by name.
    public var commitments: [Owed]
}

extension DeviceStore.Totals {
    /// What changed since a day: prices, trials that converted, what started and what ended; sorted by day. Changes that are
    /// still to come are not included.
    public func changes(since day: CalendarDay, at moment: Moment) throws -> [SubscriptionChange] {
        try store.read(at: moment) { session in
            try SubscriptionTable(session).changed(from: day, through: moment.today)
                .flatMap { $0.changes(from: day, through: moment.today) }
                .sorted(by: SubscriptionChange.earliestFirst)
        }
    }

    /// What the next 12 months would save if these subscriptions were cancelled today; what a contract or notice period
    /// still costs is deducted. Changes nothing. A subscription that is named twice counts once.
    ///
    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func effect(ofCancelling ids: [UUID], at moment: Moment) throws -> CancellationEffect {
        try store.read(at: moment) { session in
            let table = SubscriptionTable(session)
            let until = moment.today.adding(months: 12).adding(days: -1)
            var avoided: [Money] = []
            var owed: [CancellationEffect.Owed] = []
            for id in Set(ids) {
                let subscription = try table.load(id)
                let commitment = subscription.commitment(cancelledOn: moment.today)
                let first = commitment.map { $0.through.adding(days: 1) } ?? moment.today
                avoided += subscription.charged(from: first, through: until)
                if let commitment, !commitment.amounts.isEmpty {
                    owed.append(.init(subscriptionID: id, name: subscription.name, commitment: commitment))
                }
            }
            return CancellationEffect(
                until: until,
                saves: Money.sums(of: avoided),
                commitments: owed.sorted {
                    ($0.name, $0.subscriptionID.lowercased) < ($1.name, $1.subscriptionID.lowercased)
                })
        }
    }
}
