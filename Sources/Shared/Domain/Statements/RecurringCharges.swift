/// Finds recurring charges in bank statements.
///
/// Payments are grouped by payee. A group is one subscription when all of it has a rhythm; else each of its amounts
/// that has a rhythm of its own is one, together with later prices at the same rhythm. What comes back whole is no
/// charge.
public struct RecurringCharges: Sendable {
    private let catalogue: PayeeCatalogue
    /// The last day of all statements.
    private let lastDay: CalendarDay
    private let groups: [Group]

    struct Charge: Sendable, Hashable {
        var on: CalendarDay
        /// Positive, in minor units.
        var units: Int64
        var isRefunded = false
    }

    /// The charges of a payee in a currency.
    public struct Group: Sendable {
        public var payee: PayeeName
        public var item: CatalogueItem?
        public var currency: Currency
        /// By day.
        var charges: [Charge]

        /// The group with these charges only; nil without any.
        func keeping(_ kept: Set<StatementCharge>) -> Group? {
            var group = self
            group.charges = zip(charges, found).filter { kept.contains($0.1) }.map(\.0)
            return group.charges.isEmpty ? nil : group
        }

        /// The charges, by day.
        public var found: [StatementCharge] {
            charges.map {
                StatementCharge(
                    on: $0.on, amount: Money(minorUnits: $0.units, currency: currency), isRefunded: $0.isRefunded)
            }
        }
    }

    /// - Parameter bookings: of one or more statements, in any order; the same entry may be in several files.
    public init(_ bookings: [StatementBooking], catalogue: PayeeCatalogue) {
        self.catalogue = catalogue
        lastDay = bookings.map(\.on).max() ?? .earliest
        groups = PayeeGroups.groups(of: bookings, catalogue: catalogue)
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
            guard let group = rest(place, whole) else { continue }
            let series = RecurringSeries.all(in: group)
            let used = series.reduce(0) { $0 + $1.charges.count }
            for (number, series) in series.enumerated() {
                let judgement = SeriesJudgement(
                    series, group: group, others: group.charges.count - used, lastDay: lastDay)
                if let proposal = judgement.proposal(number: number) { proposals.append(proposal) }
            }
            if series.isEmpty, let single = SeriesJudgement.single(group, lastDay: lastDay) { proposals.append(single) }
        }
        return proposals.sorted { left, right in
            if left.confidence != right.confidence { return left.confidence > right.confidence }
            return (left.name, left.id) < (right.name, right.id)
        }
    }
}

/// Groups bookings by payee and currency.
enum PayeeGroups {
    private struct Key: Hashable {
        var payee: String
        var currency: Currency
    }

    private struct Text: Hashable {
        var payee: String
        var note: String
    }

    static func groups(of bookings: [StatementBooking], catalogue: PayeeCatalogue) -> [RecurringCharges.Group] {
        var names: [Text: (payee: PayeeName, item: CatalogueItem?)] = [:]
        var places: [Key: Int] = [:]
        var groups: [RecurringCharges.Group] = []
        var credits: [Key: [RecurringCharges.Charge]] = [:]
        for booking in bookings {
            let text = Text(payee: booking.payee, note: booking.note)
            let known: (payee: PayeeName, item: CatalogueItem?)
            if let found = names[text] {
                known = found
            } else {
                let payee = PayeeName(booking.payee, note: booking.note)
                known = (payee, catalogue.item(payee))
                names[text] = known
            }
            guard !known.payee.key.isEmpty, known.payee.kind != .cash else { continue }
            let key = Key(
                payee: known.item.map { "#" + $0.slug } ?? known.payee.key, currency: booking.amount.currency)
            let charge = RecurringCharges.Charge(on: booking.on, units: abs(booking.amount.minorUnits))
            guard booking.amount.minorUnits < 0 else {
                credits[key, default: []].append(charge)
                continue
            }
            if let place = places[key] {
                groups[place].charges.append(charge)
                // The plainest text names the payee, whatever the order of the files.
                if known.payee.isPlainer(than: groups[place].payee) { groups[place].payee = known.payee }
            } else {
                places[key] = groups.count
                groups.append(
                    RecurringCharges.Group(
                        payee: known.payee, item: known.item, currency: key.currency, charges: [charge]))
            }
        }
        for place in groups.indices { groups[place].charges.sort { ($0.on, $0.units) < ($1.on, $1.units) } }
        for (key, credits) in credits {
            if let place = places[key] { refund(credits, in: &groups[place].charges) }
        }
        return groups.sorted { left, right in
            (left.payee.key, left.item?.slug ?? "", left.currency.code)
                < (right.payee.key, right.item?.slug ?? "", right.currency.code)
        }
    }

    /// Marks the latest charge of the same amount within 60 days before each credit.
    ///
    /// - Parameter charges: by day.
    private static func refund(_ credits: [RecurringCharges.Charge], in charges: inout [RecurringCharges.Charge]) {
        // The charges of each amount up to the day of a credit that no earlier credit has taken, the latest last.
        var open: [Int64: [Int]] = [:]
        var next = 0
        for credit in credits.sorted(by: { $0.on < $1.on }) {
            while next < charges.count, charges[next].on <= credit.on {
                open[charges[next].units, default: []].append(next)
                next += 1
            }
            guard let place = open[credit.units]?.last, charges[place].on.days(until: credit.on) <= 60 else { continue }
            charges[place].isRefunded = true
            open[credit.units]?.removeLast()
        }
    }
}
