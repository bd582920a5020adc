import SubGuardDomain

/// The names that banks give to columns, in the languages of statements.
enum StatementColumnNames {
    struct Found {
        var field: StatementField
        /// From 0 for the best name of a field.
        var rank = 0
        var isWeak = false
    }

    /// Of a column's name; a longer text is none.
    private static let maximumBytes = 256

    /// What a column holds, by its folded name; nil for an unknown name, `.ignore` for something that is no field.
    static func find(_ name: String) -> Found? {
        guard name.utf8.count <= maximumBytes else { return nil }
        if let rank = dates.firstIndex(of: name) { return Found(field: .date, rank: rank) }
        if let field = names[name] { return Found(field: field, rank: field == .payee ? payeeRank(name) : 0) }
        var words = name.split(separator: " ").map(String.init)
        // One column for both: `Credit/Debit Amount`.
        if StatementDirections.areBoth(words) {
            return Found(field: words.contains { isWord($0, amountWords) } ? .amount : .direction, isWeak: true)
        }
        removeFees(from: &words)
        for (field, known) in fieldsOfWords where words.contains(where: { isWord($0, known) }) {
            let rank =
                switch field {
                case .date: dates.count + (words.contains { interestWords.contains($0) } ? 1 : 0)
                case .payee: payeeRank(name)
                default: 1
                }
            return Found(field: field, rank: rank, isWeak: true)
        }
        return nil
    }

    /// The folded name without the currency at its end, and that currency.
    static func folded(_ name: String) -> (String, Currency?) {
        let sign = name.contains("€") ? Currency.eur : name.contains("£") ? .gbp : nil
        var words = TextFolding.fold(name).split(separator: " ")
        if let sign { return (words.joined(separator: " "), sign) }
        if name.contains("%") { words.append("rate") }
        if let last = words.last {
            var currency: Currency?
            if ["euros", "euro", "euroa"].contains(last) {
                currency = .eur
            } else if let found = Currency(code: last.uppercased()), words.count > 1 || name.contains("$"),
                isCode(found.code, in: name)
            {
                // `CAD$` alone names amounts.
                currency = found
            }
            if let currency {
                words.removeLast()
                if words.last == "in" || words.last == "en" || words.last == "w" { words.removeLast() }
                return (words.isEmpty ? "amount" : words.joined(separator: " "), currency)
            }
        }
        return (words.joined(separator: " "), nil)
    }

    /// Whether a code in a name is meant as one. Those that are words are written in capitals, and those that are words
    /// of headers unlike the rest.
    private static func isCode(_ code: String, in name: String) -> Bool {
        guard codesThatAreWords.contains(code) else { return true }
        guard name.contains(code) else { return false }
        return !wordsOfHeaders.contains(code) || name.contains("(\(code))") || name.contains(where: \.isLowercase)
    }

    private static let codesThatAreWords: Set<String> = [
        "ALL", "BAM", "BOB", "CUP", "GEL", "LAK", "MAD", "MOP", "PAB", "PEN", "RON", "SOS", "TOP", "TRY",
    ]
    /// `BETRAG TOP`, `MONTANT NET CUP`.
    private static let wordsOfHeaders: Set<String> = ["ALL", "CUP", "SOS", "TOP"]

    /// Whether a folded text above the table says that a currency follows: it has a word for a currency or, beside a
    /// number, for an account or a balance.
    static func isLabel(_ text: String, isNumbered: Bool) -> Bool {
        let words = text.split(separator: " ").map(String.init)
        guard !words.contains(where: { holders.contains($0) }) else { return false }
        return words.contains { word in
            isWord(word, currencyWords) || isNumbered && (accounts.contains(word) || isWord(word, balanceWords))
        }
    }

    /// Whether a folded name of a column speaks of the account.
    static func isAccount(_ name: String) -> Bool {
        name.utf8.count <= maximumBytes && name.split(separator: " ").contains { accounts.contains(String($0)) }
    }

    /// `Source amount (after fees)` names an amount.
    private static func removeFees(from words: inout [String]) {
        guard words.count > 2, feeWords.contains(words[words.count - 1]), beforeFees.contains(words[words.count - 2])
        else { return }
        words.removeLast(2)
    }

    private static let feeWords: Set<String> = [
        "fee", "fees", "frais", "gebuhr", "gebuhren", "kosten", "commission", "commissions", "comisiones", "taxas",
    ]
    private static let beforeFees: Set<String> = [
        "after", "before", "without", "excluding", "excl", "including", "incl", "hors", "avant", "apres", "avec",
        "nach", "vor", "ohne", "inkl", "exkl", "na", "zonder", "sin", "con", "sem", "senza",
    ]

    private static let amountWords = words(of: .amount)
    private static let currencyWords = words(of: .currency).union(["valuta", "bewertet"])
    private static let balanceWords = words(of: .balance)

    private static func words(of field: StatementField) -> Set<String> {
        fieldsOfWords.first { $0.field == field }?.words ?? []
    }

    private static let accounts = Set(
        list(
            """
            account|acct|compte|konto|konta|kontowahrung|rachunku|rekening|conto|cuenta|conta|tili|tilin|uctu|szamla|\
            iban|billing|settlement|funding|kontonummer|kontonr|rekeningnummer
            """
        ))

    private static let holders = Set(
        list(
            """
            holder|holders|owner|name|titulaire|nom|inhaber|kontoinhaber|kunde|client|customer|naam|rekeninghouder|\
            titular|titolare|intestatario|intestazione|navn|namn|nimi|wlasciciel|posiadacz|klient
            """
        ))

    /// Whether the text in place of a date, in a row below the entries, names their sum or a balance.
    static func isTotal(_ cell: String) -> Bool {
        guard cell.utf8.count <= maximumBytes else { return true }
        return TextFolding.fold(cell).split(separator: " ").contains { isWord(String($0), totals) }
    }

    private static let totals = Set(
        list(
            """
            total|totals|subtotal|totaal|totale|totali|totales|totaux|totalt|totalsumma|sum|sums|somme|summe|summen|\
            suma|summa|som|gesamt|gesamtsumme|gesamtbetrag|insgesamt|razem|celkem|osszesen|yhteensa|saldo|balance|\
            solde|kontostand|stand|zustatek|egyenleg|endbestand|verfugbar|disponible
            """
        ))

    /// Merchants behind payment services first, plain names last: they may be the holder's.
    private static func payeeRank(_ name: String) -> Int {
        let words = Set(name.split(separator: " ").map(String.init))
        if !words.isDisjoint(with: ["ultimate", "uiteindelijke", "ultime", "merchant", "marchand", "supplierfound"]) {
            return 0
        }
        return ["name", "naam", "nom", "nome", "nombre", "nimi", "namn", "navn", "payer"].contains {
            words.contains($0)
        }
            && words.count == 1 ? 2 : 1
    }

    /// Germanic languages write `Buchungsdatum` in one word.
    private static func isWord(_ word: String, _ known: Set<String>) -> Bool {
        if known.contains(word) { return true }
        return endings.contains { word.hasSuffix($0) && known.contains($0) }
    }

    private static let endings = [
        "datum", "dato", "betrag", "bedrag", "belopp", "belob", "omschrijving", "beschreibung", "saldo", "wahrung",
        "waehrung", "empfanger", "status", "nummer", "konto", "rekening", "paiva",
    ]

    /// The best first: when the bank booked it, when it happened, and last the day of interest.
    private static let dates: [String] = list(
        """
        booking date|buchungstag|buchungsdatum|date de comptabilisation|date comptable|\
        date de comptabilisation operation|accounting date|posting date|posted date|post date|date posted|boekdatum|\
        boekingsdatum|data contabile|fecha contable|completed date|date de fin|bokforingsdag|bokforingsdatum|\
        bogforingsdato|bokfort dato|kirjauspaiva|data ksiegowania|datum zauctovani|konyveles datuma|date|datum|fecha|\
        data|dato|dateop|pvm|paivays|date operation|date d operation|date de l operation|operation date|data operacji|\
        data transakcji|data mov|data movimento|transaction date|transaktionsdatum|transaktionsdag|transactiedatum|\
        fecha operacion|f operacion|fecha de operacion|data operazione|uitvoeringsdatum|datum provedeni|trans date|\
        date of transaction|buchung|date transaction|date de transaction|date de la transaction|started date|\
        date de debut|date achat|belegdatum|kaufdatum|date time|timestamp|date and time|value date|date de valeur|\
        date valeur|valutadatum|wertstellung|valuta datum|fecha valor|f valor|data valor|data valuta|data waluty|\
        interest date|rentedatum|valutadag|arvopaiva|dateval
        """)

    private static let interestWords: Set<String> = [
        "valuta", "valeur", "valor", "value", "wertstellung", "valutadatum", "waluty", "rente", "rentedatum",
        "interest",
        "arvopaiva", "valuty",
    ]

    private static let names: [String: StatementField] = {
        let lists: [(StatementField, String)] = [
            (
                .payee,
                """
                payee|payee name|name|merchant|merchant name|counterparty|counterparty name|counter party|beneficiary|\
                beneficiary name|recipient|tiers|beneficiaire|nom du beneficiaire|marchand|commercant|partner name|\
                empfanger|empfanger in|zahlungsempfanger|zahlungsempfanger in|name zahlungsbeteiligter|\
                beguenstigter zahlungspflichtiger|begunstigter zahlungspflichtiger|auftraggeber empfanger|\
                auftraggeber begunstigter|auftraggeber beguenstigter|naam|naam tegenpartij|naam omschrijving|\
                tegenpartij naam|beneficiario|controparte|comercio|target name|name of counterparty|gegenpartei|\
                contrepartie|nom contrepartie|libelle simplifie|naam uiteindelijke partij|supplierfound|mottagare|\
                mottaker|mottakernavn|modtager|saaja maksaja|maksunsaaja|saaja|nazev protiuctu|nazev protistrany|\
                nadawca odbiorca|dane kontrahenta|odbiorca|nimi|namn|navn|partner neve|tegenrekeninghouder|\
                naam van de tegenpartij|naam tegenpartij bevat
                """
            ),
            (
                .description,
                """
                description|descriptions|libelle|libelle operation|libelle de l operation|libelle complet|details|\
                detail|memo|narrative|reference|transaction|transaction description|transaction details|\
                verwendungszweck|buchungsdetails|text|beschreibung|betreff|umsatztext|omschrijving|mededelingen|\
                mededeling|concepto|descripcion|movimiento|mas datos|observaciones|descrizione|descrizione operazione|\
                causale|communication|communications|informations complementaires|informations|objet|nature|descricao|\
                payment reference|intitule|\
                original description|extended details|libelle detaille|motif|notes|remark|remarks|particulars|\
                additional info
                """
            ),
            (
                .amount,
                """
                amount|montant|montant de l operation|montant operation|betrag|umsatz|bedrag|importe|importo|valor|\
                transaction amount|montant net|net amount|amount gbp|cantidad|quantia|montante|somme|billing amount|\
                gross|belopp|belob|belop|kwota|castka|maara|objem|osszeg|kwota operacji|kwota transakcji|\
                monto
                """
            ),
            (
                .debit,
                """
                debit|debits|debit amount|montant debit|paid out|money out|withdrawal|withdrawals|withdrawal amount|\
                soll|ausgabe|ausgaben|belastung|lastschrift|sortie|sorties|depense|depenses|cargo|cargos|addebito|\
                addebiti|uscite|dare|debito|debet|af|out|amount debit|amount debited|betrag soll|debit amt|\
                ut fra konto|belop ut|ut|obciazenia|outflow
                """
            ),
            (
                .credit,
                """
                credit|credits|credit amount|montant credit|paid in|money in|deposit|deposits|deposit amount|haben|\
                eingang|einnahmen|gutschrift|entree|entrees|recette|recettes|abono|abonos|accredito|accrediti|entrate|\
                avere|credito|bij|in|amount credit|amount credited|betrag haben|credit amt|\
                inn pa konto|belop inn|inn|uznania|inflow
                """
            ),
            (
                .fee,
                """
                fee|fees|fee amount|source fee amount|frais|gebuhr|gebuhren|gebuehr|gebuehren|kosten|commission|\
                commissions|commissione|commissioni|comision|comisiones|comissao|poplatek|avgift|gebyr|oplata|prowizja|\
                transaction fee
                """
            ),
            (
                .currency,
                """
                currency|devise|wahrung|waehrung|divisa|munt|moneda|moeda|valuta|currency code|monnaie|devies|waluta|\
                mena|valuutta|valuta rekening|devise du compte|penznem|deviza
                """
            ),
            (
                .direction,
                """
                direction|debit credit|credit debit|credit debit indicator|debit or credit|dr cr|cr dr|af bij|\
                soll haben|sens|sens de l operation|s h|d c|indicator|type|+ -|creditdebet|smer uhrady|收 支
                """
            ),
            (
                .kind,
                """
                transaction type|buchungstext|umsatzart|type operation|type d operation|type de transaction|\
                payment type|mutatiesoort|tipo|tipo movimiento|kind|buchungsart|transaktionstyp|operation type|\
                typ transakcji|laji
                """
            ),
            (.state, "state|status|statut|etat|estado|stato|stav|stan|tila|contabilizzazione|статус|состояние|交易状态|状态"),
            (
                .balance,
                """
                balance|solde|saldo|kontostand|running balance|running bal|saldo nach buchung|saldo na trn|disponible|\
                zustatek|saldo po operacji|saldo po transakcji|bokfort saldo|bokfort saldo|balance after transaction
                """
            ),
        ]
        var names: [String: StatementField] = [:]
        for (field, list) in lists { for name in StatementColumnNames.list(list) { names[name] = field } }
        return names
    }()

    /// Words in names of columns, the most telling fields first.
    private static let fieldsOfWords: [(field: StatementField, words: Set<String>)] = {
        let lists: [(StatementField, String)] = [
            (.balance, "saldo|balance|solde|kontostand|zustatek|egyenleg|bal|accountbalance"),
            // What was paid elsewhere or to the bank.
            (
                .ignore,
                """
                fee|fees|frais|gebuhr|gebuhren|kosten|commission|poplatek|rate|taux|kurs|koers|exchange|foreign|\
                original|originalbetrag|originalwahrung|originalwaehrung|originalbelopp|originalvaluta|originalbelob|\
                local|fremdwahrung|fremdwaehrung|fremdbetrag|auslandswahrung|ursprunglicher|ursprungsbetrag|\
                ursprungswahrung|oorspr|oorspronkelijk|oorspronkelijke|vreemde|origine|originale|originali|originaria|\
                originario|origem|origen|oryginalna|oryginalnej|oryginalny|etrangere|etranger|estera|estero|extranjera|\
                extranjero|estrangeira|utlandsk|utlandskt|utenlandsk|udenlandsk|alkuperainen|puvodni|eredeti
                """
            ),
            (
                .debit,
                """
                debit|debits|debet|debito|withdrawal|withdrawals|belastung|lastschrift|addebito|addebiti|uscite|cargo|\
                cargos
                """
            ),
            (
                .credit,
                "credit|credits|credito|kredit|gutschrift|deposit|deposits|accredito|accrediti|entrate|abono|abonos"
            ),
            (
                .amount,
                """
                amount|montant|betrag|bedrag|importe|importo|quantia|montante|belopp|belob|belop|kwota|castka|maara|\
                summa|umsatz|suma|objem|osszeg|gross|brutto|cantidad|somme|osszege
                """
            ),
            (.date, "date|datum|data|fecha|dato|pvm|paivays|paiva|dateop|dateval|datetime|timestamp|datuma"),
            (
                .currency,
                """
                currency|devise|devies|wahrung|waehrung|divisa|munt|moneda|moeda|waluta|mena|valuutta|monnaie|penznem|\
                valutakod
                """
            ),
            (
                .ignore,
                """
                iban|bban|bic|swift|time|heure|uhrzeit|hora|category|categorie|kategorie|categoria|kategoria|kategori|\
                subcategory|subcategorie|subcategoria|categoryparent|cheque|card|karte|carte|kaart|tarjeta|numer|\
                numero|nummer|number|num|nr|country|city|adres|address|adresse|zip|sort|kontoinhaber|kontoinhabers|\
                rekeninghouder|karteninhabers|holder|titulaire|titular|account|konto|compte|rekening|conta|cuenta|tili|\
                konta|kontonummer|accountnum|accountlabel
                """
            ),
            (.state, "state|status|statut|etat|estado|stato|stav"),
            (
                .payee,
                """
                payee|merchant|counterparty|beneficiary|recipient|beneficiaire|marchand|empfanger|zahlungsempfanger|\
                partner|tegenpartij|beneficiario|controparte|gegenpartei|contrepartie|kontrahent|kontrahenta|odbiorca|\
                nadawca|mottakernavn|mottagare|mottaker|modtager|saaja|protistrany|protiuctu|destinatario|\
                supplierfound|partij
                """
            ),
            (
                .description,
                """
                description|descriptions|libelle|libelles|label|details|detail|memo|narrative|narration|wording|text|\
                tekst|beschreibung|verwendungszweck|omschrijving|mededeling|mededelingen|concepto|descripcion|\
                descrizione|descricao|communication|opis|popis|tytul|selite|selitys|viesti|beskrivning|beskrivelse|\
                forklaring|rubrik|otsikko|message|zprava|title|particulars|purpose|causale|dettagli|historico|kozlemeny
                """
            ),
            (.kind, "type|typ|tipo|laji|soort|rodzaj"),
        ]
        return lists.map { ($0.0, Set(list($0.1))) }
    }()

    private static func list(_ text: String) -> [String] { text.split(separator: "|").map(String.init) }
}
