import SubGuardDomain

/// What the amounts of a card have in common where charges are positive: the negative ones pay it.
struct CardStatement {
    struct Entry {
        var units: Int64
        var text: String
        /// What the bank calls the entry.
        var kind: String
    }

    private struct Sum {
        var count: Int64 = 0
        var units: Int64 = 0

        mutating func add(_ units: Int64) {
            count += 1
            self.units &+= Int64(clamping: units.magnitude)
        }

        var mean: Int64 { count == 0 ? 0 : units / count }
    }

    /// By the letters of their texts.
    private var charges: [String: Sum] = [:]
    private var payments: [String: Sum] = [:]
    private var (charged, paid) = (Sum(), Sum())
    /// The letters of negative entries that say neither that they pay the card nor that they are refunds.
    private var others: [String] = []
    /// Whether each of the payments says so beyond doubt.
    private(set) var areSure = true
    /// The text of a payment.
    private(set) var payment = ""

    init(_ entries: [Entry]) {
        for entry in entries where entry.units != 0 {
            let key = TextFolding.fold(entry.text).filter(\.isLetter)
            guard entry.units < 0 else {
                charges[key, default: Sum()].add(entry.units)
                charged.add(entry.units)
                continue
            }
            guard
                let certainty = CardCredits.payment(entry.text)
                    ?? CardCredits.payment(entry.text + " " + entry.kind)
            else {
                if !CardCredits.isCredit(entry.text) { others.append(key) }
                continue
            }
            if payments.isEmpty { payment = entry.text }
            areSure = areSure && certainty == .sure
            payments[key, default: Sum()].add(entry.units)
            paid.add(entry.units)
        }
    }

    /// Nearly all negative entries pay the card or are refunds, while the positive ones repeat. An account that says
    /// thanks to several payees is none.
    var arePaymentsNegative: Bool {
        // Refunds come from those who were paid.
        let unexplained = others.count { charges[$0] == nil }
        return (1...Self.mostPayments).contains(payments.count) && Int64(unexplained) * 5 <= paid.count
            && charges.values.contains { $0.count > 1 }
    }

    private static let mostPayments = 3

    /// Whether the payments together are about as much as the charges, and each is several of them.
    var doPaymentsCoverCharges: Bool {
        paid.count >= 3 && charged.count > paid.count && paid.mean > charged.mean
            && charges.values.count { $0.count > 1 } > 1 && paid.units / 6 >= charged.units / 10
            && paid.units / 11 <= charged.units / 10
    }
}

/// Words of what comes back to a card: refunds, rewards, and what pays it.
enum CardCredits {
    enum Payment {
        /// The text says so, and nothing else.
        case plain
        /// The issuer thanks, or has received it.
        case sure
    }

    /// Whether a text has a word of a credit.
    static func isCredit(_ text: String) -> Bool {
        RefundWords.removed(from: text).isSaid
            || words(of: text).contains { credits.contains($0) || payments.contains($0) || thanks.contains($0) }
    }

    /// Whether a text is of what pays a card, and names no payee as `PAYMENT TO NETFLIX` does.
    static func payment(_ text: String) -> Payment? {
        let words = words(of: text)
        guard words.contains(where: { payments.contains($0) || collections.contains($0) }) else { return nil }
        if words.contains(where: { thanks.contains($0) || receipts.contains($0) }) {
            // Shops give thanks as well: `REWE SAGT DANKE`.
            let others = words.count { word in
                ![payments, collections, thanks, receipts, companions].contains { $0.contains(word) }
            }
            return others <= (words.contains(where: payments.contains) ? 2 : 1) ? .sure : nil
        }
        return words.contains { payments.contains($0) }
            && words.allSatisfy { payments.contains($0) || companions.contains($0) } ? .plain : nil
    }

    private static func words(of text: String) -> [String] {
        TextFolding.fold(String(text.prefix(300))).split { !$0.isLetter }.map(String.init)
    }

    private static let credits = PayeeWords.set(
        "credit cashback reward rewards bonus bonuses rebate discount remise rabatt")
    private static let payments = PayeeWords.set(
        """
        payment payments autopay pymt pmt zahlung einzahlung ausgleich einzug lastschrifteinzug paiement reglement \
        pago pagamento betaling betalning inbetalning indbetaling innbetaling splata platba suoritus
        """)
    /// What pays a card, and what takes from an account.
    private static let collections = PayeeWords.set(
        "prelevement lastschrift versement uberweisung incasso wplata odeme")
    private static let thanks = PayeeWords.set(
        "thank thanks merci danke dank gracias obrigado grazie bedankt tack takk tak kiitos dziekujemy dekujeme")
    private static let receipts = PayeeWords.set(
        """
        received recu recue recebido recebida recibido recibida ricevuto ricevuta ontvangen erhalten eingegangen \
        mottagen modtaget mottatt otrzymana prijata
        """)
    private static let companions = PayeeWords.set(
        """
        you your for the by from of a e on de du par per via and internet online mobile web electronic ach auto \
        automatic automatique automatico direct deposit transfer bank full balance monthly account ending in
        """)
}
