import SubGuardDomain

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
