import SubGuardDomain

/// Reads OFX 1 and 2: statements of bank accounts and credit cards.
enum OFXReader {
    static func read(_ text: [UInt8], _ options: StatementOptions, into statement: inout Statement) throws(Fault) {
        // The header of OFX 1 is no markup.
        let start = text.firstIndex(of: UInt8(ascii: "<")) ?? text.count
        var reader = MarkupReader(Array(text[start...]))
        var currency = ""
        var entry: [String: String]?
        var name = ""
        var row = 0
        var areEntriesEnded = false
        var foreign = 0
        var nesting = Nesting()
        while let event = try reader.next() {
            switch event {
            case .start(let tag, _):
                name = tag.uppercased()
                try nesting.begin(name)
                guard name == "STMTTRN" else { continue }
                if let entry { try take(entry, row, currency, options, &foreign, into: &statement) }
                (entry, row) = ([:], row + 1)
            case .text(let text):
                if name == "CURDEF" { currency = text }
                // ORIGCURRENCY has one too: the amount was converted from that.
                let isWanted = wanted.contains(name) && (name != "CURSYM" || nesting.parent == "CURRENCY")
                if isWanted, entry?[name] == nil { entry?[name] = text }
                if !name.isEmpty { nesting.endValue() }
                name = ""
            case .end(let tag):
                let tag = tag.uppercased()
                nesting.end(tag)
                areEntriesEnded = areEntriesEnded || tag == "STMTTRN"
                let isStatement = tag.hasSuffix("STMTRS")
                if tag == "STMTTRN" || tag == "BANKTRANLIST" || isStatement, let whole = entry {
                    try take(whole, row, currency, options, &foreign, into: &statement)
                    entry = nil
                }
                // Each account has its own.
                if isStatement { currency = "" }
                name = ""
            }
        }
        guard nesting.isClosed else { throw .statementEndsTooEarly }
        if let entry {
            // A program that ends its entries did not end this one.
            guard !areEntriesEnded else { throw .statementEndsTooEarly }
            try take(entry, row, currency, options, &foreign, into: &statement)
        }
        if foreign > 0 {
            statement.notes.append("In a currency other than that of the account, as the file says: \(foreign).")
        }
    }

    /// The open elements. Values of OFX 1 have no end tags, so that they end with their text.
    private struct Nesting {
        private static let maximumDepth = 64
        private var open: [String] = []
        /// Whether the whole was ended, or the last account or list of entries that was begun.
        private(set) var isClosed = false

        mutating func begin(_ name: String) throws(Fault) {
            guard open.count < Self.maximumDepth else { throw .nestedTooDeeply }
            open.append(name)
            if Self.isWhole(name) || name.hasSuffix("STMTTRNRS") { isClosed = false }
        }

        /// The file, the statement of an account of a bank, a card or securities, or its list of entries.
        private static func isWhole(_ name: String) -> Bool {
            name == "OFX" || name.hasSuffix("STMTRS") || name.hasSuffix("TRANLIST")
        }

        /// The element around the innermost one.
        var parent: String? { open.dropLast().last }

        mutating func endValue() { _ = open.popLast() }

        mutating func end(_ name: String) {
            if Self.isWhole(name) || name.hasSuffix("STMTTRNRS") { isClosed = true }
            // Those of values were removed already; empty values were not.
            guard let place = open.lastIndex(of: name) else { return }
            open.removeSubrange(place...)
        }
    }

    private static let wanted: Set<String> = ["DTPOSTED", "TRNAMT", "NAME", "MEMO", "TRNTYPE", "CURSYM"]

    private static func take(
        _ entry: [String: String], _ row: Int, _ account: String, _ options: StatementOptions,
        _ foreign: inout Int, into statement: inout Statement
    ) throws(Fault) {
        let date = entry["DTPOSTED"] ?? ""
        let orders = options.dateOrder.map { [$0] } ?? [.dmy, .mdy]
        let days = Set(orders.compactMap { StatementDate(String(date.prefix(8)))?.day($0) })
        guard let day = days.first, days.count == 1 else {
            return try statement.refuse(row, .unreadableStatementDate, column: "DTPOSTED", value: date)
        }
        let text = entry["TRNAMT"] ?? ""
        guard !StatementAmount.isBlank(text) else { return }
        guard let amount = StatementAmount(text, mark: text.contains(",") && !text.contains(".") ? 0x2C : 0x2E) else {
            return try statement.refuse(row, .unreadableStatementAmount, column: "TRNAMT", value: text)
        }
        // OFX 5.2: with CURRENCY, the amount is in that one and not in the currency of the account.
        let (own, column) = entry["CURSYM"].map { ($0, "CURSYM") } ?? (account, "CURDEF")
        guard let currency = try statement.currency(of: own, options, row, column: column) else { return }
        if own != account, !account.isEmpty { foreign += 1 }
        let money: Money
        do throws(Fault) { money = try amount.money(in: currency) } catch {
            return try statement.refuse(row, error, column: "TRNAMT", value: text)
        }
        let (name, memo) = (entry["NAME"] ?? "", entry["MEMO"] ?? "")
        let kind = entry["TRNTYPE"]?.uppercased() == "DIRECTDEBIT" ? "DIRECT DEBIT" : ""
        try statement.take(
            StatementBooking(
                on: day, amount: money, payee: name.isEmpty ? memo : name, note: name.isEmpty ? "" : memo, kind: kind,
                row: row))
    }
}
