import SubGuardDomain
import SubGuardStatements
import TestKit
import Testing

/// MT940, workbooks and archives.
@Suite struct StatementFileTests {
    private func lines(_ statement: Statement) -> [String] {
        statement.bookings.map { "\($0.on) \($0.amount) \($0.payee)" }
    }

    // MARK: MT940

    @Test("MT940 of German, Dutch and other banks, with balances")
    func mt940() throws {
        let text = """
            {1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:
            :20:STARTUMSE
            :25:10010010/0123456789
            :28C:00000/001
            :60F:C251231EUR100,00
            :61:2601020101DR13,49NDDTNONREF//1234
            :86:105?00BASISLASTSCHRIFT?20EREF+123?21SVWZ+Rechnung?30BANKDEFF?31DE00?32NETFLIX INTERNATIO?33NAL B.V.
            :61:2601030103CR1000,NTRFNONREF
            :86:166?00GUTSCHRIFT?20LOHN?32EMPLOYER
            :61:260105D5,00N010NONREF
            :86:/TRTP/SEPA INCASSO/IBAN/NL00/NAME/BASIC FIT/REMI/Lidmaatschap
            :61:260106RD5,00NMSCNONREF
            :86:/EREF/1/CNTP/NL00BANK0123456789/BANKNL2U/GYM BV/CITY/REMI/USTD//back/
            :61:260107D9,99NMSC
            :86:CARD LE MONDE
            PARIS
            :62F:C260107EUR1076,52
            -}
            """
        let statement = try Statement.read(Array(text.utf8))
        #expect(statement.format == .mt940)
        #expect(
            lines(statement) == [
                "2026-01-01 -13.49 EUR NETFLIX INTERNATIONAL B.V.", "2026-01-03 1000.00 EUR EMPLOYER",
                "2026-01-05 -5.00 EUR BASIC FIT", "2026-01-06 5.00 EUR GYM BV",
                "2026-01-07 -9.99 EUR CARD LE MONDE PARIS",
            ])
        #expect(statement.layout == nil)
        let wrong = try Statement.read(Array(text.replacing("EUR1076,52", with: "EUR1,00").utf8))
        #expect(wrong.notes.count == 1)
        #expect(throws: Fault.self) { try Statement.read(Array(text.prefix(450).utf8)) }
    }

    @Test("The day of booking is near the value date, also across the new year")
    func mt940Years() throws {
        let text =
            ":20:1\n:25:1\n:60F:C251231EUR0,\n:61:2601011231D1,N\n:86:A\n:61:2512310102D1,N\n:86:B\n:62F:D260102EUR2,\n"
        #expect(try Statement.read(Array(text.utf8)).bookings.map(\.on.iso) == ["2025-12-31", "2026-01-02"])
        // Blank at some banks.
        let blank = text.replacing("2601011231D1,N", with: "260101    DD1,NMSC")
        #expect(try Statement.read(Array(blank.utf8)).bookings.map(\.on.iso) == ["2026-01-01", "2026-01-02"])
        let bad = try Statement.read(Array((text + ":20:2\n:25:1\n:60F:C1\n:61:2613011231D1,N\n:62F:D1\n").utf8))
        #expect(bad.refused.map(\.column) == [":61:"])
    }

    // MARK: Workbooks

    private func workbook(_ rows: [String], sheets: [String] = [], isFrom1904: Bool = false) -> [UInt8] {
        let sheet = { (rows: [String]) in
            "<worksheet><sheetData>" + rows.joined() + "</sheetData></worksheet>"
        }
        let names = (0...sheets.count).map { "<sheet name='S\($0)' sheetId='\($0 + 1)' r:id='rId\($0 + 1)'/>" }.joined()
        let relations = (0...sheets.count).map {
            "<Relationship Id='rId\($0 + 1)' Target='worksheets/page\($0 + 1).xml'/>"
        }.joined()
        var files: [(name: String, content: String)] = [
            ("[Content_Types].xml", "<Types/>"),
            (
                "xl/workbook.xml",
                "<workbook><workbookPr date1904='\(isFrom1904 ? 1 : 0)'/><sheets>\(names)</sheets></workbook>"
            ),
            ("xl/_rels/workbook.xml.rels", "<Relationships>\(relations)</Relationships>"),
            (
                "xl/sharedStrings.xml",
                """
                <sst><si><t>Date</t></si><si><r><t>Bénéfi</t></r><r><t>ciaire</t></r></si><si>\
                <t>Montant en euros</t></si></sst>
                """
            ),
            (
                "xl/styles.xml",
                """
                <styleSheet><numFmts><numFmt numFmtId='164' formatCode='dd/mm/yyyy;@'/>\
                <numFmt numFmtId='165' formatCode='0.00&quot; day&quot;'/></numFmts><cellStyleXfs><xf numFmtId='14'/>\
                </cellStyleXfs><cellXfs><xf numFmtId='0'/><xf numFmtId='164'/><xf numFmtId='165'/></cellXfs>\
                </styleSheet>
                """
            ),
        ]
        for (place, rows) in (sheets.map { [$0] } + [rows]).enumerated() {
            files.append(("xl/worksheets/page\(place + 1).xml", sheet(rows)))
        }
        return ZipSample.archive(files)
    }

    private static let header =
        "<row r='3'><c r='A3' t='s'><v>0</v></c><c r='C3' t='s'><v>1</v></c><c r='D3' t='s'><v>2</v></c></row>"

    @Test("A workbook: shared and own strings, serial dates, numbers, the first sheet that is a table")
    func xlsx() throws {
        let rows = [
            "<row r='1'><c r='A1' t='inlineStr'><is><t>Compte 123</t></is></c></row>", Self.header,
            """
            <row r='4'><c r='A4' s='1'><v>46054</v></c><c r='C4' t='str'><v>Café &amp; Co</v></c>\
            <c r='D4' s='2'><v>-13.490000000000002</v></c></row>
            """,
            """
            <row r='5'><c r='A5' s='1'><v>46055.75</v></c><c r='C5' t='inlineStr'><is><t>Gym</t></is></c>\
            <c r='D5'><v>-1.2E1</v></c></row>
            """,
            """
            <row r='6'><c r='A6' t='d'><v>2026-02-03T00:00:00</v></c><c r='C6' t='str'><v>Pay</v></c>\
            <c r='D6'><v>1000</v></c></row>
            """,
        ]
        let bytes = workbook(
            rows, sheets: ["<row r='1'><c r='A1' t='str'><v>Read me</v></c><c t='str'><v>x</v></c></row>"])
        let statement = try Statement.read(bytes)
        #expect(statement.format == .xlsx)
        #expect(
            lines(statement) == [
                "2026-02-01 -13.49 EUR Café & Co", "2026-02-02 -12.00 EUR Gym", "2026-02-03 1000.00 EUR Pay",
            ])
        #expect(statement.bookings.map(\.row) == [4, 5, 6])
        #expect(statement.layout?.columns.map(\.name) == ["Date", "", "Bénéficiaire", "Montant en euros"])
        let from1904 = workbook(
            [Self.header, rows[2].replacing("46054", with: "44592"), rows[3].replacing("46055.75", with: "44593")],
            isFrom1904: true)
        #expect(try Statement.read(from1904).bookings.map(\.on.iso) == ["2026-02-01", "2026-02-02"])
        #expect(try Statement.sample(bytes).rows.first?.cells == ["Date", "", "Bénéficiaire", "Montant en euros"])
    }

    /// A file of 1 kB kept an import busy for minutes.
    @Test("A sheet that is named a hundred times is read once", .timeLimit(.minutes(1)))
    func oneSheetManyTimes() {
        let row = "<row>" + String(repeating: "<c t='s'><v>0</v></c>", count: 8) + "</row>"
        let bytes = ZipSample.archive([
            ("xl/workbook.xml", "<workbook>" + String(repeating: "<sheet r:id='a'/>", count: 100) + "</workbook>"),
            ("xl/_rels/workbook.xml.rels", "<R><Relationship Id='a' Target='s.xml'/></R>"),
            ("xl/sharedStrings.xml", "<sst><si><t>\(String(repeating: "a ", count: 1_500))</t></si></sst>"),
            ("xl/s.xml", "<sheetData>" + String(repeating: row, count: 60) + "</sheetData>"),
        ])
        #expect(throws: Fault.self) { try Statement.read(bytes) }
    }

    @Test("A workbook without the sheet that it names is damaged, one without a filled cell is not")
    func missingSheet() {
        let missing = ZipSample.archive([
            ("xl/workbook.xml", "<workbook><sheets><sheet name='Relevé'/></sheets></workbook>")
        ])
        for (bytes, words) in [(missing, "xl/worksheets/sheet1.xml"), (workbook(["<row r='1'/>"]), "no filled cell")] {
            #expect { try Statement.read(bytes) } throws: { ($0 as? Fault)?.detail.contains(words) ?? false }
        }
    }

    @Test("Hostile workbooks and archives are refused")
    func hostile() {
        let inline = { (parts: String) in "<row r='4'><c r='A4' t='inlineStr'><is>\(parts)</is></c></row>" }
        let wide = workbook([Self.header, "<row r='4'><c r='XFD4'><v>1</v></c></row>"])
        let entities = ZipSample.archive([("xl/workbook.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><workbook/>")])
        let deep = ZipSample.archive([
            ("xl/workbook.xml", "<workbook><sheets><sheet/></sheets></workbook>"),
            ("xl/worksheets/sheet1.xml", String(repeating: "<row><c><v>", count: 50_000)),
        ])
        // One text of 1 MB, or of too many combining marks, in parts.
        let long = workbook([
            Self.header, inline(String(repeating: "<t>\(String(repeating: "a", count: 1000))</t>", count: 1000)),
        ])
        let marks = workbook([
            Self.header, inline(String(repeating: "<t>\(String(repeating: "\u{301}", count: 200))</t>", count: 2)),
        ])
        let damaged = Array(workbook([Self.header]).dropLast(30))
        var wrong = workbook([Self.header])
        wrong[60] ^= 0xFF
        let folders = ZipSample.archive([("a/", ""), ("b.exe", "x")])
        for bytes in [wide, entities, deep, long, marks, damaged, wrong, folders, Array("PK\u{3}\u{4}".utf8)] {
            #expect(throws: Fault.self) { try Statement.read(bytes) }
        }
        let many = ZipSample.archive((0..<5000).map { ("\($0).xml", "") })
        #expect(throws: Fault.self) { try Statement.read(many) }
    }

    /// Each level would have memory and bounds of its own.
    @Test("An archive within an archive is refused")
    func nestedArchives() {
        let nested = ZipSample.archive([("a.csv", "PK\u{3}\u{4}\u{14}\u{0}")])
        let fault = #expect(throws: Fault.self) { try Statement.read(nested) }
        #expect(fault?.detail == "The archive has another archive. Unpack it first.")
    }

    /// Each column of numbers would be compared with each other one.
    @Test("Tables have at most 256 columns", arguments: ["1.5", "\"a\nb\""])
    func wide(cell: String) {
        let row = (0..<257).map { _ in cell }.joined(separator: ";")
        let text = "Date;Label\n" + (1...9).map { "2026-02-0\($0);\(row)\n" }.joined()
        let fault = #expect(throws: Fault.self) { try Statement.read(Array(text.utf8)) }
        #expect(fault?.detail == "Must have at most 256 columns.")
    }

    /// Comparing a text sorts its runs of marks, in the square of their length; stepping back counts those of flags.
    @Test("Long runs of combining marks and of flags are refused")
    func marks() {
        let marks = String(repeating: "\u{301}", count: 200) + String(repeating: "\u{323}", count: 200)
        let coded = String(repeating: "&#x301;", count: 300)
        let entry = { (name: String) in
            "<?xml version='1.0'?><Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy='EUR'>1.00</Amt>"
                + "<CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-02-01</Dt></BookgDt>"
                + "<AddtlNtryInf>\(name)</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>"
        }
        let flags = String(repeating: "🇫🇷", count: 33)
        for text in [
            "Date;Payee;Amount EUR\n2026-02-01;A\(marks);-1,00\n", entry("A\(marks)"), entry("A\(coded)"),
            "Date;Payee;Amount EUR\n2026-02-01;A\(flags);-1,00\n", entry("A\(flags)"),
        ] {
            let fault = #expect(throws: Fault.self) { try Statement.read(Array(text.utf8)) }
            #expect(fault?.detail == "At most 255 combining marks on a letter and 32 flags in a row.")
        }
    }

    @Test("CAMT files of days in an archive are one statement")
    func zippedCAMT() throws {
        let day = { (number: Int) in
            """
            <Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy='EUR'>\(number).00</Amt><CdtDbtInd>DBIT</CdtDbtInd>\
            <Sts>BOOK</Sts><BookgDt><Dt>2026-02-0\(number)</Dt></BookgDt><AddtlNtryInf>Shop</AddtlNtryInf></Ntry>\
            </Stmt></BkToCstmrStmt></Document>
            """
        }
        let bytes = ZipSample.archive([("2.xml", day(2)), ("1.xml", day(1)), ("__MACOSX/._1.xml", "x")])
        #expect(lines(try Statement.read(bytes)) == ["2026-02-01 -1.00 EUR Shop", "2026-02-02 -2.00 EUR Shop"])
        #expect(try Statement.read(bytes).notes.isEmpty)
        let csv = ("a.csv", "Date;Payee;Montant EUR\n2026-02-01;A;-1,00\n")
        #expect(lines(try Statement.read(ZipSample.archive([csv]))) == ["2026-02-01 -1.00 EUR A"])
        // What is left out is named; a second file of a name would be left out, too.
        for first in [("1.xml", day(1)), csv] {
            let more = [("d/", ""), ("z.bin", ""), ("__MACOSX/x", "x"), ("c.zip", "x"), ("d/b.camt", day(2)), first]
            let others = try Statement.read(ZipSample.archive(more))
            #expect(others.notes == ["Other files of the archive were not read: c.zip, d/b.camt."])
            #expect(others.bookings.count == 1)
        }
        let twice = ZipSample.archive([("1.xml", day(1)), ("1.xml", day(2))])
        let fault = #expect(throws: Fault.self) { try Statement.read(twice) }
        #expect(fault?.detail == "The archive has several files with the name 1.xml.")
    }
}
