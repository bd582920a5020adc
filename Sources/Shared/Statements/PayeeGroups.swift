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

        init(_ booking: StatementBooking) {
            (payee, note, kind) = (booking.payee, booking.note, booking.kind)
            isCredit = booking.amount.minorUnits > 0
        }
    }

    /// How many credits that fit no charge are kept for each payee.
    private static let mostUnmatched = 100

    /// Of so many words that recur behind those of a key, each is the name of another payee.
    private static let manyNames = 3

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

    private struct Named {
        var payee: PayeeName
        var item: CatalogueItem?
        var isRefund: Bool
    }

    /// The payees of all texts, without what the bank writes before them.
    private static func payees(
        of bookings: [StatementBooking], _ names: [PayeeName], _ catalogue: PayeeCatalogue
    ) -> [Text: Named] {
        var payees: [Text: (booking: StatementBooking, payee: PayeeName, isRefund: Bool, entries: Int)] = [:]
        var holds: Set<Text> = []
        for booking in bookings {
            let text = Text(booking)
            guard !holds.contains(text) else { continue }
            if payees[text] == nil {
                guard !AccountHolds.isHold(booking) else {
                    holds.insert(text)
                    continue
                }
                let (payee, isRefund) = payee(of: booking)
                payees[text] = (booking, payee, isRefund, 0)
            }
            payees[text]?.entries += 1
        }
        let frames = PayeeFrames(
            payees.values.map { PayeeFrames.Text(words: $0.payee.spelled, entries: $0.entries) }, names: names,
            catalogue: catalogue)
        return payees.mapValues { found in
            let length = frames.length(in: found.payee.spelled)
            let payee = length > 0 ? payee(of: found.booking, dropping: length).payee : found.payee
            return Named(
                payee: payee, item: payee.isService ? nil : catalogue.item(payee), isRefund: found.isRefund)
        }
    }

    private static func payee(
        of booking: StatementBooking, dropping frame: Int = 0
    ) -> (payee: PayeeName, isRefund: Bool) {
        guard booking.amount.minorUnits > 0 else { return (PayeeName(booking, dropping: frame), false) }
        let (payee, isSaid) = PayeeName.ofCredit(booking, dropping: frame)
        return (payee, isSaid)
    }

    /// By payee. A payee who only paid, and charged nothing, has a group without charges.
    ///
    /// - Parameters:
    ///   - lastDay: until when accounts are known of which the bookings do not say it.
    ///   - names: of stored subscriptions.
    static func groups(
        of bookings: [StatementBooking], until lastDay: CalendarDay, names: [PayeeName], catalogue: PayeeCatalogue
    ) -> [RecurringCharges.Group] {
        let payees = payees(of: bookings, names, catalogue)
        var places: [Key: Int] = [:]
        var groups: [RecurringCharges.Group] = []
        var credits: [Key: Credits] = [:]
        // How often a word follows those of the key.
        var followers: [Key: [String: Int]] = [:]
        for booking in bookings {
            let isCredit = booking.amount.minorUnits > 0
            guard let known = payees[Text(booking)] else { continue }
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
            let charge = RecurringCharges.Charge(
                on: booking.on, units: units, knownUntil: booking.knownUntil ?? lastDay)
            let following = known.item == nil ? known.payee.following : nil
            if let following { followers[key, default: [:]][following, default: 0] += 1 }
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
        for (key, words) in followers {
            guard let place = places[key] else { continue }
            groups[place].hasManyPayees = words.values.count { $0 > 1 } >= manyNames
        }
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
