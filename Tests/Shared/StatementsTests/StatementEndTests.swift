import SubGuardDomain
import SubGuardStatements
import Testing

/// What stands below the last dated row of a table: entries whose dates cannot be read, or totals.
@Suite struct StatementEndTests: StatementReading {
    private let table = "Date;Payee;Amount\n2026-07-05;Netflix;-13,49\n2026-08-05;Netflix;-13,49\n"

    @Test("An entry with an unreadable date is refused at the end of a table, too")
    func unreadableDates() throws {
        let statement = try read(table + "2026-31-09;Netflix;-13,49\n5/10;Netflix;-13,49\n?;Gym;-5,00\n")
        #expect(statement.bookings.count == 2)
        #expect(statement.refused.map { "\($0.row) \($0.value)" } == ["4 2026-31-09", "5 5/10", "6 ?"])
        #expect(statement.refused.allSatisfy { $0.fault.code == .invalidDay && $0.column == "Date" })
        let named = try read(table + "pending;Netflix;-13,49\nTotal;;-26,98\n")
        #expect(named.refused.isEmpty && named.notes.map(\.text) == ["Below the entries, and left out: pending."])
        let none = try read("Date;Payee;Amount\n5/9;Netflix;-13,49\n5/10;Netflix;-13,49\n")
        #expect(none.bookings.isEmpty && none.refused.map(\.row) == [2, 3])
    }

    @Test(
        "Totals, balances and sentences below a table are no entries",
        arguments: [
            "Total;;-26,98", "Solde au 30/09/2026;;1 234,56", "Endsaldo;Girokonto;1.234,56",
            "Total des débits;2 opérations;-26,98", "Closing balance;Main account;5,00", "Summe:;EUR;-26,98",
            ";Total;-26,98", ";;", "Celkem;2;-26,98", "Kontostand vom 30.09.2026;Girokonto;5,00",
            "Verfügbar;Girokonto;5,00", "Disponible;Compte;5,00", "Endbestand;Girokonto;1.234,56",
            "These entries;are of no legal value;since 2026, they say", "2026-31-09;;", "Date;Payee;Amount",
        ])
    func footers(line: String) throws {
        let statement = try read(table + line + "\n")
        #expect(statement.bookings.count == 2 && statement.refused.isEmpty)
    }
}
