import SubGuardDomain

/// Reads the entries of ISO 20022 account reports and statements, camt.052 and camt.053.
struct CAMTReader {
    private static let maximumDepth = 64

    private var path: [String] = []
    private var entry: Entry?
    private var row = 0
    private var totals = Totals()
    /// The number of the statement's account; empty for unknown.
    private var account = ""
    /// Where the entries of the statement begin.
    private var start = 0
    /// The numbers of entries that are not booked, by their state.
    private var unbooked: [String: Int] = [:]

    /// An entry, or one of the transactions that a collective entry consists of.
    private struct Part {
        var amount = ""
        var currency = ""
        var creditor = ""
        var debtor = ""
        /// Behind a payment service.
        var ultimateCreditor = ""
        var ultimateDebtor = ""
        var purpose = ""
        /// Its own direction; nil for that of the entry.
        var isDebit: Bool?
    }

    /// What the balances and the entries of a statement add up to, in ten-thousandths.
    private struct Totals {
        var opening: Int64?
        var closing: Int64?
        var entries: Int64 = 0
        var kind = ""
        var amount = ""
        var isDebit = false
    }

    private struct Entry {
        var whole = Part()
        var parts: [Part] = []
        var date = ""
        var valueDate = ""
        var isDebit = true
        var isReversal = false
        /// `BOOK`, unless it is not booked yet.
        var state = "BOOK"
        var further = ""
        /// The bank's reference (`AcctSvcrRef`); empty if there is none.
        var reference = ""

        /// Whether the amounts of the parts make up that of the entry; true for amounts that cannot be read, which are
        /// refused later.
        var partsAddUp: Bool {
            let units = { (part: Part) in
                StatementAmount(part.amount, mark: UInt8(ascii: "."))?.scaled.map {
                    part.isDebit ?? isDebit ? -$0 : $0
                }
            }
            guard let sum = units(whole) else { return true }
            var total: Int64 = 0
            for part in parts {
                guard let part = units(part) else { return true }
                total &+= part
            }
            return total == sum
        }
    }

    static func read(
        _ text: [UInt8], _ options: StatementOptions, _ overlap: inout StatementOverlap,
        into statement: inout Statement
    ) throws(Fault) {
        var markup = MarkupReader(text, attribute: "Ccy")
        var reader = CAMTReader()
        var isStatement = false
        while let event = try markup.next() {
            switch event {
            case .start(let name, let currency):
                guard reader.path.count < maximumDepth else {
                    throw .nestedTooDeeply
                }
                reader.path.append(name)
                isStatement = isStatement || name == "BkToCstmrStmt" || name == "BkToCstmrAcctRpt"
                reader.begin(name, currency)
            case .text(let text): reader.take(text)
            case .end(let name):
                guard reader.path.popLast() == name else {
                    throw Fault("file", .invalidFormat, "The markup is damaged.")
                }
                if name == "Ntry", let entry = reader.entry {
                    try Self.take(entry, reader.row, options, into: &statement)
                    reader.entry = nil
                    if entry.state != "BOOK" {
                        reader.unbooked[entry.state, default: 0] += 1
                    } else if let units = StatementAmount(entry.whole.amount, mark: 0x2E)?.scaled {
                        reader.totals.entries &+= entry.isDebit ? -units : units
                    }
                }
                reader.end(name, &overlap, &statement)
            }
        }
        guard isStatement else {
            throw Fault(
                "file", .invalidFormat, "Not a bank statement: must be CSV, XLSX, OFX, QIF, CAMT.053 or MT940.")
        }
        guard reader.path.isEmpty else { throw .statementEndsTooEarly }
        for (state, count) in reader.unbooked.sorted(by: { $0.key < $1.key }).prefix(10) {
            statement.notes.append(.notBooked(count, state, column: "Sts"))
        }
    }

    /// Compares the entries with the balances at the end of a statement, and removes those of earlier statements.
    /// Reports of a day have no balances, or interim ones.
    private mutating func end(_ name: String, _ overlap: inout StatementOverlap, _ statement: inout Statement) {
        switch name {
        case "Bal":
            let units = StatementAmount(totals.amount, mark: 0x2E)?.scaled.map { totals.isDebit ? -$0 : $0 }
            if ["OPBD", "PRCD"].contains(totals.kind), totals.opening == nil { totals.opening = units }
            if totals.kind == "CLBD" { totals.closing = units }
            (totals.kind, totals.amount, totals.isDebit) = ("", "", false)
        case "Stmt", "Rpt":
            if let opening = totals.opening, let closing = totals.closing, opening &+ totals.entries != closing {
                statement.notes.append(.balancesDisagree)
            }
            overlap.remove(from: &statement.bookings, after: start, of: account)
            (totals, account, start) = (Totals(), "", statement.bookings.count)
        default: break
        }
    }

    private mutating func begin(_ name: String, _ currency: String?) {
        switch name {
        case "Ntry":
            (entry, row) = (Entry(), row + 1)
        case "TxDtls": entry?.parts.append(Part())
        case "Amt":
            guard let currency else { return }
            if path.suffix(2) == ["Ntry", "Amt"] {
                entry?.whole.currency = currency
            } else if isAmountOfPart, entry?.parts.last?.amount.isEmpty == true {
                change { $0.currency = currency }
            }
        default: break
        }
    }

    private var isAmountOfPart: Bool {
        path.suffix(2) == ["TxDtls", "Amt"] || path.suffix(3) == ["TxDtls", "AmtDtls", "TxAmt"]
            || path.suffix(4) == ["TxDtls", "AmtDtls", "TxAmt", "Amt"]
    }

    private mutating func take(_ text: String) {
        guard let name = path.last else { return }
        if path.contains("Bal") {
            switch name {
            case "Cd" where path.contains("CdOrPrtry"): totals.kind = text
            case "Amt": totals.amount = text
            case "CdtDbtInd": totals.isDebit = text == "DBIT"
            default: break
            }
            return
        }
        // No second owner of the entry: each change would copy its parts, of which a collective entry has thousands.
        guard entry != nil else { return takeAccount(text) }
        let parent = path.dropLast().last ?? ""
        switch name {
        case "Amt" where parent == "Ntry": entry?.whole.amount = text
        case "Amt" where isAmountOfPart: change { if $0.amount.isEmpty { $0.amount = text } }
        case "CdtDbtInd" where parent == "Ntry": entry?.isDebit = text == "DBIT"
        case "CdtDbtInd" where parent == "TxDtls": change { $0.isDebit = text == "DBIT" }
        case "RvslInd" where parent == "Ntry": entry?.isReversal = text == "true" || text == "1"
        case "Sts" where parent == "Ntry", "Cd" where parent == "Sts":
            entry?.state = text
        case "Dt" where parent == "BookgDt", "DtTm" where parent == "BookgDt": entry?.date = text
        case "Dt" where parent == "ValDt", "DtTm" where parent == "ValDt": entry?.valueDate = text
        case "Nm":
            if path.contains("Cdtr") { change { if $0.creditor.isEmpty { $0.creditor = text } } }
            if path.contains("Dbtr") { change { if $0.debtor.isEmpty { $0.debtor = text } } }
            if path.contains("UltmtCdtr") { change { $0.ultimateCreditor = text } }
            if path.contains("UltmtDbtr") { change { $0.ultimateDebtor = text } }
        case "Ustrd":
            change { if $0.purpose.utf8.count < 1000 { $0.purpose += $0.purpose.isEmpty ? text : " " + text } }
        case "AcctSvcrRef" where parent == "Ntry": entry?.reference = text
        case "AddtlNtryInf": if entry?.further.isEmpty == true { entry?.further = text }
        default: break
        }
    }

    /// `Acct/Id/IBAN`, `Acct/Id/Othr/Id`.
    private mutating func takeAccount(_ text: String) {
        guard account.isEmpty,
            path.suffix(3) == ["Acct", "Id", "IBAN"] || path.suffix(4) == ["Acct", "Id", "Othr", "Id"]
        else { return }
        account = text.filter { !$0.isWhitespace }.uppercased()
    }

    private mutating func change(_ body: (inout Part) -> Void) {
        guard var changed = entry else { return }
        // So that the parts have one owner and are not copied.
        entry = nil
        if let last = changed.parts.indices.last { body(&changed.parts[last]) } else { body(&changed.whole) }
        entry = changed
    }

    private static func take(
        _ entry: Entry, _ row: Int, _ options: StatementOptions, into statement: inout Statement
    ) throws(Fault) {
        guard entry.state == "BOOK" else { return }
        guard let date = StatementDate(entry.date.isEmpty ? entry.valueDate : entry.date), let day = date.day(.ymd)
        else {
            return try statement.refuse(
                row, .unreadableStatementDate, column: "BookgDt",
                value: entry.date.isEmpty ? entry.valueDate : entry.date)
        }
        // A collective entry is split when all of its parts have amounts in its currency, and add up to its own.
        let haveAmounts =
            entry.parts.count > 1
            && entry.parts.allSatisfy { !$0.amount.isEmpty && $0.currency == entry.whole.currency }
        let areParts = haveAmounts && entry.partsAddUp
        var parts = areParts ? entry.parts : [haveAmounts ? entry.whole : entry.parts.first ?? entry.whole]
        if haveAmounts, !areParts {
            statement.notes.append(
                "Entry \("\(row)"): its parts do not add up to its amount, so it counts as one payment.")
        }
        if !areParts {
            (parts[0].amount, parts[0].currency) = (entry.whole.amount, entry.whole.currency)
            parts[0].isDebit = nil
        }
        // All parts are in the currency of the entry.
        let code = entry.whole.currency
        guard let currency = try statement.currency(of: code, options, row, column: "Ccy") else { return }
        for (number, part) in parts.enumerated() {
            guard let amount = StatementAmount(part.amount, mark: UInt8(ascii: ".")) else {
                try statement.refuse(row, .unreadableStatementAmount, column: "Amt", value: part.amount)
                continue
            }
            do throws(Fault) {
                var money = try amount.money(in: currency)
                // A reversal carries the direction in which the money goes now.
                let isDebit = part.isDebit ?? entry.isDebit
                money.minorUnits = isDebit ? -money.minorUnits : money.minorUnits
                let names =
                    isDebit != entry.isReversal
                    ? [part.ultimateCreditor, part.creditor] : [part.ultimateDebtor, part.debtor]
                let name = names.first { !$0.isEmpty } ?? ""
                let texts = [part.purpose, entry.further].filter { !$0.isEmpty }
                var booking = StatementBooking(
                    on: day, amount: money, payee: name.isEmpty ? texts.first ?? "" : name,
                    note: (name.isEmpty ? Array(texts.dropFirst()) : texts).joined(separator: " "), row: row)
                if !entry.reference.isEmpty { booking.reference = "\(entry.reference)/\(number)" }
                try statement.take(booking)
            } catch {
                if error.pointer == "file" { throw error }
                try statement.refuse(row, error, column: "Amt", value: part.amount)
            }
        }
    }
}

extension Fault {
    static let nestedTooDeeply = Fault("file", .invalidFormat, "The markup is nested too deeply.")
}

extension Sentence {
    static func notBooked(_ count: Int, _ word: String, column: String) -> Sentence {
        "Not booked, and left out: \(count) with “\(RefusedBooking.shown(word))” in column \(column)."
    }

    static let balancesDisagree: Sentence =
        "The entries do not add up to the difference of the balances: the file may be incomplete."
}
