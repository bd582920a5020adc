import SubGuardDomain
import SubGuardStatements
import Testing

/// Reads statements of euros.
protocol StatementReading {}

extension StatementReading {
    func read(
        _ text: String, currency: Currency? = .eur, _ change: (inout StatementOptions) -> Void = { _ in }
    ) throws -> Statement {
        var options = StatementOptions()
        options.currency = currency
        change(&options)
        return try Statement.read(Array(text.utf8), options)
    }

    func lines(_ statement: Statement) -> [String] {
        statement.bookings.map { "\($0.on) \($0.amount) \($0.payee)" }
    }
}

@Suite struct StatementReadingTests: StatementReading {
    @Test("Lines above the table, a decimal comma, debit and credit columns, and totals below")
    func debitAndCredit() throws {
        let statement = try read(
            """
            Compte n° 123;
            Solde au 01/03/2026;1 234,56 €

            Date;Libellé;Débit euros;Crédit euros
            29/02/2024;"CARTE ""NETFLIX"" 🎬";12,34;
            01/03/2024;SALAIRE;;1 234,56
            Total;;12,34;1 234,56
            """, currency: nil)
        #expect(lines(statement) == ["2024-02-29 -12.34 EUR CARTE \"NETFLIX\" 🎬", "2024-03-01 1234.56 EUR SALAIRE"])
        #expect(statement.refused.isEmpty)
        #expect(statement.layout?.headerLine == 4)
        #expect(statement.layout?.decimalMark == .comma)
    }

    @Test(
        "The three decimals of dinars are no thousands",
        arguments: [
            "Date;Libellé;Montant;Devise\n31/01/2026;Ooredoo;-45,900;TND\n28/02/2026;Loyer;-1 234,500;TND\n",
            "Date;Libellé;Montant\n31/01/2026;Ooredoo;-45,900\n28/02/2026;Loyer;-1234,500\n",
            "!Type:Bank\nD31/01/2026\nT-45,900\nPOoredoo\n^\nD28/02/2026\nT-1.234,500\nPLoyer\n^\n",
        ])
    func threeDecimals(text: String) throws {
        let statement = try read(text, currency: Currency(code: "TND"))
        #expect(lines(statement) == ["2026-01-31 -45.900 TND Ooredoo", "2026-02-28 -1234.500 TND Loyer"])
        // Thousands in a currency without decimals stay thousands.
        let yen = try read(
            "Date;Payee;Amount\n31/01/2026;A;-45,900\n28/02/2026;B;-1,200\n", currency: Currency(code: "JPY"))
        #expect(lines(yen) == ["2026-01-31 -45900 JPY A", "2026-02-28 -1200 JPY B"])
    }

    @Test("A mark after a single 0 is no mark of thousands, in the whole column")
    func zeroBeforeTheMark() throws {
        for text in [
            "Date;Payee;Amount;Currency\n31/01/2026;A;-0,990;EUR\n28/02/2026;B;-12,500;EUR\n",
            "!Type:Bank\nD31/01/2026\nT-0,990\nPA\n^\nD28/02/2026\nT-12,500\nPB\n^\n",
        ] {
            let statement = try read(text, currency: .eur)
            #expect(lines(statement) == ["2026-01-31 -0.99 EUR A", "2026-02-28 -12.50 EUR B"])
        }
        // Where the column has another mark, it is no amount.
        let mixed = try read(
            "Date;Payee;Amount\n31/01/2026;A;-0,990\n28/02/2026;B;-1.20\n01/03/2026;C;-3.40\n", currency: .eur)
        #expect(lines(mixed) == ["2026-02-28 -1.20 EUR B", "2026-03-01 -3.40 EUR C"] && mixed.refused.count == 1)
    }

    @Test("Charges of a credit card are positive amounts")
    func positiveCharges() throws {
        let rows = (1...6).map { "0\($0)/15/2026,Shop,1\($0).50" } + ["07/20/2026,Payment,-100.00"]
        let statement = try read((["Date,Description,Amount"] + rows).joined(separator: "\n"), currency: .usd)
        #expect(statement.bookings.first?.amount.decimal == "-11.50")
        #expect(statement.bookings.last?.amount.decimal == "100.00")
        #expect(statement.layout?.chargesArePositive == true)
        #expect(statement.layout?.dateOrder == .mdy)
    }

    @Test(
        "Dates",
        arguments: [
            ("2026-01-31", "2026-01-31"), ("20260131", "2026-01-31"), ("31/01/2026", "2026-01-31"),
            ("31.1.26", "2026-01-31"), ("31 janv. 2026", "2026-01-31"), ("Jan 31, 2026", "2026-01-31"),
            ("31-Jan-26", "2026-01-31"), ("2026-01-31 23:59:59", "2026-01-31"), ("2026-01-31T08:00:00Z", "2026-01-31"),
            ("29 février 2024", "2024-02-29"), ("1. März 2026", "2026-03-01"), ("1/3'26", "2026-03-01"),
        ])
    func dates(text: String, day: String) throws {
        let statement = try read("Date;Payee;Amount\n\(text);A;-1.00\n") { $0.dateOrder = .dmy }
        #expect(statement.bookings.map(\.on.iso) == [day])
    }

    @Test("A date that does not exist and an amount that is none are named with their rows", arguments: ["csv", "qif"])
    func refusals(format: String) throws {
        let text =
            format == "csv"
            ? "Date;Payee;Amount\n30/02/2026;A;-1,00\n01/03/2026;B;abc\n02/03/2026;C;-2,00"
            : "!Type:Bank\nD30/02/2026\nT-1.00\nPA\n^\nD01/03/2026\nTabc\nPB\n^\nD02/03/2026\nT-2.00\nPC\n^\n"
        let statement = try read(text) { $0.dateOrder = .dmy }
        #expect(statement.bookings.map(\.payee) == ["C"])
        #expect(statement.refused.map(\.row) == (format == "csv" ? [2, 3] : [2, 6]))
        #expect(statement.refused.map(\.fault.code) == [.invalidDay, .invalidAmount])
    }

    @Test(
        "Amounts",
        arguments: [
            ("-1.234,56", "-1234.56"), ("1,234.56-", "-1234.56"), ("(12.34)", "-12.34"), ("12,34 €", "12.34"),
            ("1'234.50", "1234.50"), ("\u{2212}12,34", "-12.34"), ("1\u{A0}234,56", "1234.56"), ("12.34 DR", "-12.34"),
            ("-,99", "-0.99"), ("1234", "1234.00"),
        ])
    func amounts(text: String, decimal: String) throws {
        let statement = try read("Date\tPayee\tAmount\n2026-01-02\tA\t\(text)\n2026-01-03\tB\t-1\n")
        #expect(statement.bookings.first?.amount.decimal == decimal)
    }

    @Test("Encodings", arguments: TestEncoding.western)
    func encodings(encoding: StatementEncoding) throws {
        let payee =
            switch encoding {
            case .windows1250, .iso8859p2: "Żabka Świętokrzyska przesyłka"
            case .windows1251: "Продукты Заря"
            case .macRoman, .cp850: "Bäckerei Größe, Crédit à la forêt"
            default: "Café Été €"
            }
        let text = "Date;Payee;Amount\n01/02/2026;\(payee);-12,34\n"
        for given in [nil, encoding] {
            var options = StatementOptions()
            options.currency = .eur
            options.encoding = given
            let statement = try Statement.read(TestEncoding.bytes(text, encoding), options)
            #expect(statement.encoding == encoding)
            #expect(lines(statement) == ["2026-02-01 -12.34 EUR \(payee)"])
        }
    }

    @Test("A table without a header, and columns that the user names")
    func withoutHeader() throws {
        let text = "\"01/13/2026\",\"-12.34\",\"*\",\"\",\"NETFLIX\"\n\"01/14/2026\",\"-5.00\",\"*\",\"\",\"COFFEE\"\n"
        #expect(lines(try read(text)) == ["2026-01-13 -12.34 EUR NETFLIX", "2026-01-14 -5.00 EUR COFFEE"])
        let odd = "When;Who;Howmuch\n2026-01-13;Netflix;-12,34\n"
        let statement = try read(odd) { $0.mapping = ["when": .date, "Who": .payee, "3": .amount] }
        #expect(lines(statement) == ["2026-01-13 -12.34 EUR Netflix"])
        #expect(throws: Fault.self) { try read(odd) { $0.mapping = ["What": .amount] } }
    }

    @Test("A file without a currency is refused, and so is what is no statement")
    func refusedFiles() {
        #expect(throws: Fault.unknownStatementCurrencyOfTests) {
            try read("Date;Payee;Amount\n2026-01-13;A;-1,00\n", currency: nil)
        }
        for text in [
            "", "{\"a\": 1}", "<html><body>x</body></html>", "Date;Amount\n", "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>",
        ] {
            #expect(throws: Fault.self, "\(text)") { _ = try requireBookings(read(text)) }
        }
    }

    private func requireBookings(_ statement: Statement) throws -> Statement {
        guard !statement.bookings.isEmpty else { throw Fault("file", .required, "The file is empty.") }
        return statement
    }

    @Test("OFX 2 with entities, and a statement of a card without end tags")
    func ofx() throws {
        let xml = """
            <?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX><CREDITCARDMSGSRSV1><CURDEF>GBP</CURDEF><BANKTRANLIST>
            <STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20240229</DTPOSTED><TRNAMT>-12.34</TRNAMT>
            <NAME>MARKS &amp; SPENCER</NAME><MEMO>x</MEMO></STMTTRN></BANKTRANLIST></CREDITCARDMSGSRSV1></OFX>
            """
        #expect(lines(try read(xml, currency: nil)) == ["2024-02-29 -12.34 GBP MARKS & SPENCER"])
        let sgml = """
            OFXHEADER:100

            <OFX><CURDEF>EUR<STMTTRN><DTPOSTED>20240229<TRNAMT>-1,50<NAME>A<STMTTRN><DTPOSTED>x<TRNAMT>1</OFX>
            """
        let statement = try read(sgml, currency: nil)
        #expect(lines(statement) == ["2024-02-29 -1.50 EUR A"])
        #expect(statement.refused.map(\.row) == [2])
    }

    /// Each part is read once: with a copy of the parts before it, this took half a minute.
    @Test func aCollectiveEntryOfManyParts() throws {
        let part = """
            <TxDtls><Amt Ccy="EUR">1.00</Amt><RltdPties><Cdtr><Nm>Été &amp; Co</Nm></Cdtr></RltdPties>
            <RmtInf><Ustrd>Rechnung</Ustrd></RmtInf></TxDtls>
            """
        let count = 25_000
        let text = """
            <Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">\(count).00</Amt><CdtDbtInd>DBIT</CdtDbtInd>
            <Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls>\(String(repeating: part, count: count))
            </NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>
            """
        let found = lines(try read(text, currency: nil))
        #expect(found.count == count)
        #expect(found.last == "2026-11-20 -1.00 EUR Été & Co")
    }

    @Test("A collective entry of CAMT is split, a pending one is skipped, a truncated file is refused")
    func camt() throws {
        let entry = """
            <Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\
            <BookgDt><Dt>2026-03-29</Dt></BookgDt>
            <NtryDtls><TxDtls><Amt Ccy="EUR">10.00</Amt><RltdPties><Cdtr><Pty><Nm>A &quot;1&quot;</Nm></Pty></Cdtr>\
            </RltdPties></TxDtls>
            <TxDtls><Amt Ccy="EUR">20.00</Amt><RltdPties><Cdtr><Nm>B</Nm></Cdtr></RltdPties></TxDtls></NtryDtls></Ntry>
            <Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts></Ntry>
            """
        let whole = "<Document><ns2:BkToCstmrStmt xmlns:ns2='x'><Stmt>\(entry)</Stmt></ns2:BkToCstmrStmt></Document>"
        let statement = try read(whole, currency: nil)
        #expect(lines(statement) == ["2026-03-29 -10.00 EUR A \"1\"", "2026-03-29 -20.00 EUR B"])
        #expect(statement.notes.map(\.text) == ["Not booked, and left out: 1 with “PDNG” in column Sts."])
        #expect(throws: Fault.self) { try read(String(whole.dropLast(30))) }
    }

    @Test("Payees lose cards, dates, references and intermediaries, and keep their names")
    func payees() {
        let names = [
            "CARTE 12/03 NETFLIX.COM 4 CB*1234": "netflix", "PRLV SEPA LE MONDE MANDAT ABC REF 123": "le monde",
            "PAYPAL *SPOTIFY P1A2B3C4D": "spotify", "Folgelastschrift 1&1 Telecom GmbH": "1 1 telecom",
            "SumUp *Bäckerei Müller": "backerei muller", "CARTE DU 12/03/26 CANAL+": "canal plus",
        ]
        for (text, name) in names {
            let payee = PayeeName(text)
            #expect(payee.words.joined(separator: " ").hasPrefix(name), "\(text): \(payee.words)")
        }
        #expect(PayeeName("PRLV SEPA EDF").kind == .directDebit)
        #expect(PayeeName("RETRAIT DAB 12/03 LYON").kind == .cash)
    }
}

extension Fault {
    fileprivate static let unknownStatementCurrencyOfTests = Fault(
        "currency", .required, "The file names no currency. Use --currency EUR.")
}
