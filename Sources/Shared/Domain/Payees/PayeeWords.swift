/// Words of banks in the texts of payments, in the languages of statements.
package enum PayeeWords {
    package static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }

    /// Of the bank, before the name.
    package static let prefixes = set(
        """
        carte cb card paiement payment achat purchase debit credit visa mastercard maestro pos contactless sans \
        contact kartenzahlung lastschrift folgelastschrift basislastschrift erstlastschrift girocard ec prlv \
        prelevement sepa europeen direct dd recurring standing permanent order ordre europeenne vir virement facture \
        fact by via em pmt pymt autopay ach web checkcard chkcard bill epayment bea betaalautomaat incasso europese \
        recibo adeudo pago compra tarjeta pagamento addebito sdd rcur frst core bonifico acquisto carta ppd ccd avis \
        tpe retrait dab ref transaction applepay googlepay gpay kaufumsatz eurocard lettre \
        dauerauftrag uberweisung ueberweisung overboeking periodieke transferencia przelew kortkop kortbetaling \
        kartentransaktion debitkarte kreditkarte bancontact domiciliering domiciliation
        """)
    /// What follows is about this payment only.
    static let markers = set(
        """
        mandat mandate mandatsref mandatsreferenz rum ics emetteur creditor glaubiger iban bic datum uhrzeit eref mref \
        cred svwz motif mdt numero reference ref referenz kundennummer rechnung rechnungsnr vertrag contrat facture \
        invoice kundennr mandaat incassant machtiging kenmerk volgnummer ide end endtoend omschrijving buchungstext \
        tarj \
        kartennummer kartennr miasto kraj castka dne transakcji
        """)
    static let noise = set(
        """
        com net org io app co uk fr de nl be ch es it pt lu ie us eu gb nld fra gbr usa deu irl lux swe esp ita bel \
        che prt sa sas sasu sarl gmbh ag ltd limited llc inc bv ab plc spa srl kg nv oy as scs sca cie intl \
        international eur usd gbp chf sek dkk nok pln abo abonnement monthly mensuel january february march april may \
        june \
        july august september october november december janvier fevrier mars avril mai juin juillet aout septembre \
        octobre novembre decembre januar februar marz juni juli oktober dezember carte card cb payment paiement amp
        """)
    static let webWords = set("www http https help support billing")
    static let intermediaries = set(
        """
        paypal pp sumup sq zettle iz izettle klarna stripe mollie adyen sp tst py wpy paddle fs fastspring 2co gumroad \
        lemonsqueezy lmsqueezy dri bkg ls ccv sqr buckaroo worldline payplug lyra hipay
        """)
}

/// Services that collect for merchants. Their own name says nothing; the merchant stands beside it or in the note.
enum PaymentService {
    /// What is left of a payee without the service and its company: the merchant, or nothing. Nil when the payee is no
    /// payment service.
    static func rest(of words: [PayeeWord]) -> [PayeeWord]? {
        if let via = words.indices.dropFirst().first(where: { place in
            connections.contains(words[place].word)
                && words[(place + 1)...].prefix(3).contains { names.contains($0.word) }
        }) {
            return Array(words[..<via])
        }
        let lead = words.prefix(2).firstIndex { names.contains($0.word) }
        guard let lead, lead == 0 || fillers.contains(words[0].word) else { return nil }
        var rest = words[(lead + 1)...].drop { fillers.contains($0.word) || $0.isNumber }
        while let last = rest.last, names.contains(last.word) { rest.removeLast() }
        return isName(rest) ? Array(rest) : []
    }

    /// What follows words such as `issued by` in the name of a payee; nil without them.
    static func merchant(named words: [PayeeWord]) -> [PayeeWord]? {
        for place in words.indices.dropFirst().dropLast() where links.contains(words[place].word) {
            let said = words[max(0, place - 3)...place].map(\.word).joined()
            guard purchases.contains(where: said.hasSuffix) else { continue }
            let name = Array(words[(place + 1)...])
            let rest = Self.rest(of: name) ?? name
            if isName(rest[...]) { return rest }
        }
        return nil
    }

    /// What follows words such as `Ihr Einkauf bei` in a note, also where its lines are broken inside words.
    static func merchant(named note: String) -> [PayeeWord]? {
        let tokens = String(note.prefix(400)).split { $0.isWhitespace }
        var before: [String] = []
        for (place, token) in tokens.enumerated().dropLast() {
            before += TextFolding.fold(String(token)).split(separator: " ").map(String.init)
            let said = before.suffix(4).joined()
            guard purchases.contains(where: said.hasSuffix) else { continue }
            let name = PayeeWord.cleaned(clause(tokens[(place + 1)...]))
            let rest = Self.rest(of: name) ?? name
            if isName(rest[...]) { return rest }
        }
        return nil
    }

    /// The merchant at the beginning of the note of a payment service: `PP.1234.PP/. SPOTIFY, Ihr Einkauf`.
    static func merchant(in note: String) -> [PayeeWord]? {
        let tokens = String(note.prefix(300)).split { $0.isWhitespace }
        // References come first; a name has three letters or more and no digits.
        let start = tokens.firstIndex { token in
            !token.contains(where: \.isNumber) && token.count(where: \.isLetter) >= 3
                && PayeeWord.pieces(token).contains { !fillers.contains($0.word) && !isOfBank($0.word) }
        }
        guard let start else { return nil }
        let name = PayeeWord.cleaned(String(clause(tokens[start...]))).drop { fillers.contains($0.word) }
        return isName(name) ? Array(name) : nil
    }

    /// Up to the first comma.
    private static func clause(_ tokens: ArraySlice<Substring>) -> String {
        var kept: [String] = []
        for token in tokens.prefix(6) {
            kept.append(String(token))
            if token.hasSuffix(",") || token.hasSuffix(";") { break }
        }
        return kept.joined(separator: " ")
    }

    private static func isName(_ words: ArraySlice<PayeeWord>) -> Bool {
        words.contains { !$0.isNumber && $0.word.count >= 3 && !isOfBank($0.word) && !names.contains($0.word) }
    }

    private static func isOfBank(_ word: String) -> Bool {
        PayeeWords.prefixes.contains(word) || PayeeWords.markers.contains(word) || PayeeWords.noise.contains(word)
            || own.contains(word) || PaymentType.isTypeWord(word)
    }

    private static let names = PayeeWords.set(
        """
        paypal klarna adyen stripe mollie sumup zettle izettle worldline payone unzer riverty afterpay clearpay \
        buckaroo multisafepay payplug hipay lyra gocardless trustly ratepay scalapay checkoutcom cleverbridge \
        digitalriver micropayment worldpay computop payu przelewy24 tpay bambora paysafe
        """)
    /// Parts of the names of these companies.
    private static let fillers = PayeeWords.set(
        """
        europe europa s a r l sarl et cie c sca ltd limited gmbh ag inc nv n v b bv ab publ bank payments payment pay \
        technology technologies services service stichting foundation custodian derdengelden luxembourg ireland uk eu \
        int international pte of for online com se co solutions financial transactions \
        inst xfer transfer billpay subscr abo
        """)
    private static let connections = PayeeWords.set("via by door par durch")
    /// Words that services write into every note.
    private static let own = PayeeWords.set(
        """
        pp ihr ihre einkauf bei votre achat chez your purchase uw aankoop bij tu su compra il tuo acquisto presso \
        zahlung betaling bestelling bestellung order commande online kauf dein deine danke thank you und and
        """)
    private static let links = PayeeWords.set("bei chez at bij en presso by par von por da door")
    private static let purchases = [
        "einkaufbei", "kaufbei", "bestellungbei", "achatchez", "commandechez", "purchaseat", "aankoopbij",
        "bestellingbij",
        "compraen", "acquistopresso", "issuedby", "emisepar", "ausgestelltvon", "ausgegebenvon", "emitidapor",
        "emessada",
        "uitgegevendoor",
    ]
}
