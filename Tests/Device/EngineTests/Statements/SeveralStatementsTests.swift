import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements
import Testing

/// Several statements at once, of one account or of several, that end on different days.
@Suite struct SeveralStatementsTests {
    private func csv(_ lines: [String], header: String = "Date;Payee;Amount;Currency") -> String {
        ([header] + lines).joined(separator: "\n") + "\n"
    }

    private func ofx(_ payee: String, _ days: [String], end: String) -> String {
        let entries = (days.map { ($0, payee) } + [(end, "LIDL")]).map { day, name in
            "<STMTTRN><DTPOSTED>\(day)<TRNAMT>-8.99<NAME>\(name)</STMTTRN>"
        }
        return "<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST>\(entries.joined())</BANKTRANLIST></STMTRS></OFX>"
    }

    private func lines(_ payee: String, day: String, _ months: ClosedRange<Int>, end: String) -> [String] {
        months.map { "2027-0\($0)-\(day);\(payee);-9,99;EUR" } + ["\(end);REWE \(end.suffix(2));-12,00;EUR"]
    }

    /// Whether the subscription of the first file has ended, by its name, after an import of the files in any order.
    private func isEnded(_ name: String, _ files: [String]) throws -> Bool {
        let results = try [files, files.reversed()].map { files in
            let fixture = try EngineFixture("2027-09-10")
            var options = StatementImportOptions()
            options.acceptance = .all
            let report = try fixture.store.statements.importFiles(
                files.enumerated().map { StatementFile(name: "\($0)", bytes: Array($1.utf8)) }, options,
                at: fixture.moment)
            let proposal = try #require(report.proposals.first { $0.name == name })
            let stored = try fixture.store.subscriptions.load(try #require(report.accepted[proposal.id]))
            let isEnded = stored.status(on: fixture.moment.today) == .cancelled
            #expect((proposal.endedOn != nil) == isEnded && (proposal.confidence == .sure) != isEnded)
            return isEnded
        }
        #expect(results[0] == results[1])
        return results[0]
    }

    @Test("A statement that reaches further ends no subscription of another account")
    func accounts() throws {
        let older = csv(lines("FILMTEMPEL", day: "18", 1...7, end: "2027-07-31"))
        let other = csv(lines("KLANGWERK", day: "09", 1...9, end: "2027-09-09"))
        #expect(try !isEnded("Filmtempel", [older]))
        #expect(try !isEnded("Filmtempel", [older, other]))
        // Of another format or with other columns, also where it begins when the first one has ended.
        let card = ofx("KLANGWERK", ["20270809", "20270909"], end: "20270910")
        #expect(try !isEnded("Filmtempel", [older, card]))
        let later = ["2027-08-09;KLANGWERK;-8,99;EUR", "2027-09-09;KLANGWERK;-8,99;EUR"]
        #expect(try !isEnded("Filmtempel", [older, csv(later, header: "Buchungstag;Name;Betrag;Währung")]))
    }

    @Test("The next statement of an account ends what it no longer has")
    func oneAccount() throws {
        let first = lines("FILMTEMPEL", day: "18", 1...6, end: "2027-06-30")
        let next = lines("KLANGWERK", day: "09", 7...9, end: "2027-09-10")
        #expect(try isEnded("Filmtempel", [csv(first + next)]))
        #expect(try isEnded("Filmtempel", [csv(first), csv(next)]))
        // With days in common, and their entries.
        let common = lines("METZGER", day: "25", 5...6, end: "2027-06-29")
        #expect(try isEnded("Filmtempel", [csv(first + common), csv(common + next + Array(first.suffix(3)))]))
    }

    @Test("A subscription that moved to another card runs on, and one of both ends with the later")
    func moved() throws {
        let older = csv(lines("FILMTEMPEL", day: "18", 1...3, end: "2027-07-31"))
        let card = ofx("FILMTEMPEL", ["20270418", "20270518", "20270618"], end: "20270910")
        #expect(try isEnded("Filmtempel", [older, card]))
        let running = ofx(
            "FILMTEMPEL", ["20270418", "20270518", "20270618", "20270718", "20270818"], end: "20270910")
        #expect(try !isEnded("Filmtempel", [older, running]))
    }
}
