public import SubGuardDomain
import TextCoding

/// The sheet as Spliit exports it: one row for each expense, one column for each person. A cell is what the person
/// bears, positive for the one who paid and negative for the others.
extension GroupSheet {
    private static let head = ["Date", "Description", "Category", "Currency", "Cost", "Is Reimbursement", "Split mode"]
    /// Columns of other versions, before the people.
    private static let others: Set = ["Original cost", "Original currency", "Conversion rate"]
    private static let modes: [(kind: SplitKind, name: String)] = [
        (.even, "Evenly"), (.shares, "Unevenly – By shares"), (.percent, "Unevenly – By percentage"),
        (.exact, "Unevenly – By amount"),
    ]

    // MARK: Writing

    /// An expense of several payers takes a row for each. A payer who bears nothing has 0, others who bear nothing have
    /// an empty cell, so that the payer can be told.
    public func csv() throws(Fault) -> [UInt8] {
        var writer = CSVWriter()
        writer.record(Self.head + people.map(SpreadsheetText.guarded))
        for whole in entries {
            for entry in try whole.byPayer() { writer.record(try Self.fields(entry, people)) }
        }
        return writer.bytes
    }

    private static func fields(_ entry: Entry, _ people: [String]) throws(Fault) -> [String] {
        var shares: [String: Int64] = [:]
        for share in try entry.shares() { shares[share.name, default: 0] += share.number }
        let (payer, currency) = (entry.payers.first?.name, entry.amount.currency)
        let cells = people.map { name in
            guard let share = shares[name], share > 0 else { return name == payer ? "0" : "" }
            return Money(minorUnits: name == payer ? share : -share, currency: currency).decimal
        }
        let mode = modes.first { $0.kind == entry.split }?.name ?? ""
        let texts = [entry.title, entry.category].map(SpreadsheetText.guarded)
        return [entry.on.iso] + texts
            + [currency.code, entry.amount.decimal, entry.isRepayment ? "Yes" : "No", mode] + cells
    }

    // MARK: Reading

    /// Reads a file of Spliit, or one of ``csv()``. Spliit rounds each cell, so the cells of an uneven split need not
    /// add up to the cost: the difference goes to the first people. A negative cost is an income. Throws all faults,
    /// each with its line.
    static func spliit(
        _ records: [CSVReader.Record], name: String, _ currencies: SheetCurrencies
    ) throws(FaultList) -> GroupSheet {
        guard let header = records.first?.fields, let columns = Columns(header), !columns.people.isEmpty
        else {
            throw [
                Fault(
                    "line 1", .invalidFormat,
                    "Not a sheet of Spliit, Splitwise, Cospend or IHateMoney: the columns are unknown.")
            ]
        }
        var faults = FaultList(limit: 20)
        var entries: [Entry] = []
        for record in records.dropFirst() {
            do throws(Fault) {
                guard record.fields.count == header.count else {
                    throw Fault("", .wrongFieldCount, "Must have as many fields as the header: \(header.count).")
                }
                entries.append(try columns.entry(record, currencies))
            } catch {
                let place = "line \(record.line)"
                faults.note(
                    Fault(error.pointer.isEmpty ? place : "\(place), \(error.pointer)", error.code, error.sentence))
            }
        }
        guard faults.isEmpty else { throw faults }
        return GroupSheet(name: name, people: columns.people.map(\.name), entries: entries)
    }

    private struct Columns {
        var places: [String: Int] = [:]
        var people: [(name: String, place: Int)] = []

        /// Nil without the columns that every version has.
        init?(_ header: [String]) {
            for (place, title) in header.enumerated() {
                if GroupSheet.head.contains(title) || GroupSheet.others.contains(title) {
                    guard places.updateValue(place, forKey: title) == nil else { return nil }
                } else {
                    people.append((SpreadsheetText.unguarded(title), place))
                }
            }
            guard ["Date", "Description", "Cost"].allSatisfy({ places[$0] != nil }),
                Set(people.map(\.name)).count == people.count
            else { return nil }
        }

        func entry(_ record: CSVReader.Record, _ currencies: SheetCurrencies) throws(Fault) -> Entry {
            func text(_ column: String) -> String {
                places[column].map { SpreadsheetText.unguarded(record.fields[$0]) } ?? ""
            }
            guard let day = CalendarDay(iso: text("Date")) else {
                throw Fault("Date", .invalidDay, "Must be an existing date, such as 2027-01-15.")
            }
            let currency = try currencies.currency(text("Currency"), field: "Currency")
            func amount(_ text: String, _ column: String) throws(Fault) -> Int64 {
                try GroupSheet.units(text, currency, field: column)
            }
            let written = try amount(text("Cost"), "Cost")
            guard written != 0 else { throw Fault("Cost", .outOfRange, "Must not be 0.") }
            let (isIncome, cost) = (written < 0, abs(written))
            var cells: [(name: String, units: Int64?)] = []
            for (name, place) in people {
                let cell = record.fields[place]
                let units = cell.isEmpty ? nil : try amount(cell, name)
                cells.append((name, units.map { isIncome ? -$0 : $0 }))
            }
            let payer = try GroupSheet.payer(cells)
            let mode = text("Split mode")
            let isEven = mode.isEmpty || mode == "Evenly"
            var parts = cells.filter { ($0.units ?? 0) != 0 }.map {
                Part(name: $0.name, number: abs($0.units ?? 0))
            }
            guard !parts.isEmpty else { throw Fault("", .required, "At least one person must bear the cost.") }
            if !isEven { GroupSheet.level(&parts, to: cost) }
            var entry = Entry(
                id: nil, place: "line \(record.line)", on: day, title: text("Description"),
                amount: Money(minorUnits: cost, currency: currency), payers: [Part(name: payer, number: cost)],
                split: isEven ? .even : .exact, parts: isEven ? parts.map { Part(name: $0.name, number: 0) } : parts)
            entry.category = text("Category")
            entry.isRepayment = text("Is Reimbursement") == "Yes" && parts.count == 1 && parts[0].name != payer
            return isIncome ? try entry.received() : entry
        }
    }

    /// The person with a positive cell; else the only one with a zero, or the other one of two.
    private static func payer(_ cells: [(name: String, units: Int64?)]) throws(Fault) -> String {
        let positive = cells.filter { ($0.units ?? 0) > 0 }
        if positive.count == 1 { return positive[0].name }
        let zeros = cells.filter { $0.units == 0 }
        let idle = cells.filter { ($0.units ?? 0) == 0 }
        if positive.isEmpty, zeros.count == 1 { return zeros[0].name }
        if positive.isEmpty, idle.count == 1 { return idle[0].name }
        throw Fault("", .invalidFormat, "The file does not say who paid; a JSON export of Spliit does.")
    }

    /// Adds the difference to the first parts, a minor unit each in turn.
    private static func level(_ parts: inout [Part], to cost: Int64) {
        var difference = cost - parts.reduce(0) { $0 + $1.number }
        // More than rounding: it stays, and the split is refused.
        guard difference.magnitude <= UInt64(parts.count) else { return }
        for place in parts.indices where difference != 0 {
            let step: Int64 = difference > 0 ? 1 : -1
            guard parts[place].number + step >= 0 else { continue }
            parts[place].number += step
            difference -= step
        }
    }
}
