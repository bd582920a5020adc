import SubGuardDomain

/// Assigns what came back to the charges of a payee.
enum RefundedCharges {
    typealias Charge = RecurringCharges.Charge

    /// An entry that reached the account.
    struct Credit: Sendable, Hashable {
        var on: CalendarDay
        /// Positive, in minor units.
        var units: Int64
        /// Whether a word of the entry says that it is a refund.
        var isSaid = false
    }

    /// The most days between a charge and its refund.
    static let reach = 60
    /// How many charges before a credit are looked at for one that is somewhat larger: a hostile file has any number.
    private static let mostBefore = 64

    /// Marks the nearest charge before each credit whose amount fits: the same amount, or up to a tenth more, as a fee
    /// on top does not come back. Credits that are left are parts of the nearest charge that is large enough. Where a
    /// payee sells goods, only the same amount tells what came back.
    ///
    /// - Parameters:
    ///   - group: with its charges by day.
    ///   - allowsParts: whether a credit that no word calls a refund may be a part.
    /// - Returns: credits that fit no charge, by day.
    static func assign(
        _ credits: [Credit], to group: inout RecurringCharges.Group, allowsParts: Bool
    ) -> [Credit] {
        let sellsGoods =
            group.item.map { SeriesJudgement.sellsGoods($0) } ?? false
            || AmountPattern(group.charges.map(\.units)) == .scattered
        var left = assign(credits, to: &group.charges, isExact: sellsGoods)
        guard !sellsGoods else { return left.map(\.credit) }
        left.removeAll { credit, end in
            guard allowsParts || credit.isSaid else { return false }
            let place = latest(before: end, in: group.charges, credit) {
                $0.units - ($0.refund?.units ?? 0) >= credit.units
            }
            if let place { group.charges[place].take(credit) }
            return place != nil
        }
        return left.map(\.credit)
    }

    /// - Returns: the other credits, each with the number of charges up to its day.
    private static func assign(
        _ credits: [Credit], to charges: inout [Charge], isExact: Bool
    ) -> [(credit: Credit, end: Int)] {
        // The charges of each amount up to the day of a credit that no earlier credit has taken, the latest last.
        var open: [Int64: [Int]] = [:]
        var next = 0
        var left: [(credit: Credit, end: Int)] = []
        for credit in credits.sorted(by: { ($0.on, $0.units) < ($1.on, $1.units) }) {
            while next < charges.count, charges[next].on <= credit.on {
                open[charges[next].units, default: []].append(next)
                next += 1
            }
            while let last = open[credit.units]?.last, charges[last].refund != nil {
                open[credit.units]?.removeLast()
            }
            let same = open[credit.units]?.last.flatMap { isNear(charges[$0], credit) ? $0 : nil }
            let larger =
                isExact
                ? nil
                : latest(before: next, in: charges, credit) { charge in
                    charge.refund == nil && (charge.units - credit.units) * 10 <= charge.units
                }
            guard let place = [same, larger].compactMap({ $0 }).max(by: { charges[$0].on < charges[$1].on }) else {
                left.append((credit, next))
                continue
            }
            charges[place].take(credit)
        }
        return left
    }

    private static func isNear(_ charge: Charge, _ credit: Credit) -> Bool {
        charge.on.days(until: credit.on) <= reach
    }

    private static func latest(
        before end: Int, in charges: [Charge], _ credit: Credit, where fits: (Charge) -> Bool
    ) -> Int? {
        (max(0, end - mostBefore)..<end).last { place in
            charges[place].units >= credit.units && isNear(charges[place], credit) && fits(charges[place])
        }
    }
}

extension RecurringCharges.Charge {
    fileprivate mutating func take(_ credit: RefundedCharges.Credit) {
        refund = RecurringCharges.Charge.Refund(
            units: (refund?.units ?? 0) + credit.units, on: credit.on, entries: (refund?.entries ?? 0) + 1)
    }
}

/// Groups of charges by the words of their payees, for credits whose payee has words that the charges do not have, or
/// lacks some.
struct RefundPayees {
    /// How many groups are tried for a credit.
    private static let most = 8
    private static let leastLetters = 4

    /// Places of groups by their joined words, and by each beginning of these.
    private var whole: [String: [Int]] = [:]
    private var beginnings: [String: [Int]] = [:]

    init(_ groups: [RecurringCharges.Group]) {
        for (place, group) in groups.enumerated() where group.payee.kind != .cash && !group.payee.isService {
            let names = Self.beginnings(of: group.payee, group.currency)
            for name in names { Self.add(place, to: &beginnings, name) }
            if let name = names.last { Self.add(place, to: &whole, name) }
        }
    }

    private static func add(_ place: Int, to places: inout [String: [Int]], _ name: String) {
        if places[name]?.count ?? 0 < most { places[name, default: []].append(place) }
    }

    private static func beginnings(of payee: PayeeName, _ currency: Currency) -> [String] {
        var joined = ""
        return payee.words.compactMap { word in
            joined += word
            return joined.utf8.count >= leastLetters && joined.contains(where: \.isLetter)
                ? "\(currency.code) \(joined)" : nil
        }
    }

    /// The groups whose name begins with that of a credit, or with which it begins; the longest in common first.
    func places(_ payee: PayeeName, _ currency: Currency) -> [Int] {
        guard !payee.isService else { return [] }
        let names = Self.beginnings(of: payee, currency)
        let longer = names.last.flatMap { beginnings[$0] } ?? []
        let shorter = names.reversed().flatMap { whole[$0] ?? [] }
        var seen: Set<Int> = []
        return Array((longer + shorter).filter { seen.insert($0).inserted }.prefix(Self.most))
    }
}

/// Words with which banks and merchants mark what comes back, in the languages of statements.
enum RefundWords {
    private static let refunds = PayeeWords.set(
        """
        refund refunds refunded refunding reimbursement reimbursed reversal reversals reversed chargeback chargebacks \
        remb rembt rembours remboursement remboursements rembourse remboursee avoir avoirs annulation annule annulee \
        extourne ristourne restitution retrocession erstattung erstattungen ruckerstattung rueckerstattung ruckzahlung \
        rueckzahlung ruckbuchung rueckbuchung gutschrift gutschriften storno stornierung stornogutschrift reembolso \
        reembolsos devolucion devolucao devolucoes abono estorno anulacion anulacao terugbetaling terugbetalingen \
        terugboeking terugstorting creditnota rimborso rimborsi storni accredito zwrot vraceni vratka aterbetalning \
        aterbetaling tilbagebetaling tilbakebetaling refusjon refundering hyvitys palautus visszaterites
        """)
    /// What stands beside them and names no payee: `REMBOURSEMENT PARTIEL DE`, `REFUND YOUR ORDER FROM`.
    private static let companions = PayeeWords.set(
        """
        de du des d von vom van da do di del della dal of for from pour por par a au aux an fur fuer your votre ihre \
        client clients customer kunde kunden commande order bestellung service partiel partielle partial teil total \
        totale achat achats purchase trop percu recu recue received erhalten back
        """)
    /// Of the bank, before the name of who sent a payment.
    private static let incoming = PayeeWords.set(
        """
        recu recue recus received incoming eingang zahlungseingang ricevuto recibido recibida ontvangen inst instantane
        """
    )

    /// The text of a credit without these words, so that `REMBOURSEMENT DE CANAL PLUS` and `Canal Plus REFUND` are the
    /// payee of the charge, and whether one of them was there.
    static func removed(from text: String) -> (text: String, isSaid: Bool) {
        var kept: [Substring] = []
        var isSaid = false
        // Whether the token before was taken out, and whether only words of the bank stand before.
        var (isBeside, isStart) = (false, true)
        for token in String(text.prefix(300)).split(whereSeparator: \.isWhitespace) {
            let pieces = PayeeWord.pieces(token)
            let words = pieces.map(\.word)
            if words.contains(where: refunds.contains) {
                isSaid = true
                let rest = pieces.filter { !refunds.contains($0.word) }.map(\.part).joined(separator: " ")
                if !rest.isEmpty { kept.append(Substring(rest)) }
                isBeside = rest.isEmpty
                continue
            }
            if let word = words.first, words.count == 1 {
                if isBeside, companions.contains(word) || incoming.contains(word) { continue }
                if isStart, incoming.contains(word) {
                    isBeside = true
                    continue
                }
                isStart = isStart && PayeeWords.prefixes.contains(word)
            } else if !words.isEmpty {
                isStart = false
            }
            isBeside = false
            kept.append(token)
        }
        while isSaid, let last = kept.last, kept.count > 1,
            companions.contains(PayeeWord.pieces(last).map(\.word).joined(separator: " "))
        {
            kept.removeLast()
        }
        return (kept.joined(separator: " "), isSaid)
    }
}

extension PayeeName {
    /// The other party of an entry that reached the account, without the words that say it is a refund.
    ///
    /// - Parameter frame: how many of ``spelled`` are the bank's too.
    static func ofCredit(_ booking: StatementBooking, dropping frame: Int = 0) -> (payee: PayeeName, isSaid: Bool) {
        let named = { PayeeName($0, note: $1, type: booking.kind, dropping: frame) }
        let (payee, isSaid) = RefundWords.removed(from: booking.payee)
        guard payee.isEmpty || !isSaid else { return (named(payee, booking.note), isSaid) }
        // Where the payee says no more than `GUTSCHRIFT`, the note names it.
        let (note, isNoted) = RefundWords.removed(from: booking.note)
        return payee.isEmpty ? (named(note, ""), isSaid || isNoted) : (named(payee, booking.note), isNoted)
    }
}
