/// Reads QIF, which has neither a currency nor an order of the date's numbers.
enum QIFReader {
    private struct Entry {
        var row: Int
        var date = ""
        var amount = ""
        var payee = ""
        var memo = ""
        var isEmpty: Bool { date.isEmpty && amount.isEmpty }
    }

    static func read(_ text: [UInt8], _ options: StatementOptions, into statement: inout Statement) throws(Fault) {
        let entries = try entries(text)
        let dates = entries.map { StatementDate($0.date) }
        // The program that brought the format is American.
        let order = options.dateOrder ?? StatementDate.order(of: dates.compactMap { $0 }, prefers: .mdy)
        let mark = StatementAmount.mark(of: entries.map(\.amount))
        for (entry, date) in zip(entries, dates) {
            guard let day = date?.day(order) else {
                statement.refuse(entry.row, .unreadableStatementDate)
                continue
            }
            guard let amount = StatementAmount(entry.amount, mark: mark) else {
                statement.refuse(entry.row, .unreadableStatementAmount)
                continue
            }
            guard let currency = amount.currency ?? options.currency else { throw .unknownStatementCurrency }
            let money: Money
            do throws(Fault) { money = try amount.money(in: currency) } catch {
                statement.refuse(entry.row, error)
                continue
            }
            try statement.take(
                StatementBooking(
                    on: day, amount: money, payee: entry.payee.isEmpty ? entry.memo : entry.payee,
                    note: entry.payee.isEmpty ? "" : entry.memo, row: entry.row))
        }
    }

    private static func entries(_ text: [UInt8]) throws(Fault) -> [Entry] {
        var entries: [Entry] = []
        var entry: Entry?
        var isOther = false
        var line = 0
        for bytes in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A }) {
            line += 1
            guard let code = bytes.first, bytes.count <= MarkupReader.maximumTextBytes else { continue }
            let value = CatalogueRules.trimmed(String(decoding: bytes.dropFirst(), as: UTF8.self))
            switch code {
            case UInt8(ascii: "!"):
                // Lists of accounts and categories, and securities, have other meanings of the letters.
                let kind = value.uppercased()
                isOther = !["TYPE:BANK", "TYPE:CCARD", "TYPE:CASH", "TYPE:OTH"].contains { kind.hasPrefix($0) }
                entry = nil
            case UInt8(ascii: "^"):
                if let entry, !entry.isEmpty, !isOther { entries.append(entry) }
                entry = nil
            default:
                var changed = entry ?? Entry(row: line)
                switch code {
                case UInt8(ascii: "D"): changed.date = value
                case UInt8(ascii: "T"): changed.amount = value
                case UInt8(ascii: "U") where changed.amount.isEmpty: changed.amount = value
                case UInt8(ascii: "P"): changed.payee = value
                case UInt8(ascii: "M"): changed.memo = value
                default: break
                }
                entry = changed
            }
        }
        if let entry, !entry.isEmpty, !isOther { entries.append(entry) }
        return entries
    }
}
