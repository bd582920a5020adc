import SubGuardDomain
import SubGuardStatements
import TestKit
import Testing

/// What a file leaves open is read so that no payment is lost, or noted.
@Suite struct StatementDoubtTests: StatementReading {
    // MARK: Marks

    private static let marked = ["NETFLIX", "\"5 SENS", "SPOTIFY", "RESTAURANT \"LE ZINC\"", "TV 55\"", "\"RAW\" BAR"]

    @Test(
        "A mark at the start of a name hides no further rows",
        arguments: [("Date;Libellé;Montant", ""), ("Date;Libellé;Montant;", ";"), ("Date;Libellé;Montant", ";")],
        ["\n", "\r\n", "\r"])
    func marks(_ table: (header: String, end: String), _ lineEnd: String) throws {
        let names = Self.marked + Self.marked
        let rows = names.enumerated().map { "\($0 + 10)/02/2026;\($1);-1\($0),00\(table.end)" }
        let statement = try read(([table.header] + rows).joined(separator: lineEnd) + lineEnd)
        #expect(statement.bookings.map(\.payee) == names)
        #expect(statement.refused.isEmpty && statement.notes.isEmpty)
    }

    @Test("Without a header, too")
    func marksWithoutHeader() throws {
        let rows = Self.marked.enumerated().map { "\($0 + 10)/02/2026;\($1);-1\($0),00" }
        #expect(try read(rows.joined(separator: "\n")).bookings.map(\.payee) == Self.marked)
    }

    @Test("A cell of several lines is read whole, and noted")
    func cellsOfLines() throws {
        let statement = try read(
            "Date;Libellé;Montant;Note\n01/02/2026;\"A\nB; C\";-1,00;x\n02/02/2026;D;-2,00;\"e\nf\ng\"\n"
                + "03/02/2026;G;-3,00;h\n")
        #expect(statement.bookings.map(\.amount.decimal) == ["-1.00", "-2.00", "-3.00"])
        #expect(statement.bookings.first?.payee.contains("A\nB; C") == true)
        let notes = statement.notes.map(\.text)
        #expect(
            notes.count == 1 && notes[0].hasPrefix("Rows with a cell of several lines: 1, the first one on line 2."))
    }

    @Test("A comment of several lines may have as many separators as the table")
    func comments() throws {
        let rows = (1...4).map { "2026-0\($0)-15,-13.49,\"NETFLIX\nref, 1, 2\nabo\"" }
        let statement = try read((["Date,Amount,Description"] + rows).joined(separator: "\n"))
        #expect(statement.bookings.count == 4 && statement.refusedCount == 0)
    }

    @Test(
        "Lines full of marks take linear time",
        arguments: [
            String(repeating: "\"a;", count: 200), "\"a;b;c\nd;e;f\n", "x;\"a;b\nc;d;e\n",
            "\"" + String(repeating: "a", count: 300) + ";b;c\n",
        ])
    func manyMarks(_ line: String) {
        let time = { (bytes: Int) in
            let lines = String(repeating: line, count: bytes / line.utf8.count)
            return leastProcessorSeconds(of: 1) {
                _ = try? read("Date;Libellé;Montant\n01/02/2026;A;-1,00\n" + lines)
            }
        }
        // Both are longer than the part by which the separator is told. What is made once is made by the short one.
        let short = time(72 << 10)
        #expect(time(216 << 10) < short * 6)
    }

    @Test("Balances that follow in some rows only are noted")
    func jumps() throws {
        var balance = 1000
        let rows = (1...20).map { number in
            balance -= number % 2 == 0 ? 10 : 35
            return "\(number + 10 > 28 ? number : number + 10)/0\(number % 9 + 1)/2026;Shop;-10,00;\(balance),00"
        }
        let notes = try read((["Date;Payee;Amount;Saldo"] + rows).joined(separator: "\n")).notes.map(\.text)
        #expect(notes.contains { $0.contains("does not follow from the amount in 9 of 19 rows") }, "\(notes)")
    }

    // MARK: Signs

    @Test(
        "Negative amounts that repeat are the charges of an account that mostly receives money",
        arguments: [
            ("NETFLIX.COM", "-13.49", false), ("STREAMING CREDIT", "-13.49", true), ("PAYMENT", "-2500.00", true),
            ("PAYMENT THANK YOU", "-35.00", true), ("LASTSCHRIFTEINZUG", "-50.00", true),
            ("PAIEMENT RECU MERCI", "-50.00", true),
        ])
    func signs(_ name: String, _ amount: String, _ arePositive: Bool) throws {
        let rows = (1...9).map { month in
            (1...5).map { "2026-0\(month)-0\($0);CLIENT \($0);\(month)00.00" }.joined(separator: "\n")
                + "\n2026-0\(month)-15;\(name);\(amount)"
        }
        let statement = try read((["Date;Payee;Amount"] + rows).joined(separator: "\n"))
        #expect(statement.layout?.chargesArePositive == arePositive)
        #expect(statement.notes.contains { $0.text.contains("--map Amount=debit") } != arePositive)
        let charged = statement.bookings.filter { $0.payee == name }.allSatisfy { $0.amount.minorUnits < 0 }
        #expect(charged != arePositive)
    }

    // MARK: Formats

    @Test(
        "OFX: CURRENCY is the currency of the amount, ORIGCURRENCY that it was converted from",
        arguments: [("CURRENCY", "USD", 1), ("ORIGCURRENCY", "EUR", 0)], [true, false])
    func ofx(_ element: (name: String, code: String, notes: Int), _ isXML: Bool) throws {
        let end = { (name: String) in isXML ? "</\(name)>" : "" }
        let text = """
            <OFX><STMTRS><CURDEF>EUR\(end("CURDEF"))<BANKTRANLIST><STMTTRN><DTPOSTED>20260215\(end("DTPOSTED"))\
            <TRNAMT>-10.00\(end("TRNAMT"))<NAME>A\(end("NAME"))<\(element.name)><CURRATE>0.9\(end("CURRATE"))\
            <CURSYM>USD\(end("CURSYM"))</\(element.name)></STMTTRN></BANKTRANLIST></STMTRS></OFX>
            """
        let statement = try read(text, currency: nil)
        #expect(lines(statement) == ["2026-02-15 -10.00 \(element.code) A"])
        #expect(statement.notes.count == element.notes)
    }

    private func camt(_ whole: String, _ parts: [String]) -> String {
        let details = parts.map {
            "<TxDtls><Amt Ccy=\"EUR\">\($0)</Amt><RltdPties><Cdtr><Nm>Netflix</Nm></Cdtr></RltdPties></TxDtls>"
        }
        return """
            <Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">\(whole)</Amt><CdtDbtInd>DBIT</CdtDbtInd>\
            <Sts>BOOK</Sts><BookgDt><Dt>2026-03-29</Dt></BookgDt><NtryDtls>\(details.joined())</NtryDtls>\
            <AddtlNtryInf>Collective</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>
            """
    }

    @Test("CAMT: a collective entry counts whole when its parts do not add up")
    func collectiveEntries() throws {
        let whole = try read(camt("300.00", ["13.49", "9.99"]), currency: nil)
        #expect(lines(whole) == ["2026-03-29 -300.00 EUR Collective"])
        #expect(
            whole.notes.map(\.text) == ["Entry 1: its parts do not add up to its amount, so it counts as one payment."])
        let parts = try read(camt("23.48", ["13.49", "9.99"]), currency: nil)
        #expect(parts.bookings.map(\.amount.decimal) == ["-13.49", "-9.99"] && parts.notes.isEmpty)
    }

    @Test(
        "A comment or a section divides no text",
        arguments: ["13<!-- x -->.49", "<![CDATA[13]]>.49", " 1<?x?>3.<![CDATA[49]]> ", "&#49;3.49"])
    func pieces(_ amount: String) throws {
        #expect(lines(try read(camt(amount, []), currency: nil)) == ["2026-03-29 -13.49 EUR Collective"])
    }

    @Test("XLSX: hidden sheets are not read, and further tables are named")
    func sheets() throws {
        let cells = { (texts: [String]) in
            "<row>" + texts.map { "<c t='str'><v>\($0)</v></c>" }.joined() + "</row>"
        }
        let table = { (name: String) in
            "<sheetData>" + cells(["Date", "Payee", "Amount"]) + cells(["2026-02-01", name, "-1.00"]) + "</sheetData>"
        }
        let states = ["hidden", "", "veryHidden", "", ""]
        let sheets = states.enumerated().map { "<sheet name='S\($0)' state='\($1)' r:id='r\($0)'/>" }.joined()
        let targets = states.indices.map { "<Relationship Id='r\($0)' Target='s\($0).xml'/>" }.joined()
        var files: [(name: String, content: String)] = [
            ("xl/workbook.xml", "<workbook><sheets>\(sheets)</sheets></workbook>"),
            ("xl/_rels/workbook.xml.rels", "<R>\(targets)</R>"),
        ]
        for place in states.indices {
            let content = place == 3 ? "<sheetData>" + cells(["Read me"]) + "</sheetData>" : table("P\(place)")
            files.append(("xl/s\(place).xml", content))
        }
        var options = StatementOptions()
        options.currency = .eur
        let statement = try Statement.read(ZipSample.archive(files), options)
        #expect(statement.bookings.map(\.payee) == ["P1"])
        #expect(statement.notes.map(\.text) == ["Other sheets of the workbook were not read: S4."])
    }
}
