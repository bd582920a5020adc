import SubGuardDomain

/// Groups bookings by payee and currency.
enum PayeeGroups {
    private struct Key: Hashable {
        var payee: String
        var currency: Currency
        var isCash: Bool
    }

    private struct Text: Hashable {
        var payee: String
        var note: String
        var kind: String
        var isCredit: Bool
    }

    /// How many credits that fit no charge are kept for each payee.
    private static let mostUnmatched = 100

    private struct Credits {
        var payee: PayeeName
        var item: CatalogueItem?
        var credits: [RefundedCharges.Credit] = []

        /// The plainest text names the payee, as with charges.
        mutating func add(_ credit: RefundedCharges.Credit, from other: PayeeName) {
            credits.append(credit)
            if other.isPlainer(than: payee) { payee = other }
        }
    }

    /// By payee. A payee who only paid, and charged nothing, has a group without charges.
    static func groups(of bookings: [StatementBooking], catalogue: PayeeCatalogue) -> [RecurringCharges.Group] {
        var names: [Text: (payee: PayeeName, item: CatalogueItem?, isRefund: Bool)] = [:]
        var places: [Key: Int] = [:]
        var groups: [RecurringCharges.Group] = []
        var credits: [Key: Credits] = [:]
        for booking in bookings {
            let isCredit = booking.amount.minorUnits > 0
            let text = Text(payee: booking.payee, note: booking.note, kind: booking.kind, isCredit: isCredit)
            let known: (payee: PayeeName, item: CatalogueItem?, isRefund: Bool)
            if let found = names[text] {
                known = found
            } else {
                let (payee, isRefund) = isCredit ? PayeeName.ofCredit(booking) : (PayeeName(booking), false)
                known = (payee, payee.isService ? nil : catalogue.item(payee), isRefund)
                names[text] = known
            }
            guard !known.payee.key.isEmpty || known.payee.kind == .cash else { continue }
            let isCash = known.payee.kind == .cash
            let key = Key(
                payee: isCash ? "" : known.item.map { "#" + $0.slug } ?? known.payee.key,
                currency: booking.amount.currency, isCash: isCash)
            let units = abs(booking.amount.minorUnits)
            guard !isCredit else {
                credits[key, default: Credits(payee: known.payee, item: known.item)].add(
                    RefundedCharges.Credit(on: booking.on, units: units, isSaid: known.isRefund), from: known.payee)
                continue
            }
            let charge = RecurringCharges.Charge(on: booking.on, units: units)
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
        refund(credits, in: &groups, places)
        return groups.sorted { left, right in
            (left.payee.key, left.item?.slug ?? "", left.currency.code, left.payee.kind.rawValue)
                < (right.payee.key, right.item?.slug ?? "", right.currency.code, right.payee.kind.rawValue)
        }
    }

    /// First those of the same payee, then those whose payee has other words beside its name.
    private static func refund(
        _ credits: [Key: Credits], in groups: inout [RecurringCharges.Group], _ places: [Key: Int]
    ) {
        let similar = RefundPayees(groups)
        var others: [Key] = []
        for (key, found) in credits {
            guard let place = places[key] else {
                if !key.isCash { others.append(key) }
                continue
            }
            let left = RefundedCharges.assign(
                found.credits, to: &groups[place], allowsParts: !found.payee.isService)
            groups[place].unmatched = Array(left.prefix(mostUnmatched))
        }
        for key in others.sorted(by: { ($0.payee, $0.currency.code) < ($1.payee, $1.currency.code) }) {
            guard let found = credits[key] else { continue }
            var left = found.credits
            for place in similar.places(found.payee, key.currency) where !left.isEmpty {
                left = RefundedCharges.assign(left, to: &groups[place], allowsParts: false)
            }
            guard !left.isEmpty else { continue }
            var group = RecurringCharges.Group(
                payee: found.payee, item: found.item, currency: key.currency, charges: [])
            group.unmatched = Array(left.prefix(mostUnmatched))
            groups.append(group)
        }
    }
}
