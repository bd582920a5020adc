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
        let mark = StatementAmount.mark(of: entries.map(\.amount))
        statement.dates = reading(entries, dates, mark, options)
        let order = statement.dates?.order ?? .dmy
        for (entry, date) in zip(entries, dates) {
            guard let day = date?.day(order) else {
                statement.refuse(entry.row, .unreadableStatementDate, column: "date", value: entry.date)
                continue
            }
            guard let amount = StatementAmount(entry.amount, mark: mark) else {
                statement.refuse(entry.row, .unreadableStatementAmount, column: "amount", value: entry.amount)
                continue
            }
            guard let currency = amount.currency ?? options.currency else { throw .unknownStatementCurrency }
            let money: Money
            do throws(Fault) { money = try amount.money(in: currency) } catch {
                statement.refuse(entry.row, error, column: "amount", value: entry.amount)
                continue
            }
            try statement.take(
                StatementBooking(
                    on: day, amount: money, payee: entry.payee.isEmpty ? entry.memo : entry.payee,
                    note: entry.payee.isEmpty ? "" : entry.memo, row: entry.row))
        }
    }

    private static func reading(
        _ entries: [Entry], _ dates: [StatementDate?], _ mark: UInt8?, _ options: StatementOptions
    ) -> StatementDateReading? {
        var evidence = StatementDateEvidence(dates: dates.compactMap { $0 })
        evidence.isAmerican =
            (entries.lazy.compactMap { StatementAmount($0.amount, mark: mark)?.currency }.first ?? options.currency)
            == .usd
        evidence.hasDecimalComma = mark == UInt8(ascii: ",")
        for (entry, date) in zip(entries, dates) {
            guard let date, let other = StatementDate(in: entry.payee + " " + entry.memo, near: date) else { continue }
            evidence.pairs.append((date, other))
        }
        return evidence.reading(options)
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
