import SubGuardDomain
import SubGuardStatements
import Testing
import TextCoding

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
        let unknown = Array("<?xml version='1.0' encoding='EBCDIC-FR'?><Document>".utf8) + [0xC3]
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

    /// As Python's codecs write them: name, first payee, and the bytes of a file in hexadecimal digits.
    private static let filesOfOtherScripts: [(String, String, String)] = [
        (
            "shift-jis", "カード利用 ネットフリックス①",
            """
            93fa95742c93e097652c8be08a7a0a323032362d30322d30312c834a815b83689798977020836c836283678374838a836283\
            4e835887402c2d313439300a323032362d30322d30332c90558d9e208e5293632c2d333030300a
            """
        ),
        (
            "gb18030", "哔哩哔哩大会员",
            """
            bdbbd2d7cab1bce42cc9ccc6b7cbb5c3f72cbdf0b6ee0a323032362d30322d30312cdfd9c1a8dfd9c1a8b4f3bbe1d4b12c2d\
            32352e30300a323032362d30322d30332cbfa7b7c8b9dd2c2d31382e30300a
            """
        ),
        (
            "big5", "中華電信月租費",
            """
            a4e9b4c12cba4bad6e2caaf7c3420a323032362d30322d30312ca4a4b5d8b971ab48a4ebafb2b64f2c2d3439392e30300a32\
            3032362d30322d30332ca940b0d8c05d2c2d3132302e30300a
            """
        ),
        (
            "euc-kr", "왓챠 똠",
            """
            b3afc2a52cb3bbbfeb2cb1ddbed70a323032362d30322d30312cbfd3c3ad208c632c2d31323930300a323032362d30322d30\
            332cbcadc1a12c2d383030300a
            """
        ),
        (
            "windows-1253", "ΑΓΟΡΑ Κάρτα ΔΕΗ",
            """
            c7ece5f1efece7eddfe13bd0e5f1e9e3f1e1f6de3bd0eff3fc0a30312f30322f323032363bc1c3cfd1c120cadcf1f4e120c4\
            c5c73b2d31332c34390a30322f30322f323032363bd8f9ecdf3b2d322c30300a
            """
        ),
        (
            "windows-1254", "İĞDIR ŞEKER Çiçekçi ödemesi",
            """
            54617269683b41e7fd6b6c616d613b54757461720a30312e30322e323032363bddd044495220de454b455220c769e7656be7\
            6920f664656d6573693b2d31332c34390a30322e30322e323032363b416cfdfe76657269fe3b2d322c30300a
            """
        ),
        (
            "windows-1255", "עיתון הארץ",
            """
            fae0f8e9ea3bfae9e0e5f83bf1ebe5ed0a30312f30322f323032363bf2e9fae5ef20e4e0f8f53b2d31332c34390a30322f30\
            322f323032363beee0f4e9e9e43b2d322c30300a
            """
        ),
        (
            "windows-1256", "اشتراك شاهد",
            """
            c7e1cac7d1edce3bc7e1e6d5dd3bc7e1e3c8e1db0a30312f30322f323032363bc7d4cad1c7df20d4c7e5cf3b2d31332c3439\
            0a30322f30322f323032363be3cec8d23b2d322c30300a
            """
        ),
        (
            "koi8-r", "Кинопоиск подписка",
            """
            e4c1d4c13befd0c9d3c1cec9c53bf3d5cdcdc10a30312f30322f323032363bebc9cecfd0cfc9d3cb20d0cfc4d0c9d3cbc13b\
            2d31332c34390a30322f30322f323032363be8ccc5c23b2d322c30300a
            """
        ),
    ]

    @Test("Encodings of other scripts are recognised, and no other one", arguments: filesOfOtherScripts)
    func otherScripts(name: String, payee: String, digits: String) throws {
        let bytes = try #require(Hexadecimal.bytes(digits))
        let encoding = try #require(StatementEncoding(rawValue: name))
        for given in [nil, encoding] {
            let statement = try read(bytes, given)
            #expect(statement.encoding == encoding && statement.bookings.first?.payee == payee)
            #expect(statement.bookings.count == 2 && statement.refused.isEmpty)
        }
        let cut = Array(bytes.dropLast(bytes.count / 2)) + [0xFF, 0xFF]
        if ["shift-jis", "gb18030", "big5", "euc-kr"].contains(name) {
            #expect(throws: Fault.self) { try read(cut, encoding) }
        }
    }
}
