public import SubGuardDomain

/// Finds recurring charges in bank statements.
///
/// Payments are grouped by payee. A group is one subscription when all of it has a rhythm, but for single charges that
/// are doubled or extra; else each of its amounts and days that has a rhythm of its own is one, together with later
/// prices at the same rhythm. What comes back whole is no charge.
public struct RecurringCharges: Sendable {
    private let catalogue: PayeeCatalogue
    private let groups: [Group]
    /// The series of each group, which take most of the time.
    private let series: [[RecurringSeries]]
    /// The number of entries, without those of exchanges of currencies.
    let entries: Int

    struct Charge: Sendable, Hashable {
        var on: CalendarDay
        /// Positive, in minor units.
        var units: Int64
        /// The last day that is known of its account.
        var knownUntil: CalendarDay
        var refund: Refund?

        /// What of a charge came back.
        struct Refund: Sendable, Hashable {
            var units: Int64
            /// The day of the last entry.
            var on: CalendarDay
            var entries: Int
        }

        /// Whether all of it came back.
        var isRefunded: Bool { refund?.units == units }
    }

    /// The charges of a payee in a currency.
    public struct Group: Sendable {
        /// Who is paid: of all its entries, the name with the fewest words.
        public var payee: PayeeName
        /// The service of the catalogue that the payee is; nil when the catalogue has none.
        public var item: CatalogueItem?
        /// The currency of all charges of the group.
        public var currency: Currency
        /// By day.
        var charges: [Charge]
        /// What came back and fits no charge, by day.
        var unmatched: [RefundedCharges.Credit] = []
        /// Whether different names follow the words that the entries have in common.
        var hasManyPayees = false
        /// Whether nothing tells who is paid: charges of several payees may be in the group.
        var isUnnamed: Bool { item == nil && (payee.isOfBank || hasManyPayees) }

        /// The group with these charges only; nil without any.
        func keeping(_ kept: [StatementCharge]) -> Group? {
            var counts: [StatementCharge: Int] = [:]
            for charge in kept { counts[charge, default: 0] += 1 }
            var group = self
            group.unmatched = []
            group.charges = zip(charges, found).filter { _, found in
                guard let count = counts[found], count > 0 else { return false }
                counts[found] = count - 1
                return true
            }
            .map(\.0)
            return group.charges.isEmpty ? nil : group
        }

        /// The charges, by day.
        public var found: [StatementCharge] {
            charges.map(found)
        }

        func found(_ charge: Charge) -> StatementCharge {
            StatementCharge(
                on: charge.on, amount: money(charge.units),
                refund: charge.refund.map {
                    StatementCharge.Refund(amount: money($0.units), on: $0.on, entries: $0.entries)
                })
        }

        func money(_ units: Int64) -> Money { Money(minorUnits: units, currency: currency) }
    }

    /// Groups the charges of one or more statements by payee. Entries may be in any order; one that several files have
    /// must be given once. The catalogue tells which service a payee is.
    ///
    /// - Parameters:
    ///   - bookings: the entries of all statements.
    ///   - names: of stored subscriptions, which are found behind words that are the bank's.
    ///   - catalogue: the services that a payee can be.
    public init(_ bookings: [StatementBooking], names: [String] = [], catalogue: PayeeCatalogue) {
        self.catalogue = catalogue
        let lastDay = bookings.map(\.on).max() ?? .earliest
        let bookings = CurrencyConversions.removed(from: bookings)
        entries = bookings.count
        groups = PayeeGroups.groups(
            of: bookings, until: lastDay, names: names.map { PayeeName($0) }, catalogue: catalogue)
        series = groups.map { StatementExclusion.reason($0) == .cash ? [] : RecurringSeries.all(in: $0) }
    }

    /// All charges by payee, for those of subscriptions that are known already.
    public var payees: [Group] { groups }

    /// The proposals: surest first, then by name.
    ///
    /// - Parameter rest: what is left of a group, by its place in ``payees``, once stored subscriptions have their
    /// charges;
    ///   nil when nothing is.
    public func proposals(_ rest: (Int, Group) -> Group? = { $1 }) -> [StatementProposal] {
        var proposals: [StatementProposal] = []
        for (place, whole) in groups.enumerated() {
            guard let group = rest(place, whole), StatementExclusion.reason(group) == nil else { continue }
            let isWhole = group.charges.count == whole.charges.count
            let series = isWhole ? series[place] : RecurringSeries.all(in: group)
            let used = series.reduce(0) { $0 + $1.charges.count + $1.aside.count }
            for (number, series) in series.enumerated() {
                let judgement = SeriesJudgement(series, group: group, others: max(0, group.charges.count - used))
                if let proposal = judgement.proposal(number: number) { proposals.append(proposal) }
            }
            if series.isEmpty, let single = SeriesJudgement.single(group) { proposals.append(single) }
        }
        return proposals.sorted { left, right in
            if left.confidence != right.confidence { return left.confidence > right.confidence }
            return (left.name, left.id) < (right.name, right.id)
        }
    }

    /// Regular payments that are not proposed because of what they are, by name.
    public var excluded: [StatementExclusion] {
        zip(groups, series).compactMap { group, series in
            guard let reason = StatementExclusion.reason(group), let last = group.charges.last else { return nil }
            guard reason == .cash ? group.charges.count >= 2 : !series.isEmpty else { return nil }
            return StatementExclusion(
                name: group.payee.whole, reason: reason, charges: group.charges.count,
                last: StatementCharge(on: last.on, amount: group.money(last.units)))
        }
        .sorted { ($0.name, $0.last.on) < ($1.name, $1.last.on) }
    }
}

/// Regular payments to a payee that are not proposed.
public struct StatementExclusion: Sendable, Hashable {
    /// Why they are not proposed; the raw value is the wire form.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Cash withdrawals.
        case cash
        /// Transfers that the account's holder sends, once or as a standing order.
        case transfer
        /// Loans, rent and taxes.
        case obligation
        /// Payments to what looks like the name of a person.
        case person
    }

    /// The payee with all words of the file, also those of persons: to be shown, not to be stored.
    public var name: String
    /// Why these payments are not proposed as a subscription.
    public var reason: Reason
    /// How many payments.
    public var charges: Int
    /// The latest payment.
    public var last: StatementCharge

    /// Nil for payments that may be a subscription. A service of the catalogue may be paid in any way but cash.
    static func reason(_ group: RecurringCharges.Group) -> Reason? {
        if group.payee.kind == .cash { return .cash }
        guard group.item == nil else { return nil }
        return switch group.payee.kind {
        case .transfer: .transfer
        case .obligation: .obligation
        case .card, .directDebit, .cash: group.payee.isPerson ? .person : nil
        }
    }
}

/// The entries of an exchange that pays for a charge in another currency, as PayPal lists them beside the charge: the
/// charge in dollars, its dollars bought, euros given.
enum CurrencyConversions {
    /// How far apart the entries of one payment may be, in rows.
    private static let reach = 4

    /// The entries without those of exchanges: two of the same text and day with opposite signs in different
    /// currencies, beside a charge or refund that one of them makes up for.
    static func removed(from bookings: [StatementBooking]) -> [StatementBooking] {
        let currencies = Set(bookings.map(\.amount.currency))
        guard currencies.count > 1 else { return bookings }
        let order = bookings.indices.sorted {
            (bookings[$0].on, bookings[$0].row, $0) < (bookings[$1].on, bookings[$1].row, $1)
        }
        var removed: Set<Int> = []
        for (place, index) in order.enumerated() where !removed.contains(index) {
            let entry = bookings[index]
            let near = order[max(0, place - 2 * reach)..<min(order.count, place + 2 * reach + 1)].filter { other in
                other != index && bookings[other].on == entry.on && abs(bookings[other].row - entry.row) <= reach
                    && !removed.contains(other)
            }
            // What this one makes up for.
            let isCovering = near.contains { other in
                bookings[other].amount.currency == entry.amount.currency
                    && bookings[other].amount.minorUnits == -entry.amount.minorUnits && entry.amount.minorUnits != 0
                    && bookings[other].payee != entry.payee
            }
            guard isCovering else { continue }
            let other = near.first { other in
                let (mine, theirs) = (entry.amount, bookings[other].amount)
                return theirs.currency != mine.currency && (theirs.minorUnits < 0) == (mine.minorUnits > 0)
                    && bookings[other].payee == entry.payee
            }
            if let other { removed.formUnion([index, other]) }
        }
        return removed.isEmpty ? bookings : bookings.indices.filter { !removed.contains($0) }.map { bookings[$0] }
    }
}
