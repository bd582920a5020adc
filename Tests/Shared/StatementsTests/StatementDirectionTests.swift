import SubGuardDomain
import SubGuardStatements
import Testing

/// Amounts without signs, whose direction a word tells.
@Suite struct StatementDirectionTests: StatementReading {
    private static let days = (1...9).flatMap { month in (1...4).map { "2026-0\(month)-1\($0)" } }

    /// Three charges and a salary each month.
    private func table(
        _ name: String, _ debit: String, _ credit: String, _ change: (inout StatementOptions) -> Void = { _ in }
    ) throws -> Statement {
        let rows = Self.days.enumerated().map { place, day in
            let payee = ["SALARY", "NETFLIX", "SHOP \(place)", "SPOTIFY"][place % 4]
            return "\(day);\(payee);\(place % 4 == 0 ? "2500,00;\(credit)" : "1\(place % 4),99;\(debit)")"
        }
        return try read((["Date;Payee;Amount;\(name)"] + rows).joined(separator: "\n"), change)
    }

    private func credits(_ statement: Statement) -> Set<String> {
        Set(statement.bookings.filter { $0.amount.minorUnits > 0 }.map(\.payee))
    }

    @Test(
        "Words for the direction",
        arguments: [
            ("Deebet/Kreedit", "D", "K"), ("D/K", "D", "K"), ("Tips", "Debets", "Kredīts"), ("收/支", "支出", "收入"),
            ("Πρόσημο ποσού", "Χ", "Π"), ("Segno D/A", "D", "A"), ("Dare/Avere", "D", "A"),
            ("Type", "Expense", "Income"),
            ("Art", "Ausgabe", "Einnahme"), ("Sens", "Dépense", "Revenu"),
            ("Transaction Type", "Withdrawal", "Deposit"),
            ("Type", "Sent", "Received"), ("Type", "Paid", "Received"), ("Flow", "outflow", "inflow"),
            ("Tipo", "Gasto", "Ingreso"), ("CARGO/ABONO", "C", "A"), ("Terhelés/Jóváírás", "T", "J"),
            ("구분", "출금", "입금"), ("Тип", "Расход", "Приход"), ("Rodzaj", "Wydatek", "Wpływ"),
            ("Typ", "Výdaj", "Příjem"), ("Vrsta", "Isplata", "Uplata"), ("İşlem", "Borç", "Alacak"),
        ])
    func words(_ column: (name: String, debit: String, credit: String)) throws {
        let statement = try table(column.name, column.debit, column.credit)
        #expect(credits(statement) == ["SALARY"], "\(column)")
        #expect(statement.refused.isEmpty && statement.notes.isEmpty)
        #expect(statement.layout?.columns.last?.field == .direction)
    }

    @Test("Letters that mean a direction in a few banks are classes of anything without the name of the column")
    func letters() throws {
        let statement = try table("Class", "A", "C")
        #expect(statement.layout?.columns.last?.field != .direction)
    }

    @Test(
        "Unknown words that may be a direction are named, and two of them are enough once the column is mapped",
        arguments: ["Zeichen", "Sens", "Type"])
    func unknownWords(name: String) throws {
        let guessed = try table(name, "Hinweg", "Rückweg")
        #expect(credits(guessed).isEmpty)
        #expect(
            guessed.notes.map(\.text) == [
                "All amounts are taken for charges. If the words of column \(name) tell charges from credits "
                    + "(“Hinweg”, “Rückweg”), use --map \(name)=direction."
            ])
        let mapped = try table(name, "Hinweg", "Rückweg") { $0.mapping = [name: .direction] }
        #expect(credits(mapped) == ["SALARY"])
        #expect(
            mapped.notes.map(\.text) == [
                "In column \(name), “Hinweg” is taken for charges, “Rückweg” for credits."
            ])
        // A word that is known decides, however rare it is.
        let known = try table(name, "Hinweg", "Debit") { $0.mapping = [name: .direction] }
        #expect(credits(known).count == 11 && !credits(known).contains("SALARY"))
    }

    @Test("A column that splits no payees is no direction")
    func otherWords() throws {
        let rows = Self.days.enumerated().map { place, day in
            "\(day);\(["NETFLIX", "SHOP", "SPOTIFY"][place % 3]);1\(place % 3),99;\(place % 4 < 2 ? "Anna" : "Ben")"
        }
        let statement = try read((["Date;Payee;Amount;Holder"] + rows).joined(separator: "\n"))
        #expect(statement.notes.isEmpty && credits(statement).isEmpty)
    }

    @Test("Unknown words in a column of directions are refused, also in late rows", arguments: [0, 400])
    func unknownRows(count: Int) throws {
        let rows =
            (0..<count).map { "2026-01-\($0 % 19 + 10);SHOP \($0);5,10;\($0 % 9 == 0 ? "IN" : "OUT")" }
            + ["2026-02-15;A;13,49;OUT", "2026-03-15;B;13,49;Purchase", "2026-04-15;C;13,49;IN", "2026-05-15;D;1,00;"]
        let header = "Date;Description;Amount;Direction"
        let statement = try read(([header] + rows).joined(separator: "\n"))
        #expect(statement.refused.map { "\($0.row) \($0.column) \($0.value)" } == ["\(count + 3) Direction Purchase"])
        #expect(statement.refused.map(\.fault.code) == [.unknownValue])
        #expect(statement.bookings.suffix(3).map(\.amount.decimal) == ["-13.49", "13.49", "1.00"])
        let mapped = try read("Date;Description;Amount;X\n" + rows.joined(separator: "\n")) {
            $0.mapping = ["X": .direction]
        }
        #expect(mapped.refused.map(\.value) == ["Purchase"])
    }

    @Test("An own exchange goes in no direction", arguments: ["NEUTRAL", "不计收支", "/"])
    func neither(word: String) throws {
        let statement = try read(
            """
            ID;Status;Direction;Created on;Source fee amount;Source name;Source amount (after fees);Source currency;\
            Target name;Target amount (after fees);Target currency
            1;COMPLETED;OUT;2026-01-01 10:00:00;0.00;Anna;24.99;EUR;BASIC-FIT;24.99;EUR
            2;COMPLETED;\(word);2026-01-02 10:00:00;0.41;Anna;100.00;EUR;Anna;107.00;USD
            3;CANCELLED;OUT;2026-01-03 10:00:00;0.00;Anna;13.49;EUR;NETFLIX;13.49;EUR
            4;COMPLETED;IN;2026-01-04 10:00:00;0.00;SHOP;12.50;EUR;Anna;12.50;EUR
            5;COMPLETED;OUT;2026-01-05 10:00:00;0.00;Anna;13.49;EUR;NETFLIX;14.57;USD
            """, currency: nil)
        #expect(
            lines(statement) == [
                "2026-01-01 -24.99 EUR BASIC-FIT", "2026-01-04 12.50 EUR Anna", "2026-01-05 -13.49 EUR NETFLIX",
            ])
        #expect(
            statement.notes.map(\.text).sorted() == [
                "Left out: 1 with “\(word)” in column Direction, which neither pay nor receive money.",
                "Not booked, and left out: 1 with “CANCELLED” in column Status.",
            ])
    }

    // MARK: States

    @Test(
        "Payments that failed do not count",
        arguments: [
            ("Статус", "OK", "FAILED"), ("Zustand", "Ok", "Failed"), ("Durum", "Onaylandı", "Reddedildi"),
            ("交易状态", "交易成功", "交易关闭"), ("Стан", "Виконано", "Скасовано"),
            ("Результат", "Исполнен", "Отклонён"),
        ])
    func failures(_ column: (name: String, booked: String, open: String)) throws {
        let rows = (1...6).map { "2026-0\($0)-15;NETFLIX;-1\($0),99;\($0 % 3 == 0 ? column.open : column.booked)" }
        let statement = try read((["Date;Payee;Amount;\(column.name)"] + rows).joined(separator: "\n"))
        #expect(statement.bookings.count == 4)
        #expect(
            statement.notes.map(\.text)
                == ["Not booked, and left out: 2 with “\(column.open)” in column \(column.name)."])
    }

    @Test("A word for what failed is named where the others are unknown, and is enough once the column is mapped")
    func openStates() throws {
        let rows = (1...9).map { month in
            let (payee, state) = (month % 2 == 0 ? "NETFLIX" : "SPOTIFY", month % 4 == 0 ? "Failed" : "Fertig")
            return "2026-0\(month)-15;\(payee);-1\(month),99;\(state)"
        }
        let text = (["Date;Payee;Amount;Lage"] + rows).joined(separator: "\n")
        let all = try read(text)
        #expect(all.bookings.count == 9)
        #expect(
            all.notes.map(\.text) == [
                "Column Lage is not used, though “Failed” in it may mean an entry that was not booked. Use --map "
                    + "Lage=state to leave such entries out."
            ])
        let mapped = try read(text) { $0.mapping = ["Lage": .state] }
        #expect(mapped.bookings.count == 7)
        #expect(
            mapped.notes.map(\.text).sorted() == [
                "Not booked, and left out: 2 with “Failed” in column Lage.",
                "“Fertig” in column Lage is taken for booked.",
            ])
    }
}
