import JSONWire
public import SubGuardDomain
import TextCoding

extension GroupSheet {
    /// Reads a sheet of Spliit, Splitwise, Cospend or IHateMoney, told apart by their columns. Throws all faults, each
    /// with its place, and one for a sheet of more people than a group may have.
    ///
    /// - Parameters:
    ///   - bytes: the content of the file.
    ///   - name: of the group, where the file has none.
    ///   - currency: for rows whose currency is a sign of several, or missing. One that is named and unknown, such as
    ///     one that is no longer in use, is a fault.
    ///   - named: the currencies in use, after `currency`.
    public static func read(
        _ bytes: [UInt8], name: String, currency: Currency?, preferring named: [Currency] = []
    ) throws(FaultList) -> GroupSheet {
        let sheet = try sheet(bytes, name, SheetCurrencies(fallback: currency, named: named))
        guard sheet.people.count <= Split.maximumPeople else {
            throw [Fault("people", .outOfRange, "Must name 1 to \(Split.maximumPeople) people.")]
        }
        return sheet
    }

    private static func sheet(
        _ bytes: [UInt8], _ name: String, _ currencies: SheetCurrencies
    ) throws(FaultList) -> GroupSheet {
        if let first = bytes.first(where: { $0 > 0x20 && $0 < 0x80 }),
            [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first)
        {
            let document = try? JSONValue.parse(bytes)
            if let bills = document?.arrayValue {
                return try SharedBills(json: bills).sheet(name: name, source: .ihatemoney, currencies)
            }
            return try spliit(document, currencies)
        }
        var reader = CSVReader(detectingSeparator: bytes)
        let records: [CSVReader.Record]
        do {
            records = try reader.records()
        } catch {
            throw [Fault("line \(error.line)", FaultCode(error.kind), Sentence(error.kind))]
        }
        let header = records.first?.fields ?? []
        if SharedBills.isHeader(header) {
            let source =
                header.contains("payer_active") || header.contains("timestamp") ? .cospend : SheetSource.ihatemoney
            return try SharedBills(records).sheet(name: name, source: source, currencies)
        }
        if let columns = SplitwiseColumns(header) { return try splitwise(records, columns, name: name, currencies) }
        return try spliit(records, name: name, currencies)
    }
}

/// How the currencies of a sheet are told.
struct SheetCurrencies {
    /// For rows that name none.
    var fallback: Currency?
    /// Those in use, which decide what a sign of several means.
    var named: [Currency] = []

    /// The currency of a code or sign; without any, the fallback. `XXX` is how programs write that there is none.
    func currency(_ text: String, field: String) throws(Fault) -> Currency {
        let first = fallback.map { [$0] } ?? []
        if let sign = CurrencySign(text) {
            do { return try sign.requireCurrency(preferring: first + named) } catch {
                throw Fault(field, error.code, error.sentence)
            }
        }
        let name = CatalogueRules.trimmed(text)
        guard ["", "XXX"].contains(name) else {
            throw Fault(field, .unknownCurrency, "Unknown currency: \(RefusedBooking.shown(name)).")
        }
        guard let currency = fallback ?? named.first else { throw Self.missing(field) }
        return currency
    }

    /// The currency of a whole sheet by the name that people gave it, such as `Euros`: the fallback says which one it
    /// is. Three capitals, or three small letters, are a code.
    func currency(called name: String, field: String) throws(Fault) -> Currency {
        let isCode =
            name.utf8.count == 3 && name.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
            && [name.uppercased(), name.lowercased()].contains(name)
        guard CurrencySign(name) == nil, !isCode, !name.isEmpty else { return try currency(name, field: field) }
        guard let fallback else { throw Self.missing(field) }
        return fallback
    }

    private static func missing(_ field: String) -> Fault {
        Fault(field, .unknownCurrency, "Must be a currency code, such as EUR; or give --currency.")
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
