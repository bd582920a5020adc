import SubGuardDomain
import SubGuardStatements
import Testing

/// Which sign charges have, where few amounts show it.
@Suite struct StatementSignTests: StatementReading {
    private func table(_ header: String, _ rows: (String) -> [String]) throws -> Statement {
        let rows = (1...9).flatMap { month in rows("2026-0\(month)") }
        return try read(([header] + rows).joined(separator: "\n"))
    }

    private func charged(_ statement: Statement) -> Set<String> {
        Set(statement.bookings.filter { $0.amount.minorUnits < 0 }.map(\.payee))
    }

    // MARK: Cards

    @Test(
        "What pays a card shows that the positive amounts are charges, however few they are",
        arguments: [
            "AUTOPAY PAYMENT - THANK YOU", "PAYMENT RECEIVED - THANK YOU", "Pagamento recebido",
            "PRELEVEMENT AUTOMATIQUE ENREGISTRE-MERCI", "IHRE ZAHLUNG, VIELEN DANK", "Betaling ontvangen",
        ], [1, 2, 3])
    func payments(text: String, subscriptions: Int) throws {
        let names = ["NETFLIX.COM", "SPOTIFY", "APPLE.COM/BILL"].prefix(subscriptions)
        let statement = try table("Date;Description;Amount") { month in
            names.enumerated().map { "\(month)-1\($0);\($1);1\($0),99" } + ["\(month)-25;\(text);-\(subscriptions)2,00"]
        }
        #expect(charged(statement) == Set(names))
        #expect(statement.layout?.chargesArePositive == true && statement.notes.isEmpty)
    }

    @Test("Payments that name no payee, and nearly pay the charges, are noted")
    func plainPayments() throws {
        let statement = try table("Date;Description;Type;Amount") { month in
            [
                "\(month)-05;NETFLIX;Purchase;13,49", "\(month)-12;SPOTIFY;Purchase;10,99",
                "\(month)-23;APPLE;Purchase;2,99", "\(month)-28;ACH DEPOSIT INTERNET TRANSFER;Payment;-27,47",
            ]
        }
        #expect(charged(statement) == ["NETFLIX", "SPOTIFY", "APPLE"])
        #expect(
            statement.notes.map(\.text) == [
                "Negative amounts such as “ACH DEPOSIT INTERNET TRANSFER” are taken for payments to a card, and "
                    + "positive ones for charges. Use --map Amount=credit if the negative ones are charges."
            ])
    }

    @Test("A refund by who was paid, and a reward, are no charges")
    func refunds() throws {
        let statement = try table("Date;Description;Amount") { month in
            ["\(month)-05;NETFLIX;13,49", "\(month)-09;SHOP;20,00", "\(month)-25;PAYMENT THANK YOU;-33,49"]
                + (month == "2026-04" ? ["\(month)-19;SHOP;-5,00", "\(month)-27;CASHBACK;-1,00"] : [])
        }
        #expect(charged(statement) == ["NETFLIX", "SHOP"])
    }

    @Test(
        "Accounts keep their signs",
        arguments: [
            // The account of a person, of who lets two flats, savings, and of a shop.
            ["ACME SALARY;2500,00", "NETFLIX;-13,49", "RENT;-850,00"],
            ["RENT MEYER;800,00", "RENT SCHULZ;700,00", "PAYMENT MORTGAGE 123;-1200,00"],
            ["STANDING ORDER;100,00", "INTEREST;1,20", "PAYMENT TO CHECKING;-90,00"],
            ["STANDING ORDER;100,00", "INTEREST;1,20", "GIFT;20,00", "TRANSFER;-100,00"],
            ["CLIENT A;90,00", "CLIENT B;80,00", "CLIENT C;70,00", "PAIEMENT CB NETFLIX;-13,49"],
            ["PAYROLL;1200,00", "PAYROLL;1200,00", "CHASE CREDIT CRD AUTOPAY;-500,00"],
            ["CLIENT A;90,00", "CLIENT B;80,00", "ZAHLUNG STADTWERKE;-60,00", "ZAHLUNG TELEKOM;-30,00"],
        ])
    func accounts(rows: [String]) throws {
        let statement = try table("Date;Description;Amount") { month in
            rows.enumerated().map { "\(month)-1\($0);\($1)" }
        }
        let negative = rows.map { $0.split(separator: ";") }.filter { $0[1].hasPrefix("-") }.map { String($0[0]) }
        #expect(charged(statement) == Set(negative) && statement.layout?.chargesArePositive == false)
    }

    @Test("Balances prove the signs, whatever the texts say; so does the user; few rows prove nothing")
    func proofs() throws {
        var balance = 500
        let proven = try table("Date;Description;Amount;Balance") { month in
            [("A", 20), ("B", 10), ("PAYMENT RECEIVED, THANK YOU", -30)].enumerated().map { place, row in
                balance += row.1
                return "\(month)-1\(place);\(row.0);\(row.1),00;\(balance),00"
            }
        }
        #expect(charged(proven) == ["PAYMENT RECEIVED, THANK YOU"])
        let rows = "A;1,00\n2026-01-02;A;1,00\n2026-01-03;PAYMENT THANK YOU;-2,00"
        #expect(try charged(read("Date;Description;Amount\n2026-01-01;" + rows)) == ["PAYMENT THANK YOU"])
        let many = (1...6).map { "2026-0\($0)-01;" + rows }.joined(separator: "\n")
        let given = try read("Date;Description;Amount\n" + many) { $0.mapping = ["Amount": .credit] }
        #expect(charged(given) == ["PAYMENT THANK YOU"])
    }

    // MARK: Columns

    @Test(
        "One column for both directions has amounts with signs",
        arguments: [
            "Credit/Debit Amount", "Débit/Crédit", "Soll/Haben", "Debe/Haber", "Entrate/Uscite", "Paid in/out",
        ])
    func bothDirections(name: String) throws {
        let statement = try table("Date;Text;\(name)") { month in
            ["\(month)-02;CLIENT;72,73", "\(month)-03;OTHER;20,00", "\(month)-05;NETFLIX;-13,49"]
        }
        #expect(charged(statement) == ["NETFLIX"])
        #expect(statement.layout?.columns.map(\.field) == [.date, .description, .amount])
    }

    @Test("Balances correct a column that is named after one direction", arguments: ["Debit", "Belastung", "Credit"])
    func correctedColumn(name: String) throws {
        var balance = 3000_00
        let isTurned = name != "Credit"
        let rows = { (month: String) in
            [("CLIENT", 72_73), ("OTHER", 150_00), ("NETFLIX", -13_49)].enumerated().map { place, row in
                balance += row.1
                let text = { (units: Int) in "\(units < 0 ? "-" : "")\(abs(units) / 100),\(abs(units) % 100 + 100)" }
                return "\(month)-1\(place);\(row.0);\(text(row.1).replacing(",1", with: ","));"
                    + text(balance).replacing(",1", with: ",")
            }
        }
        let statement = try table("Date;Text;\(name);Balance", rows)
        #expect(charged(statement) == ["NETFLIX"])
        #expect(
            statement.notes.map(\.text)
                == (isTurned ? ["The balances show that negative amounts are charges."] : []))
    }

    @Test("The debt of a card grows by what is charged")
    func debts() throws {
        var balance = 0
        let statement = try table("Date;Text;Debit;Balance") { month in
            [("NETFLIX", 13), ("SPOTIFY", 11), ("SHOP", 30), ("PAYMENT", -54)].enumerated().map { place, row in
                balance += row.1
                return "\(month)-1\(place);\(row.0);\(row.1),00;\(balance),00"
            }
        }
        #expect(charged(statement) == ["NETFLIX", "SPOTIFY", "SHOP"])
    }

    @Test(
        "Zero in the other column is as good as nothing, also where credits are rare",
        arguments: ["Outflow;Inflow", "Abflüsse;Zuflüsse", "Hin;Her"])
    func zeros(names: String) throws {
        let statement = try table("Date;Payee;\(names)") { month in
            (1...5).map { "\(month)-0\($0);SHOP \($0);1\($0).00€;0.00€" }
                + (month == "2026-03" ? ["\(month)-09;SHOP 1;0.00€;4.00€"] : [])
        }
        #expect(statement.bookings.count == 46)
        #expect(statement.bookings.filter { $0.amount.minorUnits > 0 }.map(\.amount.decimal) == ["4.00"])
    }
}
