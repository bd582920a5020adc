import SubGuardDomain

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
