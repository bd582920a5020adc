import SubGuardDomain
import SubGuardStatements
import TestKit
import Testing

/// Entries that several statements of one account have count once.
@Suite struct StatementOverlapTests: StatementReading {
    /// - Parameter reference: begins the bank's reference of each entry; nil for none.
    private func part(
        _ days: ClosedRange<Int>, of account: String = "", as name: String = "Stmt", reference: String? = nil
    ) -> String {
        let entries = days.map { day in
            """
            <Ntry>\(reference.map { "<AcctSvcrRef>\($0)\(day)</AcctSvcrRef>" } ?? "")\
            <Amt Ccy="EUR">13.49</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt>\
            <Dt>2026-02-\(day + 10)</Dt></BookgDt><AddtlNtryInf>NETFLIX</AddtlNtryInf></Ntry>
            """
        }
        let owner = account.isEmpty ? "" : "<Acct><Id><IBAN>\(account)</IBAN></Id></Acct>"
        return "<\(name)>\(owner)\(entries.joined())</\(name)>"
    }

    private func file(_ parts: String...) -> String {
        let isReport = parts.contains { $0.hasPrefix("<Rpt>") }
        let kind = isReport ? "BkToCstmrAcctRpt" : "BkToCstmrStmt"
        return "<Document><\(kind)>\(parts.joined())</\(kind)></Document>"
    }

    private func days(_ files: String...) throws -> [Int] {
        let bytes = ZipSample.archive(files.enumerated().map { ("\($0).xml", $1) })
        return try Statement.read(bytes).bookings.map { $0.on.components.day - 10 }.sorted()
    }

    @Test("Files of an archive")
    func archives() throws {
        #expect(try days(file(part(1...8)), file(part(1...8))) == Array(1...8))
        #expect(try days(file(part(1...5)), file(part(4...8)), file(part(2...9))) == Array(1...9))
        #expect(try days(file(part(1...5, as: "Rpt")), file(part(1...8))) == Array(1...8))
        let twice = file(part(1...1).replacing("</Stmt>", with: "") + part(1...1).replacing("<Stmt>", with: ""))
        #expect(try days(file(part(1...1)), twice, twice) == [1, 1], "two of one day in one statement are two")
    }

    @Test("The bank's references tell equal entries of a day apart, and which are the same")
    func references() throws {
        let (first, second) = (part(1...2, as: "Rpt", reference: "A"), part(1...2, as: "Rpt", reference: "B"))
        #expect(try days(file(first), file(second)) == [1, 1, 2, 2])
        #expect(try days(file(first), file(first), file(second), file(second)) == [1, 1, 2, 2])
        let twice =
            part(1...1, reference: "A").replacing("</Stmt>", with: "")
            + part(1...1, reference: "B").replacing("<Stmt>", with: "")
        #expect(try days(file(first), file(twice)) == [1, 1, 2])
        #expect(try days(file(first), file(part(1...3))) == [1, 2, 3], "a statement without them")
        #expect(try days(file(part(1...3)), file(first)) == [1, 2, 3])
        let numberless = file(part(1...1, reference: "X").replacing("X1", with: "X"))
        #expect(try days(numberless, numberless) == [1])
        let two =
            numberless.replacing("</BkToCstmrStmt></Document>", with: "")
            .replacing("</Stmt>", with: "")
            + part(1...1, reference: "X").replacing("X1", with: "X")
            .replacing("<Stmt>", with: "") + "</BkToCstmrStmt></Document>"
        #expect(try days(numberless, two) == [1, 1], "a reference that the bank gives to all")
        let unnumbered = file(part(1...1).replacing("</Stmt>", with: "") + part(1...1).replacing("<Stmt>", with: ""))
        #expect(try days(unnumbered, file(first), file(part(1...1, as: "Rpt", reference: "B"))) == [1, 1, 2])
    }

    @Test("Statements of one account in one file; other accounts have their own entries")
    func statementsOfOneFile() throws {
        #expect(try days(file(part(1...3), part(2...4))) == Array(1...4))
        #expect(try days(file(part(1...3, of: "DE01"), part(2...4, of: "DE01"))) == Array(1...4))
        #expect(try days(file(part(1...1, of: "DE01"), part(1...1, of: "DE02"))) == [1, 1])
        let both = file(part(1...1, of: "DE01"), part(1...1, of: "DE02"))
        #expect(try days(both, both, file(part(1...2, of: "DE 02"))) == [1, 1, 2])
    }
}
