/// The columns of a CSV statement.
struct StatementColumns: Sendable {
    private(set) var fields: [StatementField]
    /// Currencies that the names of columns end with: `Montant EUR`.
    private(set) var currencies: [Currency?]

    init(fields: [StatementField]) {
        self.fields = fields
        currencies = fields.map { _ in nil }
    }

    /// Recognises the columns of a header; of several dates, the best one stays.
    ///
    /// - Parameter mapping: fields by folded name or by number from 1; these override recognised names.
    init(header: [String], mapping: [String: StatementField]) {
        fields = []
        currencies = []
        var bestDate: (rank: Int, column: Int)?
        for (column, name) in header.enumerated() {
            let (folded, currency) = Self.folded(name)
            currencies.append(currency)
            if let given = mapping[TextFolding.fold(name)] ?? mapping["\(column + 1)"] {
                fields.append(given)
                if given == .date { bestDate = (-1, column) }
                continue
            }
            if let rank = Self.dates.firstIndex(of: folded) {
                fields.append(.date)
                if bestDate.map({ rank < $0.rank }) ?? true { bestDate = (rank, column) }
                continue
            }
            fields.append(Self.names[folded] ?? .ignore)
        }
        for column in fields.indices where fields[column] == .date && column != bestDate?.column {
            fields[column] = .ignore
        }
        keepOne(.amount)
        // Both say the same; the columns for either direction need no sign.
        if has(.amount), has(.debit), has(.credit), !mapping.values.contains(.amount) { drop(.amount) }
        for field in [StatementField.debit, .credit, .currency, .direction, .state, .payee] { keepOne(field) }
    }

    var isTable: Bool { has(.date) && (has(.amount) || has(.debit) || has(.credit)) }

    func has(_ field: StatementField) -> Bool { fields.contains(field) }

    func column(_ field: StatementField) -> Int? { fields.firstIndex(of: field) }

    func columns(_ field: StatementField) -> [Int] { fields.indices.filter { fields[$0] == field } }

    mutating func drop(_ field: StatementField, as other: StatementField = .ignore) {
        for column in fields.indices where fields[column] == field { fields[column] = other }
    }

    private mutating func keepOne(_ field: StatementField) {
        for column in columns(field).dropFirst() { fields[column] = .ignore }
    }

    /// The folded name without the currency at its end, and that currency.
    private static func folded(_ name: String) -> (String, Currency?) {
        let sign = name.contains("€") ? Currency.eur : name.contains("£") ? .gbp : nil
        var words = TextFolding.fold(name).split(separator: " ")
        if let sign { return (words.joined(separator: " "), sign) }
        if words.count > 1, let last = words.last {
            if last == "euros" || last == "euro" {
                words.removeLast()
                return (words.joined(separator: " "), .eur)
            }
            if let currency = Currency(code: last.uppercased()) {
                words.removeLast()
                if words.last == "in" || words.last == "en" { words.removeLast() }
                return (words.joined(separator: " "), currency)
            }
        }
        return (words.joined(separator: " "), nil)
    }

    /// The best first: when the bank booked it, when it happened, and last the day of interest.
    private static let dates: [String] = split(
        """
        booking date|buchungstag|buchungsdatum|date de comptabilisation|date comptable|date de comptabilisation operation|\
        accounting date|posting date|posted date|post date|date posted|boekdatum|data contabile|fecha contable|\
        completed date|date|datum|fecha|data|date operation|date d operation|date de l operation|operation date|\
        transaction date|transaktionsdatum|transactiedatum|fecha operacion|f operacion|fecha de operacion|data operazione|\
        data movimento|data mov|date of transaction|buchung|date transaction|date de transaction|started date|\
        date achat|belegdatum|kaufdatum|date time|timestamp|date and time|value date|date de valeur|date valeur|valutadatum|\
        wertstellung|valuta datum|fecha valor|f valor|data valuta|interest date|rentedatum
        """)

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
                tegenpartij naam|beneficiario|controparte|comercio|target name|name of counterparty|gegenpartei|contrepartie|\
                nom contrepartie|libelle simplifie
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
                original description|extended details|libelle detaille|motif|notes|remark|remarks|particulars|additional info
                """
            ),
            (
                .amount,
                """
                amount|montant|montant de l operation|montant operation|betrag|umsatz|bedrag|importe|importo|valor|\
                transaction amount|montant net|net amount|amount gbp|cantidad|quantia|montante|somme|billing amount
                """
            ),
            (
                .debit,
                """
                debit|debits|debit amount|montant debit|paid out|money out|withdrawal|withdrawals|withdrawal amount|\
                soll|ausgabe|ausgaben|belastung|lastschrift|sortie|sorties|depense|depenses|cargo|cargos|addebito|\
                addebiti|uscite|dare|debito|debet|af|out|amount debit|amount debited|betrag soll|debit amt
                """
            ),
            (
                .credit,
                """
                credit|credits|credit amount|montant credit|paid in|money in|deposit|deposits|deposit amount|haben|\
                eingang|einnahmen|gutschrift|entree|entrees|recette|recettes|abono|abonos|accredito|accrediti|entrate|\
                avere|credito|bij|in|amount credit|amount credited|betrag haben|credit amt
                """
            ),
            (.currency, "currency|devise|wahrung|waehrung|divisa|munt|moneda|moeda|valuta|currency code|monnaie"),
            (
                .direction,
                """
                direction|debit credit|credit debit|credit debit indicator|debit or credit|dr cr|cr dr|af bij|soll haben|\
                sens|sens de l operation|s h|d c|indicator|type|+ -
                """
            ),
            (
                .kind,
                """
                transaction type|buchungstext|umsatzart|type operation|type d operation|type de transaction|payment type|\
                mutatiesoort|tipo|tipo movimiento|kind|buchungsart|transaktionstyp|operation type
                """
            ),
            (.state, "state|status|statut|etat|estado|stato"),
        ]
        var names: [String: StatementField] = [:]
        for (field, list) in lists { for name in split(list) { names[name] = field } }
        return names
    }()

    private static func split(_ list: String) -> [String] { list.split(separator: "|").map(String.init) }
}
