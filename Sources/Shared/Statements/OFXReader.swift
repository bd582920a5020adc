import SubGuardDomain

/// Reads OFX 1 and 2: statements of bank accounts and credit cards.
enum OFXReader {
    static func read(_ text: [UInt8], _ options: StatementOptions, into statement: inout Statement) throws(Fault) {
        // The header of OFX 1 is no markup.
        let start = text.firstIndex(of: UInt8(ascii: "<")) ?? text.count
        var reader = MarkupReader(Array(text[start...]))
        var currency: Currency?
        var entry: [String: String]?
        var name = ""
        var row = 0
        var nesting = Nesting()
        while let event = try reader.next() {
            switch event {
            case .start(let tag, _):
                name = tag.uppercased()
                try nesting.begin(name)
                guard name == "STMTTRN" else { continue }
                if let entry { try take(entry, row, currency, options, into: &statement) }
                (entry, row) = ([:], row + 1)
            case .text(let text):
                if name == "CURDEF" { currency = Currency(code: text.uppercased()) }
                if wanted.contains(name), entry?[name] == nil { entry?[name] = text }
                if !name.isEmpty { nesting.endValue() }
                name = ""
            case .end(let tag):
                let tag = tag.uppercased()
                nesting.end(tag)
                if tag == "STMTTRN" || tag == "BANKTRANLIST", let whole = entry {
                    try take(whole, row, currency, options, into: &statement)
                    entry = nil
                }
                name = ""
            }
        }
        guard nesting.isClosed else { throw .statementEndsTooEarly }
        if let entry { try take(entry, row, currency, options, into: &statement) }
    }

    /// The open elements. Values of OFX 1 have no end tags, so that they end with their text.
    private struct Nesting {
        private static let maximumDepth = 64
        private var open: [String] = []
        /// Whether the list or the whole was ended.
        private(set) var isClosed = false

        mutating func begin(_ name: String) throws(Fault) {
            guard open.count < Self.maximumDepth else { throw .nestedTooDeeply }
            open.append(name)
        }

        mutating func endValue() { _ = open.popLast() }

        mutating func end(_ name: String) {
            isClosed = isClosed || name == "OFX" || name == "BANKTRANLIST"
            // Those of values were removed already; empty values were not.
            guard let place = open.lastIndex(of: name) else { return }
            open.removeSubrange(place...)
        }
    }

    private static let wanted: Set<String> = ["DTPOSTED", "TRNAMT", "NAME", "MEMO", "TRNTYPE", "CURSYM"]

    private static func take(
        _ entry: [String: String], _ row: Int, _ currency: Currency?, _ options: StatementOptions,
        into statement: inout Statement
    ) throws(Fault) {
        guard case .day(let day)? = StatementDate(String((entry["DTPOSTED"] ?? "").prefix(8))) else {
            return try statement.refuse(
                row, .unreadableStatementDate, column: "DTPOSTED", value: entry["DTPOSTED"] ?? "")
        }
        let text = entry["TRNAMT"] ?? ""
        guard !StatementAmount.isBlank(text) else { return }
        guard let amount = StatementAmount(text, mark: text.contains(",") && !text.contains(".") ? 0x2C : 0x2E) else {
            return try statement.refuse(row, .unreadableStatementAmount, column: "TRNAMT", value: text)
        }
        // CURSYM says in which currency the amount is; with ORIGCURRENCY it only says what it was converted from, and
        // then the amount is in that of the account.
        guard let currency = currency ?? options.currency ?? entry["CURSYM"].flatMap({ Currency(code: $0) }) else {
            throw .unknownStatementCurrency
        }
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
