import SubGuardDomain
import TextCoding

/// The columns of a table that Splitwise exports: date, description, category, cost and currency, then one for each
/// person. A cell is what the row changes in the person's balance: positive for those who lent, negative for those who
/// owe.
struct SplitwiseColumns {
    var people: [String]

    /// The first five, in the languages of the program, folded.
    private static let names: [Set<String>] = [
        ["date", "datum", "fecha", "data"],
        ["description", "beschreibung", "descripcion", "descricao", "descrizione", "beschrijving", "omschrijving"],
        ["category", "categorie", "kategorie", "categoria"],
        ["cost", "cout", "kosten", "coste", "costo", "custo", "valor"],
        ["currency", "devise", "wahrung", "moneda", "moeda", "valuta"],
    ]

    /// Folded: the category of a payment.
    static let payments: Set<String> = [
        "payment", "paiement", "zahlung", "pago", "pagamento", "betaling", "reglement", "remboursement",
    ]

    /// Nil for the tables of other programs: Spliit's have the currency before the cost, and more columns.
    init?(_ header: [String]) {
        guard header.count > Self.names.count,
            zip(header, Self.names).allSatisfy({ $1.contains(TextFolding.fold($0)) }),
            !header.contains("Is Reimbursement"), !header.contains("Split mode")
        else { return nil }
        people = header.dropFirst(Self.names.count).map { SpreadsheetText.unguarded(CatalogueRules.trimmed($0)) }
    }
}

extension GroupSheet {
    /// Reads a table of Splitwise. The balances are exactly those of the cells; they must add up to the last rows,
    /// which hold the balance of each person.
    static func splitwise(
        _ records: [CSVReader.Record], _ columns: SplitwiseColumns, name: String, _ currencies: SheetCurrencies
    ) throws(FaultList) -> GroupSheet {
        guard Set(columns.people).count == columns.people.count else {
            throw [Fault("line 1", .duplicate, "Two people have the same name.")]
        }
        guard columns.people.count <= Split.maximumPeople else {
            throw [Fault("line 1", .outOfRange, "Must name 1 to \(Split.maximumPeople) people.")]
        }
        var sheet = GroupSheet(name: name, people: columns.people, entries: [], source: .splitwise)
        var balances: [Currency: [Int64]] = [:]
        var faults = FaultList(limit: 20)
        for record in records.dropFirst() where record.fields.contains(where: { !CatalogueRules.trimmed($0).isEmpty }) {
            let place = "line \(record.line)"
            do throws(Fault) {
                guard record.fields.count == columns.people.count + 5 else {
                    throw Fault(
                        "", .wrongFieldCount,
                        "Must have as many fields as the header: \(columns.people.count + 5).")
                }
                let row = try SplitwiseRow(record.fields.map(CatalogueRules.trimmed), columns.people, currencies)
                let before = balances[row.currency] ?? columns.people.map { _ in 0 }
                guard let cost = row.cost else {
                    guard row.cells == before else {
                        throw Fault("", .outOfRange, "The rows do not add up to this balance.")
                    }
                    continue
                }
                balances[row.currency] = zip(before, row.cells).map(+)
                guard row.cells.contains(where: { $0 != 0 }) else {
                    sheet.rowsWithoutEffect += 1
                    continue
                }
                sheet.entries.append(try row.entry(place, cost, columns.people))
            } catch {
                faults.note(
                    Fault(error.pointer.isEmpty ? place : "\(place), \(error.pointer)", error.code, error.sentence))
            }
        }
        guard faults.isEmpty else { throw faults }
        return sheet
    }
}

/// One row of a table of Splitwise.
private struct SplitwiseRow {
    let on: CalendarDay
    let title: String
    let category: String
    let currency: Currency
    /// Nil for a row that holds the balances.
    let cost: Int64?
    /// The change of each person's balance.
    let cells: [Int64]

    init(_ fields: [String], _ people: [String], _ currencies: SheetCurrencies) throws(Fault) {
        guard let day = DayText.iso(fields[0]).flatMap({ CalendarDay(iso: $0) }) else {
            throw Fault("Date", .invalidDay, "Must be an existing date, such as 2027-01-15.")
        }
        on = day
        title = SpreadsheetText.unguarded(fields[1])
        category = SpreadsheetText.unguarded(fields[2])
        let currency = try currencies.currency(fields[4], field: "Currency")
        self.currency = currency
        cost = fields[3].isEmpty ? nil : try GroupSheet.units(fields[3], currency, field: "Cost")
        var cells: [Int64] = []
        for (name, cell) in zip(people, fields.dropFirst(5)) {
            cells.append(cell.isEmpty ? 0 : try GroupSheet.units(cell, currency, field: name))
        }
        guard cells.reduce(0, +) == 0 else { throw Fault("", .outOfRange, "The cells must add up to 0.") }
        self.cells = cells
    }

    /// Those who lent paid what they lent and their own part, which together are the cost.
    func entry(_ place: String, _ written: Int64, _ people: [String]) throws(Fault) -> GroupSheet.Entry {
        let cost = abs(written)
        let lenders = people.indices.filter { cells[$0] > 0 }
        let lent = lenders.reduce(0) { $0 + cells[$1] }
        guard lent <= cost, cost <= FieldRules.maximumMinorUnits else {
            throw Fault("Cost", .outOfRange, "The cells exceed the cost.")
        }
        // Who of several lenders bears which part of the rest is not in the file, and changes no balance.
        let (own, rest) = (cost - lent).quotientAndRemainder(dividingBy: Int64(lenders.count))
        var (payers, parts): ([GroupSheet.Part], [GroupSheet.Part]) = ([], [])
        for (index, name) in people.enumerated() {
            let place = lenders.firstIndex(of: index)
            let part = place.map { own + (Int64($0) < rest ? 1 : 0) } ?? -cells[index]
            if place != nil { payers.append(.init(name: name, number: cells[index] + part)) }
            if part > 0 { parts.append(.init(name: name, number: part)) }
        }
        var entry = GroupSheet.Entry(
            id: nil, place: place, on: on, title: title, amount: Money(minorUnits: cost, currency: currency),
            payers: payers, split: .exact, parts: parts)
        entry.category = category
        entry.isRepayment =
            SplitwiseColumns.payments.contains(TextFolding.fold(category)) && payers.count == 1 && parts.count == 1
        if entry.isRepayment { entry.category = "" }
        entry.evened()
        return entry
    }
}

extension GroupSheet.Entry {
    /// Splits evenly what was divided as an even split divides it, the larger parts first.
    mutating func evened() {
        guard split == .exact, let least = parts.map(\.number).min(), least > 0,
            parts.allSatisfy({ $0.number - least <= 1 })
        else { return }
        let larger = parts.filter { $0.number > least }
        parts = (larger + parts.filter { $0.number == least }).map { .init(name: $0.name, number: 0) }
        split = .even
    }
}
