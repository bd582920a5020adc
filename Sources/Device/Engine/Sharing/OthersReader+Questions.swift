import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

// What other people would bear of charges that are no rows of the ledger.

extension OthersReader {
    /// What others would have borne of charges that were not made, in minor units; all of them in one currency.
    ///
    /// - Parameter days: in order.
    func sum(
        ofAvoided days: [CalendarDay], of subscription: Subscription, _ number: Int64, _ splits: SharedSplits
    ) throws -> Int64 {
        guard let ledger = splits.ledgers[subscription.id] else { return 0 }
        let avoided = Set(days)
        // Among the charges that were made, because the odd cent goes round.
        let made = try DebtReader(session: session, today: today).charges(of: number, from: .earliest)
            .filter { !avoided.contains($0.on) }
        let all = (made + days.map { (on: $0, amount: subscription.price(on: $0)) }).sorted { $0.on < $1.on }
        return ledger.debts(of: all, owner: Person.me, left: splits.left)
            .filter { avoided.contains($0.on) }.reduce(0) { $0 + $1.amount.minorUnits }
    }

    /// The splits of all shared subscriptions.
    func splits() throws -> SharedSplits {
        SharedSplits(
            ledgers: Dictionary(try shared().map { ($0.subscription.id, $0.ledger) }) { one, _ in one },
            left: try DebtReader.left(session))
    }
}

/// How subscriptions are shared, and who has left.
struct SharedSplits {
    let ledgers: [UUID: ShareLedger]
    let left: [UUID: CalendarDay]

    /// A change as the owner bears it, by the split of its day.
    func net(_ change: SubscriptionChange, of subscription: Subscription) -> SubscriptionChange {
        guard let ledger = ledgers[subscription.id] else { return change }
        let factor = subscription.cycle.annualFactor
        func others(_ price: Money?, _ count: Int) -> Int64 {
            guard let price else { return 0 }
            return ledger.debts(
                of: Array(repeating: (on: change.on, amount: price), count: count), owner: Person.me, left: left
            ).reduce(0) { $0 + $1.amount.minorUnits }
        }
        var net = change
        net.from?.minorUnits -= others(change.from, 1)
        net.to?.minorUnits -= others(change.to, 1)
        // As many charges as the factor says: the odd cent goes round.
        let count = Int(factor.numerator)
        let difference = Money(
            minorUnits: others(change.to, count) - others(change.from, count),
            currency: change.annualEffect?.currency ?? subscription.currency)
        var sum = ExactSum()
        sum.add(difference.minorUnits, times: factor.single)
        net.annualEffect?.minorUnits -= sum.rounded()
        return net
    }
}
