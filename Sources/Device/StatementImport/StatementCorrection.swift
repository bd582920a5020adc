import Foundation
public import SubGuardDomain
import SubGuardEngine
public import SubGuardStatements

/// A series of charges that is probably a stored subscription, entered with another price or other days: the statement
/// would correct it rather than add it again.
public struct StatementCorrection: Sendable, Hashable, Identifiable {
    /// As it is stored.
    public var subscription: Subscription
    /// The stored price of today.
    public var price: Money
    /// What the statement says of it.
    public var proposal: StatementProposal
    /// Whether the price is known from a later time than the statement.
    public var isOlder = false

    /// The ids of the subscription and of the proposal.
    public var id: String { "\(subscription.id.lowercased):\(proposal.id)" }

    /// Whether the yearly costs differ by less than half: then it is corrected unless that is declined. Otherwise it
    /// may be another service of the same company, and is corrected only when it is chosen. So is one whose price was
    /// entered after the charges of the statement, and one that is charged in another currency.
    public var isProbable: Bool {
        guard !isOlder, !isConverted else { return false }
        let (stored, read) = (price.annual(subscription.cycle), proposal.amount.annual(proposal.cycle))
        let (low, high) = (min(stored.minorUnits, read.minorUnits), max(stored.minorUnits, read.minorUnits))
        return high / 2 <= low
    }

    /// The corrections that charges suggest: one for each series whose payee has the name of stored subscriptions that
    /// run, but of which no charge fits the days and the price.
    static func find(
        _ charges: RecurringCharges, _ found: StatementReconciliation, known: [KnownSubscription],
        catalogue: PayeeCatalogue, today: CalendarDay
    ) -> [StatementCorrection] {
        let running = known.filter { ![.cancelled, .ended].contains($0.subscription.status(on: today)) }
            .map { (known: $0, name: PayeeName($0.subscription.name)) }
        let all = charges.proposals().flatMap { proposal -> [StatementCorrection] in
            let named = running.filter {
                StatementReconciliation.isPayee(of: $0.known.subscription, $0.name, proposal, catalogue)
            }.map(\.known)
            guard named.allSatisfy({ !found.recognisedIDs.contains($0.subscription.id) }) else { return [] }
            let last = proposal.charges.last.map { proposal.due($0) } ?? proposal.schedule.anchor
            return named.map { known in
                StatementCorrection(
                    subscription: known.subscription, price: known.subscription.price(on: today), proposal: proposal,
                    isOlder: known.knowsPrice(of: today, after: last, proposal.schedule))
            }
        }
        // The nearest pairs first, those of one currency before others; each subscription and each series once.
        var (subscriptions, series): (Set<UUID>, Set<String>) = ([], [])
        return all.sorted { $0.order < $1.order }.filter { correction in
            guard !subscriptions.contains(correction.subscription.id), !series.contains(correction.proposal.id)
            else { return false }
            subscriptions.insert(correction.subscription.id)
            series.insert(correction.proposal.id)
            return true
        }.sorted { ($0.subscription.name, $0.id) < ($1.subscription.name, $1.id) }
    }

    private var isConverted: Bool { price.currency != proposal.amount.currency }
    private var order: (Int, Int64, String) {
        (isConverted ? 1 : 0, abs(price.minorUnits - proposal.amount.minorUnits), id)
    }
}

extension UnitOfWork {
    /// Gives a subscription the price, cycle and days of a statement, and records its charges instead of those of the
    /// wrong schedule. Throws a fault, before anything is written, for one that exceeds `pastCharges`.
    func correct(_ correction: StatementCorrection, _ pastCharges: inout PastCharges) throws {
        let proposal = correction.proposal
        var subscription = try subscriptions.load(correction.subscription.id)
        let number = try subscriptions.requireNumber(of: subscription.id)
        let judgedFrom = try firstJudgedDay(of: subscription, number)
        let read = try proposal.subscription(id: subscription.id, today: today, now: subscription.createdAt)
        subscription.schedule = read.schedule
        subscription.price = read.price
        subscription.prices = read.prices
        subscription.isVariable = read.isVariable
        subscription.startedOn = min(subscription.startedOn, read.startedOn)
        subscription.trackedFrom = max(subscription.startedOn, today)
        subscription.catalogueItemID = subscription.catalogueItemID ?? read.catalogueItemID
        try pastCharges.take(subscription)
        try save(subscription.validated())
        if let first = proposal.charges.first, let last = proposal.charges.last {
            try moveHistory(
                of: subscription, covered: proposal.due(first)...max(proposal.due(first), proposal.due(last)))
        }
        try record(proposal, of: number, judgedFrom: judgedFrom)
    }
}
