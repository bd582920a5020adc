import SubGuardDomain

/// Reads QIF, which has neither a currency nor an order of the date's numbers.
enum QIFReader {
    private struct Entry {
        var row: Int
        var date = ""
        var amount = ""
        var payee = ""
        var memo = ""
        /// The other account of a transfer: `L[Livret A]`.
        var isTransfer = false
        var isEmpty: Bool { date.isEmpty && amount.isEmpty }
    }

    static func read(_ text: [UInt8], _ options: StatementOptions, into statement: inout Statement) throws(Fault) {
        let entries = try entries(text, &statement)
        let dates = entries.map { StatementDate($0.date) }
        let mark = options.decimalMark?.byte ?? StatementAmount.mark(of: entries.map(\.amount), in: options.currency)
        statement.dates = reading(entries, dates, mark, options)
        let order = statement.dates?.order ?? .dmy
        for (entry, date) in zip(entries, dates) where !StatementAmount.isBlank(entry.amount) {
            guard let day = date?.day(order) else {
                try statement.refuse(entry.row, .unreadableStatementDate, column: "date", value: entry.date)
                continue
            }
            guard let amount = StatementAmount(entry.amount, mark: mark) else {
                try statement.refuse(entry.row, .unreadableStatementAmount, column: "amount", value: entry.amount)
                continue
            }
            let money: Money
            do throws(Fault) {
                let currency: Currency
                if let sign = amount.sign {
                    currency = try sign.requireCurrency(preferring: options.named())
                } else {
                    currency = try options.currency(of: "")
                }
                money = try amount.money(in: currency)
            } catch {
                guard error != .unknownStatementCurrency else { throw error }
                try statement.refuse(entry.row, error, column: "amount", value: entry.amount)
                continue
            }
            if mark == nil, amount.isUnclear, money.currency.exponent > 0, !statement.isDecimalMarkAssumed {
                statement.noteAssumedMark(entry.amount, money)
            }
            let note = [entry.isTransfer ? "TRANSFER" : "", entry.payee.isEmpty ? "" : entry.memo]
            try statement.take(
                StatementBooking(
                    on: day, amount: money, payee: entry.payee.isEmpty ? entry.memo : entry.payee,
                    note: note.filter { !$0.isEmpty }.joined(separator: " "), row: entry.row))
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

    /// Lists whose letters have other meanings: accounts, categories, securities.
    private static let otherLists: Set<String> = [
        "ACCOUNT", "CAT", "CLASS", "INVST", "MEMORIZED", "PRICES", "SECURITY", "BUDGET", "TAG", "TEMPLATE", "INVITEM",
        "INVOICE", "BILL", "TAX", "PORT",
    ]

    private static func entries(_ text: [UInt8], _ statement: inout Statement) throws(Fault) -> [Entry] {
        var entries: [Entry] = []
        var entry: Entry?
        var isOther = false
        var line = 0
        var others: Set<String> = []
        for bytes in lines(text) {
            line += 1
            guard entries.count <= Statement.maximumBookings else { throw .tooManyStatementEntries }
            guard let code = bytes.first, bytes.count <= MarkupReader.maximumTextBytes else { continue }
            let value = CatalogueRules.trimmed(String(decoding: bytes.dropFirst(), as: UTF8.self))
            switch code {
            case UInt8(ascii: "!"):
                if let entry, !entry.isEmpty, !isOther { entries.append(entry) }
                entry = nil
                let kind = value.uppercased()
                // Settings of the program.
                guard kind.hasPrefix("TYPE:") || kind == "ACCOUNT" else { continue }
                let list = kind.hasPrefix("TYPE:") ? String(kind.dropFirst(5)) : kind
                isOther = !["BANK", "CCARD", "CASH", "OTH"].contains { list.hasPrefix($0) }
                guard isOther else { continue }
                others.insert("!\(RefusedBooking.shown(value))")
                if !otherLists.contains(String(list.prefix { $0.isLetter })) {
                    try statement.refuse(line, .unknownList, column: "!Type", value: String(value.dropFirst(5)))
                }
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
                case UInt8(ascii: "L"): changed.isTransfer = value.hasPrefix("[")
                default: break
                }
                entry = changed
            }
        }
        if let entry, !isOther { try statement.refuse(entry.row, .cutEntry) }
        if entries.isEmpty, statement.refused.isEmpty, !others.isEmpty {
            let lists = others.sorted().joined(separator: ", ")
            throw Fault("file", .required, "No entry was found in the file: it has other lists only, \(lists).")
        }
        return entries
    }

    /// Lines end in LF, CR LF or CR.
    private static func lines(_ text: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
        let feed: UInt8 = text.contains(0x0A) ? 0x0A : 0x0D
        return text.parts { $0 == feed }
    }
}

extension Fault {
    fileprivate static let unknownList = Fault(
        "file", .unknownValue, "Not a list of entries: must be Bank, CCard, Cash, Oth A or Oth L.")
    fileprivate static let cutEntry = Fault("row", .invalidFormat, "The file ends within this entry.")
}
