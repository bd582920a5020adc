import SubGuardDomain
import SubGuardStatements
import TestKit
import Testing

/// Amounts in a currency that is named and unknown are refused: they are not in another one.
@Suite struct StatementCurrencyTests: StatementReading {
    /// As a device reads it that uses euros.
    private func readAtHome(_ text: String, currency: Currency? = nil) throws -> Statement {
        try read(text, currency: currency) { $0.usualCurrency = .eur }
    }

    private func counts(_ statement: Statement) -> [String: Int] {
        statement.bookings.reduce(into: [:]) { $0[$1.amount.currency.code, default: 0] += 1 }
    }

    private func refusals(_ statement: Statement) -> [String] {
        statement.refused.map { "\($0.row) \($0.column) \($0.value) \($0.fault.code.rawValue)" }
    }

    private func rows(_ code: String, _ days: ClosedRange<Int>, _ month: Int) -> String {
        days.map { "2026-0\(month)-\($0 + 10),SHOP \($0),-15.49,\(code)\n" }.joined()
    }

    @Test(
        "A column of currencies stays one, whatever unknown codes are in it", arguments: ["Currency", "Devise", "Ccy"],
        ["RUR", "BTC"])
    func unknownCodes(name: String, code: String) throws {
        let text = "Date,Description,Amount,\(name)\n" + rows("EUR", 1...9, 1) + rows("USD", 1...8, 2)
        let one = try readAtHome(text + rows(code, 1...1, 3))
        #expect(counts(one) == ["EUR": 9, "USD": 8] && one.notes.isEmpty)
        #expect(refusals(one) == ["19 \(name) \(code) unknown_currency"])
        let many = try readAtHome(text + rows(code, 1...8, 3), currency: .eur)
        #expect(counts(many) == ["EUR": 9, "USD": 8] && many.refusedCount == 8)
        #expect(many.refused.first?.fault.detail == "Must be a currency code, such as EUR.")
    }

    @Test("A file in an unknown currency has no entry in another one", arguments: [nil, Currency.eur])
    func unknownAlone(currency: Currency?) throws {
        let table = try readAtHome("Date,Description,Amount,Currency\n" + rows("RUR", 1...8, 1), currency: currency)
        #expect(table.bookings.isEmpty && table.refusedCount == 8 && table.notes.isEmpty)
        let words = try readAtHome(
            "Date,Description,Amount,Valuta\n" + rows("2026-01-01", 1...8, 1), currency: currency)
        #expect(counts(words) == ["EUR": 8], "a column of value dates names no currency")
    }

    @Test("A code beside an amount in the header's currency counts, and so does an unknown one")
    func headerWithCurrency() throws {
        let text = "Date,Description,Amount (EUR),Currency\n" + rows("EUR", 1...5, 1) + rows("RUR", 1...1, 2)
        let statement = try readAtHome(text)
        #expect(counts(statement) == ["EUR": 5] && refusals(statement) == ["7 Currency RUR unknown_currency"])
    }

    @Test("The currency of what was paid abroad is not that of an amount whose own name has one")
    func currencyOfAnotherAmount() throws {
        for (header, cells) in [
            ("Subtotal (AUD),Currency,Subtotal (Transaction Currency)", "-27.81,USD,-20.00"),
            ("Debit (AUD),Currency,Foreign amount", "27.81,USD,20.00"),
        ] {
            let text = "Date,Description,\(header)\n2026-02-01,A,\(cells)\n2026-02-02,B,-5.00,AUD,-5.00\n"
            let statement = try readAtHome(text)
            #expect(counts(statement) == ["AUD": 2] && statement.notes.count == 1, "\(header)")
            #expect(statement.bookings.first?.amount.decimal == "-27.81")
        }
    }

    @Test("Codes that contradict the header are refused, unless the user says which column counts")
    func contradictedHeader() throws {
        let text = "Date,Description,Amount (EUR),Currency\n2026-02-01,A,-9.00,EUR\n2026-02-02,B,-10.80,USD\n"
        let statement = try readAtHome(text)
        #expect(counts(statement) == ["EUR": 1] && refusals(statement) == ["3 Currency USD invalid_format"])
        let mapped = try read(text) { $0.mapping = ["Currency": .currency] }
        #expect(counts(mapped) == ["EUR": 1, "USD": 1])
        let ignored = try read(text) { $0.mapping = ["Currency": .ignore] }
        #expect(counts(ignored) == ["EUR": 2])
    }

    @Test("A sign of several currencies means the one of its column", arguments: [nil, Currency(code: "CAD")])
    func signsInColumnsOfCurrencies(currency: Currency?) throws {
        let text = "Date,Description 1,CAD$,USD$\n01/13/2026,A,-$1.00,\n01/14/2026,B,,-$2.00\n"
        #expect(
            lines(try readAtHome(text, currency: currency)) == ["2026-01-13 -1.00 CAD A", "2026-01-14 -2.00 USD B"])
    }

    @Test("A sign of several currencies is none that does not use it", arguments: ["csv", "column", "qif"])
    func ambiguousSigns(format: String) throws {
        let text =
            switch format {
            case "csv": "Date;Payee;Amount\n2026-02-01;A;-12,00 kr\n2026-02-02;B;-1,00 €\n"
            case "column": "Date;Payee;Amount;Currency\n2026-02-01;A;-12,00;kr\n2026-02-02;B;-1,00;EUR\n"
            default: "!Type:Bank\nD2026-02-01\nT-12,00 kr\nPA\n^\nD2026-02-02\nT-1,00 €\nPB\n^\n"
            }
        for currency in [nil, Currency.eur] {
            let statement = try readAtHome(text, currency: currency)
            #expect(lines(statement) == ["2026-02-02 -1.00 EUR B"] && statement.notes.isEmpty)
            #expect(statement.refused.map(\.fault.code) == [.unknownCurrency])
            #expect(statement.refused.first?.fault.detail.hasPrefix("kr is the sign of several currencies") == true)
        }
        let named = try readAtHome(text, currency: Currency(code: "SEK"))
        #expect(lines(named) == ["2026-02-01 -12.00 SEK A", "2026-02-02 -1.00 EUR B"])
    }

    @Test("Entries without a currency beside others with one are told apart in the note")
    func someWithoutCurrency() throws {
        let text = "Date,Description,Amount,Currency\n" + rows("USD", 1...8, 1) + rows("", 1...1, 2)
        let statement = try readAtHome(text)
        #expect(counts(statement) == ["USD": 8, "EUR": 1])
        #expect(statement.notes.map(\.text) == ["Some entries name no currency; EUR is assumed for them."])
        let none = try readAtHome("Date,Description,Amount\n2026-02-01,A,-1.00\n")
        #expect(none.notes.map(\.text) == ["The file names no currency; EUR is assumed."])
    }

    @Test("MT940: a statement does not take the currency of the one before it", arguments: [nil, Currency.eur])
    func mt940(currency: Currency?) throws {
        let part = { (code: String, name: String) in
            """
            :20:1
            :25:1
            :60F:C260101\(code)10,
            :61:260102D5,N
            :86:\(name)
            :62F:C260102\(code)5,

            """
        }
        let statement = try readAtHome(part("EUR", "A") + part("RUR", "B") + part("USD", "C"), currency: currency)
        #expect(lines(statement) == ["2026-01-02 -5.00 EUR A", "2026-01-02 -5.00 USD C"])
        #expect(refusals(statement) == ["10 :60F: RUR unknown_currency"] && statement.notes.isEmpty)
        let bare = part("", "B").replacing(":60F:C26010110,\n", with: "")
        #expect(lines(try readAtHome(part("USD", "A") + bare, currency: currency)).last == "2026-01-02 -5.00 EUR B")
        // A balance that cannot be read names none.
        let damaged = part("USD", "A") + part("USD", "B").replacing(":60F:C260101USD10,", with: ":60F:C1")
        #expect(lines(try readAtHome(damaged, currency: currency)).last == "2026-01-02 -5.00 EUR B")
    }

    @Test("CAMT and OFX in an unknown currency", arguments: [nil, Currency.eur])
    func otherFormats(currency: Currency?) throws {
        let entry = { (code: String) in
            """
            <Ntry><Amt Ccy="\(code)">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-02-01</Dt>\
            </BookgDt><AddtlNtryInf>Shop</AddtlNtryInf></Ntry>
            """
        }
        let camt = try readAtHome(
            "<Document><BkToCstmrStmt><Stmt>\(entry("USD"))\(entry("RUR"))</Stmt></BkToCstmrStmt></Document>",
            currency: currency)
        #expect(lines(camt) == ["2026-02-01 -1.00 USD Shop"] && camt.notes.isEmpty)
        #expect(refusals(camt) == ["2 Ccy RUR unknown_currency"])
        let account = { (code: String) in
            """
            <STMTRS>\(code)<BANKTRANLIST><STMTTRN><DTPOSTED>20260201<TRNAMT>-1.00<NAME>Shop</STMTTRN></BANKTRANLIST>\
            </STMTRS>
            """
        }
        let accounts = account("<CURDEF>USD") + account("<CURDEF>RUR")
        let ofx = try readAtHome("<OFX>\(accounts)</OFX>", currency: currency)
        #expect(lines(ofx) == ["2026-02-01 -1.00 USD Shop"] && ofx.notes.isEmpty)
        #expect(refusals(ofx) == ["2 CURDEF RUR unknown_currency"])
        let nameless = try readAtHome("<OFX>\(account("<CURDEF>USD"))\(account(""))</OFX>", currency: currency)
        #expect(lines(nameless) == ["2026-02-01 -1.00 USD Shop", "2026-02-01 -1.00 EUR Shop"])
    }
}
