/// The other party of a payment, without what differs from one payment to the next: card and mandate numbers, dates,
/// places, the bank's own words.
public struct PayeeName: Sendable, Hashable {
    /// Folded words; the same for all payments to a payee. Empty when nothing is left.
    public let key: String
    /// The same with the short numbers that belong to names: `microsoft 365`.
    public let words: [String]
    /// The name to show, in capitals as names have them.
    public let display: String
    public let kind: Kind

    /// What the bank says about the payment.
    public enum Kind: Int, Sendable, Hashable {
        case card
        /// The payee collects it with a mandate.
        case directDebit
        /// The account's holder sends it, once or as a standing order.
        case transfer
        case cash
        /// Instalments of a loan, and taxes.
        case obligation
    }

    /// - Parameters:
    ///   - payee: the name, or the whole text of the bank.
    ///   - note: further words of the bank; they tell only the kind.
    public init(_ payee: String, note: String = "") {
        // Only the first words are looked at; folding all of a long text takes most of the time.
        let said = TextFolding.fold(String((payee.isEmpty ? note : payee).prefix(60))).split(separator: " ")
        let noted = TextFolding.fold(String(note.prefix(100))).split(separator: " ")
        kind = PayeeWords.kind(said.prefix(4), noted.prefix(12))
        let cleaned = Self.cleaned(payee.isEmpty ? note : payee)
        words = cleaned
        let letters = cleaned.filter { !$0.utf8.allSatisfy(Self.isDigit) }
        key = letters.prefix(4).joined(separator: " ")
        display = cleaned.prefix(4).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// Whether it has fewer words, or, as a fixed order, sorts first.
    func isPlainer(than other: PayeeName) -> Bool {
        if words.count != other.words.count { return words.count < other.words.count }
        if words != other.words { return words.lexicographicallyPrecedes(other.words) }
        return kind.rawValue > other.kind.rawValue
    }

    private static func cleaned(_ text: String) -> [String] {
        var text = String(text.prefix(300))[...]
        if let star = text.firstIndex(of: "*") ?? text.firstIndex(of: "_") {
            // `PAYPAL *SPOTIFY`: the first name only passes the money on.
            let before = TextFolding.fold(String(text[..<star])).split(separator: " ").last.map(String.init) ?? ""
            let after = text[text.index(after: star)...]
            if PayeeWords.intermediaries.contains(before), after.contains(where: \.isLetter) { text = after }
        }
        var words: [String] = []
        var isStart = true
        let tokens = text.split { $0.isWhitespace || $0 == "*" || $0 == "_" || $0 == "|" }
        for (place, token) in tokens.enumerated() {
            guard !isDate(token) else { continue }
            // `CARTE DU 12/03`, but `LE MONDE`.
            if isStart, place + 1 < tokens.count, isDate(tokens[place + 1]) || isNumber(String(tokens[place + 1])),
                PayeeWords.connectors.contains(token.lowercased())
            {
                continue
            }
            for word in TextFolding.fold(String(token)).split(separator: " ").map(String.init) {
                if isStart, PayeeWords.prefixes.contains(word) || isNumber(word) { continue }
                if !words.isEmpty, PayeeWords.markers.contains(word) { return words }
                guard !isID(word, isFirst: words.isEmpty), words.isEmpty || !PayeeWords.noise.contains(word) else {
                    continue
                }
                if words.isEmpty, PayeeWords.webWords.contains(word) { continue }
                isStart = false
                words.append(word)
                if words.count == 8 { return words }
            }
        }
        return words
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Of more than two digits: a date, a card, a reference.
    private static func isNumber(_ word: String) -> Bool {
        word.utf8.count > 2 && word.utf8.allSatisfy(isDigit)
    }

    /// `12/03`, `12.03.26`, `2026-03-12`.
    private static func isDate(_ token: Substring) -> Bool {
        guard let first = token.utf8.first, isDigit(first) else { return false }
        let parts = token.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "." || $0 == "-" || $0 == ":" }
        return (2...3).contains(parts.count)
            && parts.allSatisfy { (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }
    }

    /// A mixture of letters and digits as in references, a long number, or letters that no language writes.
    private static func isID(_ word: String, isFirst: Bool) -> Bool {
        let digits = word.utf8.count(where: isDigit)
        let length = word.utf8.count
        if digits == length { return length > 3 }
        if digits >= 3 || digits == 2 && length - digits < 3 && length > 3 { return true }
        let vowels = "aeiouy"
        return !isFirst && digits == 0 && length >= 6 && word.utf8.allSatisfy { $0 < 0x80 }
            && !word.contains(where: vowels.contains)
    }
}

/// Words of banks, in the languages of statements.
enum PayeeWords {
    /// Says what is asked of the holder's bank; the first match counts.
    static func kind(_ said: some Sequence<Substring>, _ noted: some Sequence<Substring>) -> PayeeName.Kind {
        var isTransfer = false
        var isDebit = false
        var before = ""
        let words = said.map { (String($0), true) } + noted.map { (String($0), false) }
        for (place, (word, isName)) in words.enumerated() {
            if cash.contains(word) { return .cash }
            if obligations.contains(word) { return .obligation }
            // A debit transfer is one that the holder sends.
            if debits.contains(word) || before == "direct" && word == "debit" { isDebit = true }
            if transfers.contains(word), !isName || place < 2 { isTransfer = true }
            before = word
        }
        return isDebit ? .directDebit : isTransfer ? .transfer : .card
    }

    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }

    private static let cash = set(
        "retrait dab atm withdrawal cash geldautomat bargeld bargeldauszahlung geldopname cajero reintegro prelievo gab"
    )
    private static let obligations = set(
        """
        pret loan mortgage hypothek darlehen hypotheek prestamo mutuo impot impots dgfip finanzamt hmrc irs \
        belastingdienst tax taxes taxe steuer kredit remboursement salaire loyer rent miete huur alquiler affitto
        """)
    private static let debits = set(
        """
        prlv prelevement prelevements lastschrift folgelastschrift basislastschrift erstlastschrift sdd incasso domiciliacion \
        adeudo recibo addebito rid directdebit dd mandat mandate einzug
        """)
    private static let transfers = set(
        """
        vir virement virt transfer ueberweisung uberweisung dauerauftrag gutschrift overboeking bonifico transferencia \
        standing tfr overschrijving faster epargne savings
        """)

    /// Of the bank, before the name.
    static let prefixes = set(
        """
        carte cb card paiement payment achat purchase debit credit visa mastercard maestro pos contactless sans contact \
        kartenzahlung lastschrift folgelastschrift basislastschrift erstlastschrift girocard ec prlv prelevement sepa europeen \
        direct dd recurring standing permanent order vir virement facture fact by via em pmt pymt autopay \
        ach web checkcard chkcard bill epayment bea betaalautomaat incasso europese recibo adeudo pago compra tarjeta \
        pagamento addebito sdd rcur frst core bonifico acquisto carta ppd ccd avis tpe \
        retrait dab ref transaction applepay googlepay gpay kaufumsatz eurocard lettre
        """)
    /// Before a date.
    static let connectors = set("du de le the von vom an am at on to en el il del")
    /// What follows is about this payment only.
    static let markers = set(
        """
        mandat mandate mandatsref mandatsreferenz rum ics emetteur creditor glaubiger iban bic datum uhrzeit eref mref cred \
        svwz motif mdt numero reference ref referenz kundennummer rechnung rechnungsnr vertrag contrat facture invoice \
        kundennr mandaat incassant machtiging kenmerk volgnummer ide end endtoend
        """)
    static let noise = set(
        """
        com net org io app co uk fr de nl be ch es it pt lu ie us eu gb nld fra gbr usa deu irl lux swe esp ita bel che prt \
        sa sas sasu sarl gmbh ag ltd limited llc inc bv ab plc spa srl kg nv oy as scs sca cie intl international \
        eur usd gbp chf sek dkk nok pln abo abonnement monthly mensuel january february march april june july august \
        september october november december janvier fevrier mars avril mai juin juillet aout septembre octobre novembre \
        decembre januar februar marz juni juli oktober dezember carte card cb payment paiement amp
        """)
    static let webWords = set("www http https help support billing")
    static let intermediaries = set(
        """
        paypal pp sumup sq zettle iz izettle klarna stripe mollie adyen sp tst py wpy paddle fs fastspring 2co gumroad \
        lemonsqueezy lmsqueezy dri bkg ls ccv sqr buckaroo worldline payplug lyra hipay
        """)
}
