import SubGuardDomain
import SubGuardStatements
import Testing

/// Encodings that files state, that users give, and that contradict the file.
@Suite struct StatementEncodingTests {
    private func read(_ bytes: [UInt8], _ encoding: StatementEncoding? = nil) throws -> Statement {
        var options = StatementOptions()
        options.currency = .eur
        options.encoding = encoding
        return try Statement.read(bytes, options)
    }

    @Test("The encoding that XML and OFX state", arguments: [StatementEncoding.iso8859p2, .windows1250])
    func stated(encoding: StatementEncoding) throws {
        let xml = """
            <?xml version="1.0" encoding="\(encoding.rawValue)"?><Document><BkToCstmrStmt><Stmt><Ntry>\
            <Amt Ccy="PLN">1.00</Amt>
            <CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-29+02:00</Dt></BookgDt><NtryDtls><TxDtls>\
            <RltdPties>
            <Cdtr><Nm>śó</Nm></Cdtr></RltdPties></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>
            """
        let ofx = """
            OFXHEADER:100
            ENCODING:USASCII
            CHARSET:\(encoding == .windows1250 ? "1250" : "ISO-8859-2")

            <OFX><CURDEF>PLN<STMTTRN><DTPOSTED>20260329<TRNAMT>-1.00<NAME>śó</STMTTRN></OFX>
            """
        for text in [xml, ofx] {
            let statement = try read(TestEncoding.bytes(text, encoding))
            #expect(statement.bookings.map(\.payee) == ["śó"])
            #expect(statement.encoding == encoding)
        }
        // UTF-8 beyond doubt goes before what is stated.
        #expect(try read(Array(ofx.utf8)).bookings.map(\.payee) == ["śó"])
    }

    @Test("An encoding that the file contradicts is refused, with the one that fits")
    func contradicted() throws {
        let text = "Date;Payee;Amount\n01/02/2026;Café;-1,00\n"
        let cases: [([UInt8], StatementEncoding, String)] = [
            (Array(text.utf8), .windows1252, "utf-8"), (Array(text.utf8), .utf16, "utf-8"),
            (TestEncoding.bytes(text, .utf16), .utf8, "utf-16"), (TestEncoding.bytes(text, .utf16), .cp850, "utf-16"),
            (TestEncoding.bytes(text, .windows1252), .utf8, "windows-1252"),
            (TestEncoding.bytes(text, .macRoman), .iso8859p2, "macintosh"),
        ]
        for (bytes, given, fitting) in cases {
            let fault = #expect(throws: Fault.self) { try read(bytes, given) }
            #expect(fault?.pointer == "encoding")
            #expect(fault?.detail.contains(fitting) == true, "\(fault?.detail ?? "")")
        }
        let plain = Array("Date;Payee;Amount\n01/02/2026;Cafe;-1,00\n".utf8)
        for encoding in StatementEncoding.allCases where encoding != .utf16 {
            #expect(try read(plain, encoding).bookings.count == 1)
        }
        let unknown = Array("<?xml version='1.0' encoding='KOI8-R'?><Document>".utf8) + [0xC3]
        #expect(throws: Fault.self) { try read(unknown) }
    }

    @Test("The euro of ISO 8859-15, also in files that state ISO 8859-1")
    func euro() throws {
        let text = "Date;Libellé;Montant\n01/02/2026;Café;-12,34 €\n"
        let statement = try read(TestEncoding.bytes(text, .iso8859p15))
        #expect(statement.bookings.map(\.amount.currency) == [.eur])
        #expect(statement.encoding == .iso8859p15)
    }

    @Test("Names of encodings as people type them")
    func names() {
        let names: [(String, StatementEncoding?)] = [
            ("UTF8", .utf8), ("ISO-8859-1", .windows1252), ("latin1", .windows1252), ("cp1252", .windows1252),
            ("Latin-2", .iso8859p2), ("iso_8859-15", .iso8859p15), ("MacRoman", .macRoman), ("CP850", .cp850),
            ("ebcdic", nil), ("", nil),
        ]
        for (name, encoding) in names { #expect(StatementEncoding(name: name) == encoding) }
        for encoding in StatementEncoding.allCases { #expect(StatementEncoding(name: encoding.rawValue) == encoding) }
    }
}
