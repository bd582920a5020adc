import SubGuardDomain

/// The words of a column that say in which direction money went, in the languages of statements.
struct StatementDirections: Sendable {
    enum Direction: Sendable, Hashable {
        case debit
        case credit
        /// Money that stayed with its owner, as in an exchange of currencies.
        case neither
    }

    /// Folded words that mean a direction in this column only.
    private var ofColumn: [String: Direction] = [:]

    /// Reads letters and words that mean one thing beside `D` and another beside `A`.
    ///
    /// - Parameters:
    ///   - cells: of the column.
    ///   - name: the folded words of its name: `Cargo/Abono` tells that `C` is a debit.
    init(_ cells: some Sequence<String>, name: some Sequence<Substring> = []) {
        let named = Set(name.map(String.init))
        var words = named
        for cell in cells where cell.utf8.count <= Self.longestPaired { words.insert(TextFolding.fold(cell)) }
        take(Self.pairs, in: words)
        take(Self.namedPairs, in: named)
        var initials: [Character: Direction] = [:]
        for word in name {
            guard let initial = word.first, let direction = Self.words[String(word)] else { continue }
            // One letter for both tells nothing.
            initials[initial] = initials[initial] == nil || initials[initial] == direction ? direction : .neither
        }
        guard Set(initials.values) == [.debit, .credit] else { return }
        for (initial, direction) in initials { ofColumn[String(initial)] = direction }
    }

    private mutating func take(_ pairs: [(debit: String, credit: String)], in words: Set<String>) {
        for (debit, credit) in pairs where words.contains(debit) && words.contains(credit) {
            (ofColumn[debit], ofColumn[credit]) = (.debit, .credit)
        }
    }

    /// Takes a word of the column for a direction.
    mutating func take(_ word: String, for direction: Direction) { ofColumn[TextFolding.fold(word)] = direction }

    /// What a cell says; nil for what is no direction.
    func direction(_ cell: String) -> Direction? {
        let word = TextFolding.fold(cell)
        if let direction = ofColumn[word] ?? Self.words[word] { return direction }
        return switch cell {
        case "-", "\u{2212}", "\u{2013}": .debit
        case "+": .credit
        default: nil
        }
    }

    /// Whether a column's name has words of both directions: `Soll/Haben`, `D/K`.
    static func areBoth(_ name: [String]) -> Bool {
        guard (2...4).contains(name.count) else { return false }
        // `Debit in local currency`, `Credit A/C`: beside a word, letters and `in` are none.
        let long = name.filter { $0.count > 2 }
        let isLonger = name.count > 2 && long.contains { words[$0] != nil && $0 != "out" }
        let name = isLonger ? long : name
        let directions = StatementDirections([], name: name.map { $0[...] })
        let found = Set(name.compactMap { directions.direction($0) })
        return found.contains(.debit) && found.contains(.credit)
    }

    /// Debits and credits that mean nothing alone, or something else.
    private static let pairs: [(debit: String, credit: String)] = [("d", "k"), ("χ", "π"), ("paid", "received")]
    /// Those that may be classes of anything, unless the name of the column has both.
    private static let namedPairs: [(debit: String, credit: String)] = [
        ("d", "a"), ("c", "a"), ("b", "a"), ("t", "j"), ("s", "e"), ("e", "i"), ("g", "i"), ("o", "i"), ("w", "d"),
    ]
    private static let longestPaired = 8

    private static let words: [String: Direction] = {
        var words: [String: Direction] = [:]
        let lists: [(Direction, String)] = [
            (
                .debit,
                """
                debit|debits|d|dr|db|s|soll|af|dbit|out|outflow|outgoing|outgoings|sent|expense|expenses|withdrawal|\
                withdrawals|spend|spending|spent|paid out|money out|sortie|sorties|depense|depenses|retrait|retraits|\
                ausgang|ausgabe|ausgaben|abgang|auszahlung|belastung|lastschrift|debet|uit|uitgave|uitgaven|cargo|\
                cargos|gasto|gastos|egreso|egresos|salida|salidas|retiro|retiros|debe|debito|uscita|uscite|addebito|\
                addebiti|dare|spesa|spese|despesa|despesas|saida|saidas|ut|utgift|utgifter|uttag|ud|udgift|udgifter|\
                haevning|meno|menot|otto|veloitus|odchozi|vydaj|vydaje|odchadzajuca|obciazenie|obciazenia|wydatek|\
                wydatki|wyplata|kimeno|terheles|kiadas|deebet|valjaminek|debets|izdevumi|debetas|islaidos|cheltuiala|\
                cheltuieli|iesire|borc|gider|giden|duguje|isplata|odliv|расход|расходы|дебет|списание|витрата|витрати|\
                χρεωση|支出|支|支払|支払い|出金|出|출금|지출|مدين|חובה
                """
            ),
            (
                .credit,
                """
                credit|credits|c|cr|h|haben|bij|crdt|in|inflow|incoming|incomings|received|income|incomes|deposit|\
                deposits|paid in|money in|entree|entrees|recette|recettes|revenu|revenus|versement|versements|eingang|\
                einnahme|einnahmen|zugang|einzahlung|gutschrift|inkomst|inkomsten|abono|abonos|ingreso|ingresos|\
                entrada|entradas|deposito|depositos|haber|credito|entrata|entrate|accredito|accrediti|avere|receita|\
                receitas|inn|inkomster|insattning|inntekt|inntekter|ind|indtaegt|indtaegter|indbetaling|tulo|tulot|\
                pano|hyvitys|kredit|prichozi|prijem|prijmy|prichadzajuca|uznanie|uznania|wplyw|wplywy|wplata|przychod|\
                bejovo|jovairas|bevetel|kreedit|sissetulek|kredits|ienakumi|kreditas|pajamos|venit|venituri|intrare|\
                incasare|alacak|gelir|gelen|potrazuje|uplata|priliv|приход|доход|доходы|кредит|поступление|зачисление|\
                надходження|πιστωση|收入|收|入金|預入|入|입금|수입|دائن|זכות
                """
            ),
            (.neither, "neutral|neutre|neutro|neutraal|不计收支|中性交易|/"),
        ]
        for (direction, list) in lists {
            // The keys are folded here: a decomposed Hangul syllable is another text to a dictionary's eye.
            for word in list.split(separator: "|") { words[TextFolding.fold(String(word))] = direction }
        }
        return words
    }()
}
