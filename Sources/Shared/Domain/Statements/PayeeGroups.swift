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
    }

    static func groups(of bookings: [StatementBooking], catalogue: PayeeCatalogue) -> [RecurringCharges.Group] {
        var names: [Text: (payee: PayeeName, item: CatalogueItem?)] = [:]
        var places: [Key: Int] = [:]
        var groups: [RecurringCharges.Group] = []
        var credits: [Key: [RecurringCharges.Charge]] = [:]
        for booking in bookings {
            let text = Text(payee: booking.payee, note: booking.note, kind: booking.kind)
            let known: (payee: PayeeName, item: CatalogueItem?)
            if let found = names[text] {
                known = found
            } else {
                let payee = PayeeName(booking)
                known = (payee, payee.isService ? nil : catalogue.item(payee))
                names[text] = known
            }
            guard !known.payee.key.isEmpty || known.payee.kind == .cash else { continue }
            let isCash = known.payee.kind == .cash
            let key = Key(
                payee: isCash ? "" : known.item.map { "#" + $0.slug } ?? known.payee.key,
                currency: booking.amount.currency, isCash: isCash)
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
            (left.payee.key, left.item?.slug ?? "", left.currency.code, left.payee.kind.rawValue)
                < (right.payee.key, right.item?.slug ?? "", right.currency.code, right.payee.kind.rawValue)
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
