import SubGuardDomain

/// How the currencies of a sheet are told.
struct SheetCurrencies {
    /// For rows that name none.
    var fallback: Currency?
    /// Those in use, which decide what a sign of several means.
    var named: [Currency] = []

    /// The currency of a code or sign, else the fallback. `XXX` is how programs write that there is none.
    func currency(_ text: String, field: String) throws(Fault) -> Currency {
        let first = fallback.map { [$0] } ?? []
        if let sign = CurrencySign(text) {
            do { return try sign.requireCurrency(preferring: first + named) } catch {
                throw Fault(field, error.code, error.sentence)
            }
        }
        let isNone = ["", "XXX"].contains(CatalogueRules.trimmed(text))
        guard let currency = fallback ?? (isNone ? named.first : nil) else {
            throw Fault(field, .unknownCurrency, "Must be a currency code, such as EUR; or give --currency.")
        }
        return currency
    }
}

extension GroupSheet {
    /// The minor units of a cell, which may be negative.
    static func units(_ text: String, _ currency: Currency, field: String) throws(Fault) -> Int64 {
        let isNegative = text.hasPrefix("-")
        let magnitude = try AmountText.decimal(isNegative ? String(text.dropFirst()) : text, in: currency, field: field)
        let units = try FieldRules.amount(magnitude, currency, field: field).minorUnits
        return isNegative ? -units : units
    }
}
