import SubGuardDomain
import TextCoding

/// The lines above a table.
enum StatementPreamble {
    struct Named {
        var currency: Currency
        /// Whether it stands beside an amount, or after a word for a currency or an account, so that it is surely one.
        var isLabelled: Bool
    }

    /// The only currency that they name: `Devise : EUR`, `1 234,56 €`, a cell `GBP`; nil for none or several.
    static func currency(of records: ArraySlice<CSVReader.Record>) -> Named? {
        var found: [Currency: Bool] = [:]
        for record in records.suffix(60) {
            var before = ""
            for cell in record.fields {
                let text = CatalogueRules.trimmed(cell)
                guard !text.isEmpty, text.utf8.count <= 200 else { continue }
                if let named = currency(in: text, after: before) {
                    found[named.currency] = found[named.currency] == true || named.isLabelled
                }
                if before.utf8.count <= 400 { before += " " + text }
            }
        }
        return found.count == 1 ? found.first.map { Named(currency: $0.key, isLabelled: $0.value) } : nil
    }

    /// - Parameter before: what stands in the row before the cell.
    private static func currency(in text: String, after before: String) -> Named? {
        if text.contains("€") { return Named(currency: .eur, isLabelled: true) }
        if text.contains("£") { return Named(currency: .gbp, isLabelled: true) }
        if let amount = StatementAmount(text), let currency = amount.currency {
            // `TOP 10` is no amount of Tonga.
            guard !amount.hasDecimals, amount.sign?.text.uppercased() == currency.code else {
                return Named(currency: currency, isLabelled: true)
            }
        }
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard let last = words.last(where: { $0.contains(where: \.isLetter) }) else { return nil }
        if ["euros", "euro"].contains(last.lowercased()) { return Named(currency: .eur, isLabelled: true) }
        guard last.utf8.count == 3, last == last.uppercased(), let currency = Currency(code: String(last)),
            last == words.last || StatementAmount(text) != nil
        else { return nil }
        let isNumbered = before.contains(where: \.isNumber) || text.contains(where: \.isNumber)
        let label = TextFolding.fold(before + " " + text.prefix { $0 != ":" })
        let isPlain = plain.contains(currency.code)
        if StatementColumnNames.isLabel(label, isNumbered: isNumbered || isPlain && words.count == 1) {
            return Named(currency: currency, isLabelled: true)
        }
        // `ALL TRANSACTIONS` names no currency of Albania, `M. JEAN BAM` none of Bosnia.
        let isApart = words.count == 1 || isNumbered || text.contains(":") || text.contains("(")
        return isApart && isPlain ? Named(currency: currency, isLabelled: false) : nil
    }

    /// Codes that are neither words nor names of persons.
    private static let plain: Set<String> = [
        "AUD", "BRL", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HUF", "JPY", "NOK", "NZD", "PLN", "SEK", "USD",
    ]
}
