/// What the bank says about the kind of a payment.
///
/// Decided by whole transaction types (`Standing order`, `Dauerauftrag`) where banks write them: in a column of their
/// own, at the beginning or the end of the note, at the beginning of the text. A single word somewhere in a note or a
/// name decides nothing: `Pret A Manger` is no loan, and `incl. tax` makes no tax of a service.
struct PaymentType {
    let kind: PayeeName.Kind
    /// Whether the text says that it was paid by card, so that the payee is a merchant.
    let isByCard: Bool

    /// - Parameter name: the words of the payee without those of the bank.
    init(payee: String, note: String, type: String, name: [String]) {
        // Only the first words are looked at; folding all of a long text takes most of the time.
        let said = Self.words(payee, 60)
        let noted = Self.words(note, 100)
        let typed = Self.words(type, 60)
        let texts = [typed[...], said[...], noted[...]].filter { !$0.isEmpty }
        let isCash =
            Self.has(Self.cash, at: 0...2, typed) || Self.has(Self.cash, at: 0...0, noted)
            || Self.has(Self.cash, at: 0...0, said) || [typed, said, noted].contains(where: Self.isCashAlone)
        // Directly after the type, as in `DAUERAUFTRAG Miete`, or the last words of the bank.
        let isTransfer =
            Self.has(Self.transfers, at: 0...3, typed) || Self.has(Self.transfers, at: 0...2, noted)
            || Self.ends(Self.transfers, noted) || Self.has(Self.transfers, at: 0...1, said)
        let isDebit =
            texts.contains { Self.has(Self.debits, at: 0...4, $0) } || Self.ends(Self.debits, noted)
            || noted.prefix(12).contains { Self.mandates.contains($0) } || said.contains { Self.mandates.contains($0) }
        isByCard =
            texts.contains { Self.has(Self.cards, at: 0...3, $0) } || Self.ends(Self.cards, noted)
        if isCash {
            kind = .cash
        } else if Self.isObligation(name, isByCard: isByCard) || Self.has(Self.loans, at: 0...1, typed)
            || Self.has(Self.loans, at: 0...1, said)
        {
            kind = .obligation
        } else if isDebit, !Self.has(Self.orders, at: 0...2, typed.isEmpty ? noted : typed) {
            kind = .directDebit
        } else {
            kind = isTransfer ? .transfer : .card
        }
    }

    private static func words(_ text: String, _ length: Int) -> [String] {
        text.isEmpty ? [] : TextFolding.fold(String(text.prefix(length))).split(separator: " ").map(String.init)
    }

    /// Whether one of the phrases begins at one of the places.
    private static func has(
        _ phrases: Set<String>, at places: ClosedRange<Int>, _ words: some RandomAccessCollection<String>
    ) -> Bool {
        let words = Array(words.prefix(places.upperBound + 3))
        return places.contains { place in
            guard place < words.count, starts.contains(words[place]) else { return false }
            return (1...3).contains { length in
                place + length <= words.count
                    && phrases.contains(words[place..<(place + length)].joined(separator: " "))
            }
        }
    }

    private static func ends(_ phrases: Set<String>, _ words: [String]) -> Bool {
        (1...3).contains { length in
            words.count >= length && starts.contains(words[words.count - length])
                && phrases.contains(words.suffix(length).joined(separator: " "))
        }
    }

    /// `ATM`, `CASH 0012`, but `Cash Converters`.
    private static func isCashAlone(_ words: [String]) -> Bool {
        guard let first = words.first, ["cash", "atm", "dab", "gab"].contains(first) else { return false }
        return words.dropFirst().allSatisfy { $0.utf8.allSatisfy(PayeeWord.isDigit) || $0 == "withdrawal" }
    }

    /// Words of types that never name a merchant.
    static func isTypeWord(_ word: String) -> Bool {
        debits.contains(word) || transfers.contains(word) || cards.contains(word) || mandates.contains(word)
    }

    /// By the words of a payee and those around them.
    private static func isObligation(_ name: [String], isByCard: Bool) -> Bool {
        if has(authorities, at: 0...1, name) { return true }
        guard !isByCard, let first = name.first else { return false }
        if has(loans, at: 0...0, name) || isLoan(name) { return true }
        // `PRET 00012345`, `PRET IMMO`, but `PRET A MANGER`.
        if first == "pret", name.dropFirst().first.map(loanKinds.contains) ?? true { return true }
        // Alone, or before and after a name: `LOYER`, `Durand loyer`, but `Rent the Runway` and `Rentokil`.
        if first == "loyer" || name.last.map(rents.contains) ?? false { return true }
        // `Rent J Smith`, `Rent flat 4`.
        guard rents.contains(first) else { return false }
        let rest = name.dropFirst().drop { $0 == "to" || $0 == "for" }
        return PersonName.begins(rest) || rest.first.map { homes.contains($0) || MonthWords.isMonth($0) } ?? false
    }

    /// `MORTGAGE HALIFAX`, `Student Loans Company`, `Zopa Loan 12`, but `Mortgage Calculator Pro`, `Loan Star Comics`.
    private static func isLoan(_ name: [String]) -> Bool {
        guard name.contains(where: { loanWords.contains($0) || mortgages.contains($0) }) else { return false }
        let words = name.filter { !$0.utf8.allSatisfy(PayeeWord.isDigit) && !isTypeWord($0) }
        guard !words.contains(where: products.contains) else { return false }
        return words.indices.contains { place in
            guard !mortgages.contains(words[place]) else { return true }
            guard loanWords.contains(words[place]) else { return false }
            if place > 0, loanPurposes.contains(words[place - 1]) { return true }
            guard place + 1 < words.count else { return words[place].hasPrefix("loan") }
            return instalments.contains(words[place + 1])
        }
    }

    // MARK: Phrases

    /// The first words of all phrases: nothing else is compared.
    private static let starts = Set(
        [cash, transfers, orders, debits, cards, loans, authorities].flatMap { phrases in
            phrases.compactMap { $0.split(separator: " ").first.map(String.init) }
        })

    private static func phrases(_ text: String) -> Set<String> {
        Set(text.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") })
    }

    private static let cash = phrases(
        """
        retrait, retrait dab, ret dab, retrait gab, cash withdrawal, atm withdrawal, withdrawal atm, cash advance, \
        cash machine, bargeldauszahlung, bargeldabhebung, bargeldbezug, bargeld, geldautomat, bankomat, geldopname, \
        geldautomaat, cajero, reintegro, reintegro cajero, prelievo, prelevamento, levantamento, uttag, uttagsautomat, \
        minibank, kontanthaevning, vyber hotovosti, vyber z bankomatu, wyplata gotowki, wyplata z bankomatu, \
        kateisnosto, nosto, atm cash
        """)
    private static let transfers = phrases(
        """
        vir, virement, virements, virt, transfer, transfers, ueberweisung, uberweisung, echtzeituberweisung, \
        echtzeit uberweisung, onlineuberweisung, online uberweisung, sammeluberweisung, einzeluberweisung, \
        dauerauftrag, dauerauftragsbelastung, gutschrift, overboeking, overschrijving, bonifico, giroconto, \
        transferencia, traspaso, transf, trf, tfr, standing order, stg order, faster payment, faster payments, faster, \
        fps, fpo, zelle, venmo, swish, bizum, paylib, wero, tikkie, interac, e transfer, przelew, zlecenie stale, \
        odchozi uhrada, trvaly prikaz, prevod, overforing, staende overforing, overforsel, fast overforsel, \
        fast oppdrag, tilisiirto, atutalas, ordre permanent, ordem permanente, orden permanente, ordine permanente, \
        periodieke overb, periodieke overboeking, periodieke overschrijving, spaaropdracht, online bankieren, \
        internetbankieren, epargne, savings, exchange, currency conversion, general currency conversion, \
        currency exchange, conversion de devise, conversion de devises, conversion de devise standard, \
        wahrungsumrechnung, allgemeine wahrungsumrechnung, valutaomrekening, algemene valutaomrekening, \
        conversion de divisa, conversion de divisas, conversione di valuta, bank deposit to, geld gesendet, \
        money transfer, p2p payment, sent money, money sent, argent envoye, geld uberwiesen, dinero enviado, \
        repeatpmt, xfer, zahlung an bankkonto
        """)
    /// Orders of the holder, whatever else a note says.
    private static let orders = phrases(
        "dauerauftrag, standing order, stg order, zlecenie stale, trvaly prikaz, ordre permanent, virement permanent, "
            + "periodieke overb, periodieke overboeking")
    private static let debits = phrases(
        """
        prlv, prelevement, prelevements, lastschrift, folgelastschrift, basislastschrift, erstlastschrift, \
        sepa basislastschrift, lastschrifteinzug, sdd, incasso, europese incasso, domiciliacion, domiciliering, \
        domiciliation, adeudo, recibo, addebito, addebito diretto, rid, direct debit, directdebit, dd, einzug, \
        autogiro, avtalegiro, betalingsservice, polecenie zaplaty, inkaso, debito direto, debito directo, \
        suoraveloitus, lsv, belastungslastschrift
        """)
    private static let mandates = PayeeWords.set("mandat mandate mandaat mandato mandatsref mandatsreferenz")
    private static let cards = phrases(
        """
        carte, cb, card, card payment, card purchase, kartenzahlung, girocard, visa, mastercard, maestro, pos, \
        presentment, betaalautomaat, bea, betaalpas, compra tarjeta, tarjeta, kaufumsatz, debitkarte, kreditkarte, \
        einkauf debitkarte, kortkop, kortbetaling, kortkjop, varekjop, dankort, platba kartou, karta, platnosc karta, \
        bancontact, pagamento carta, acquisto carta, compra, checkcard, debit card, credit card, card transaction, \
        kartentransaktion, korttiosto, kartyas
        """)
    private static let loans = phrases(
        """
        loan payment, loan repayment, mortgage payment, darlehen, darlehensrate, kreditrate, ratenkredit, \
        tilgung, hypothek, hypotheek, prestamo, cuota prestamo, hipoteca, mutuo, rata mutuo, echeance pret, ech pret, \
        echeance credit, remb pret, remboursement pret, remboursement de pret, remboursement credit, echeance de pret, \
        salaire
        """)
    private static let mortgages = PayeeWords.set("mortgage mortgages")
    /// Alone, the short ones are words of other names too.
    private static let loanWords = PayeeWords.set("loan loans mtg ln")
    private static let loanPurposes = PayeeWords.set("student home house car auto vehicle personal business consumer")
    private static let instalments = PayeeWords.set(
        "payment payments repayment repayments pymt pymts pmt pmts instalment instalments installment installments")
    /// What is sold about loans.
    private static let products = PayeeWords.set(
        """
        calculator calculators planner coach hero app apps pro plus premium software tools tracker news daily weekly \
        magazine academy training course crm
        """)
    private static let authorities = phrases(
        """
        finanzamt, hmrc, hm revenue, dgfip, direction generale des, impot, impots, tresor public, belastingdienst, \
        irs, agencia tributaria, agenzia entrate, agenzia delle entrate, skatteverket, urzad skarbowy, steueramt, \
        steuerverwaltung, bundeskasse, spf finances, fod financien, taxe fonciere, taxe habitation, council tax, \
        steuer finanzamt, ird
        """)
    private static let loanKinds = PayeeWords.set(
        "immobilier immo conso consommation habitat auto travaux personnel no n numero echeance etudiant relais")
    private static let homes = PayeeWords.set("flat apartment apt house room unit garage payment payments landlord")
    private static let rents = PayeeWords.set("loyer miete huur alquiler affitto rent hyra arrende")
}
