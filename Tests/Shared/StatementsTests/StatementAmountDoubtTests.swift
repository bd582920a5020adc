import SubGuardDomain
import SubGuardStatements
import Testing

/// What a table leaves in doubt is proven, noted or refused; no amount is wrong without a word.
@Suite struct StatementAmountDoubtTests: StatementReading {
    private func table(_ header: String, _ cells: String..., currency: Currency? = .eur) throws -> Statement {
        let rows = cells.enumerated().map { "2026-0\($0 + 1)-15;Shop \($0);\($1)" }
        return try read(([header] + rows).joined(separator: "\n"), currency: currency)
    }

    private func amounts(_ statement: Statement) -> [String] { statement.bookings.map { "\($0.amount)" } }

    private func notes(_ statement: Statement) -> [String] { statement.notes.map(\.text) }

    // MARK: Decimal marks

    @Test(
        "Whole amounts with a mark between thousands",
        arguments: [
            ("COP", "-38.900", "-38900.00"), ("IDR", "-186.000", "-186000.00"), ("HUF", "-3.490", "-3490.00"),
            ("VND", "-260.000", "-260000"), ("CLP", "-10.000", "-10000"), ("EUR", "-1.200", "-1200.00"),
            ("USD", "-1,200", "-1200.00"),
        ])
    func thousands(code: String, text: String, decimal: String) throws {
        let statement = try table("Date;Payee;Amount;Currency", "\(text);\(code)", "-15;\(code)", "\(text);\(code)")
        #expect(statement.bookings.map(\.amount.decimal).first == decimal && statement.bookings.count == 3)
        let isCertain = code == "VND" || code == "CLP"
        #expect(
            notes(statement)
                == (isCertain ? [] : ["No amount shows the decimal mark: “\(text)” was read as \(decimal) \(code)."]))
        let qif = try read("!Type:Bank\nD2026-02-01\nT\(text)\nPA\n^\n", currency: Currency(code: code))
        #expect(qif.bookings.map(\.amount.decimal) == [decimal] && qif.notes.isEmpty == isCertain)
    }

    @Test("Balances, several groups, and amounts with decimals prove the mark")
    func provenMarks() throws {
        let header = "Date;Payee;Amount;Balance"
        let balances = try table(
            header, "-38.900;961.100,00", "-38.900;922.200,00", "-38.900;883.300,00", "-38.900;844.400,00")
        #expect(Set(amounts(balances)) == ["-38900.00 EUR"] && balances.notes.isEmpty)
        let mixed = try table(header, "-1.200;2.050", "-1.200;850", "-100;750", "-50;700", "-1.200;-500")
        #expect(amounts(mixed).prefix(2) == ["-1200.00 EUR", "-1200.00 EUR"] && mixed.notes.isEmpty)
        let groups = try table("Date;Payee;Amount", "-1.200.000", "-38.900")
        #expect(amounts(groups) == ["-1200000.00 EUR", "-38900.00 EUR"] && groups.notes.isEmpty)
        let long = try table("Date;Payee;Amount", "-1234.500", "-38.900")
        #expect(amounts(long) == ["-1234.50 EUR", "-38.90 EUR"] && long.notes.isEmpty)
    }

    /// SEB writes three decimals; pesos, rupiah and forints are used without any.
    @Test("Where all amounts have three digits behind the mark, the use of the currency decides")
    func threeDecimals() throws {
        for (code, decimal) in [("SEK", "-129.00"), ("EUR", "-129.00"), ("COP", "-129000.00"), ("HUF", "-129000.00")] {
            let statement = try table("Date;Payee;Amount", "-129.000", "-49.900", currency: Currency(code: code))
            #expect(statement.bookings.first?.amount.decimal == decimal && statement.notes.count == 1, "\(code)")
        }
    }

    @Test("The user's mark counts, without a note, also where all amounts would be refused")
    func givenMark() throws {
        for (mark, decimal) in [(DecimalMark.point, "-1.20"), (.comma, "-1200.00")] {
            var options = StatementOptions()
            (options.currency, options.decimalMark) = (.eur, mark)
            for text in ["Date;Payee;Amount\n2026-02-01;A;-1.200\n", "!Type:Bank\nD2026-02-01\nT-1.200\nPA\n^\n"] {
                let statement = try Statement.read([UInt8](text.utf8), options)
                #expect(amounts(statement) == ["\(decimal) EUR"])
                #expect(statement.notes.isEmpty && !statement.isDecimalMarkAssumed, "\(statement.notes)")
            }
        }
        var options = StatementOptions()
        options.currency = Currency(code: "KWD")
        let text = [UInt8]("Date;Payee;Amount\n2026-02-01;A;-12,345\n2026-02-02;B;-1,500\n".utf8)
        options.decimalMark = .comma
        #expect(try amounts(Statement.read(text, options)) == ["-12.345 KWD", "-1.500 KWD"])
        options.decimalMark = .point
        #expect(try amounts(Statement.read(text, options)) == ["-12345.000 KWD", "-1500.000 KWD"])
    }

    @Test("Marks that contradict each other are refused")
    func unclearMarks() throws {
        let both = try table("Date;Payee;Amount", "-1.200", "-3,400", "-15")
        #expect(amounts(both) == ["-15.00 EUR"] && both.refused.map(\.fault.code) == [.invalidAmount, .invalidAmount])
        let cents = try table("Date;Payee;Amount", "-3.50", "-1.500", "-4.20")
        #expect(amounts(cents) == ["-3.50 EUR", "-4.20 EUR"] && cents.refusedCount == 1)
        // Of the dinars of some rows, nothing tells whether they have three decimals.
        let dinars = try table("Date;Payee;Amount", "-12.500", "-7", "-8", currency: Currency(code: "KWD"))
        #expect(amounts(dinars) == ["-7.000 KWD", "-8.000 KWD"] && dinars.refusedCount == 1)
    }

    @Test(
        "The point of a sign is no decimal mark",
        arguments: [
            ("-Rs.500", "INR", "-500.00"), ("-Rs.1500", "INR", "-1500.00"), ("-kr.99", "DKK", "-99.00"),
            ("-Fr.120", "CHF", "-120.00"), ("-Rp.50", "IDR", "-50.00"), ("B/.-12", "PAB", "-12.00"),
            ("-99,50 kr.", "DKK", "-99.50"), ("-Rs.1,20,000.00", "INR", "-120000.00"), ("15.–", "CHF", "15.00"),
            ("-$.99", "USD", "-0.99"), ("-$12.34 USD", "USD", "-12.34"),
        ])
    func signs(text: String, code: String, decimal: String) throws {
        let statement = try table("Date;Payee;Amount", text, currency: Currency(code: code))
        #expect(statement.bookings.map(\.amount.decimal) == [decimal] && statement.notes.isEmpty)
    }

    @Test(
        "Digits that are no groups are refused",
        arguments: ["13 49", "13-49", "1'3'4'9", "Rs .50", "1 2345", "12 EUR 50", "1,00,00", "1.-50", "12.34 (1)"])
    func noAmounts(text: String) throws {
        let statement = try table("Date;Payee;Amount", text, "-1", currency: Currency(code: "INR"))
        #expect(statement.refused.map(\.value) == [text])
    }

    // MARK: Currencies

    @Test(
        "The currency of another amount is not that of the account",
        arguments: [
            "Montant;Montant d'origine;Devise d'origine", "Betrag;Originalbetrag;Originalwährung",
            "Importo;Importo originale;Divisa originale", "Valor;Valor de origem;Moeda de origem",
            "Importe;Importe origen;Divisa origen", "Bedrag;Oorspronkelijk bedrag;Oorspronkelijke munt",
            "Belopp;Utländskt belopp;Utländsk valuta", "Amount;Original amount;Original currency",
            "Amount;Foreign spend amount;Commission",
        ])
    func foreignColumns(header: String) throws {
        let statement = try table("Date;Payee;\(header)", "-12,34;-13,49;USD", "-1,00;-2,00;USD")
        #expect(amounts(statement) == ["-12.34 EUR", "-1.00 EUR"])
    }

    @Test(
        "A currency beside an amount that is not read is not used, with a note",
        arguments: [("Amount", "Transaction"), ("Amount", "Spent"), ("Billing amount", "Merchant")])
    func foreignCurrency(amount: String, other: String) throws {
        let header = "Date;Payee;\(amount);\(other) amount;\(other) currency"
        let statement = try table(header, "-12,34;-13,49;USD", "-1,00;-2,00;USD")
        #expect(amounts(statement) == ["-12.34 EUR", "-1.00 EUR"])
        #expect(
            notes(statement) == ["Column \(other) currency is taken for the currency of \(other) amount, and not used."]
        )
        let own = try table("Date;Payee;Amount;Account currency;Spent amount", "-1,00;CHF;-2,00", "-3,00;CHF;-4,00")
        #expect(amounts(own) == ["-1.00 CHF", "-3.00 CHF"])
    }

    @Test(
        "A currency that is the same in all rows is that of the account, whatever other amounts there are",
        arguments: [
            "Amount;Balance;Available balance;Transaction currency", "Importe;Saldo;Saldo disponible;Moneda operación",
            "Összeg;Új könyvelt egyenleg;Elérhető összeg;Devizanem",
            "Amount;Net amount;Gross amount;Transaction currency",
        ])
    func currencyOfTheAccount(header: String) throws {
        let statement = try table("Date;Payee;\(header)", "-13.49;100.00;90.00;CHF", "-1.00;99.00;89.00;CHF")
        #expect(amounts(statement) == ["-13.49 CHF", "-1.00 CHF"])
    }

    @Test("Codes that are words are currencies in a name in capitals", arguments: ["RON", "MAD"])
    func capitals(code: String) throws {
        #expect(try amounts(table("DATE;PAYEE;SUMA \(code)", "-13,49")) == ["-13.49 \(code)"])
    }

    @Test(
        "Words and names above the table are no currencies",
        arguments: [
            "Transaction Type;ALL", "Status: ALL", "Transactions (ALL)", "Account holder;RON", "Category;TOP 10",
            "Titulaire: M. JEAN BAM", "Titulaire du compte 123;BAM", "Filter: TRY",
        ])
    func wordsAbove(line: String) throws {
        let text = "\(line)\n\nDate;Payee;Amount\n2026-01-15;A;-13.49\n"
        let statement = try read(text)
        #expect(amounts(statement) == ["-13.49 EUR"] && statement.notes.isEmpty)
        #expect(throws: Fault.self) { try read(text, currency: nil) }
    }

    @Test(
        "A currency above the table that is named so",
        arguments: [
            ("Currency;RON", "RON"), ("Devise du compte : MAD", "MAD"), ("Konto 123;RON", "RON"),
            ("Saldo;1.234,56;ALL", "ALL"), ("Kontonummer;SEK", "SEK"), ("Mon compte;USD", "USD"),
        ])
    func currencyAbove(line: String, code: String) throws {
        let statement = try read("\(line)\n\nDate;Payee;Amount\n2026-01-15;A;-13.49\n")
        #expect(amounts(statement) == ["-13.49 \(code)"] && statement.notes.count == 1)
    }

    @Test(
        "Words at the end of a column's name are no currencies",
        arguments: ["Amount all", "Montant net cup", "Betrag top", "Suma ron", "AMOUNT ALL", "Value sos"])
    func wordsInNames(name: String) throws {
        #expect(amounts(try table("Date;Payee;\(name)", "-13.49", "-1.50")).first == "-13.49 EUR")
    }

    @Test("A code in a column's name counts, with a note where another one was given")
    func codesInNames() throws {
        for (name, code) in [("Suma RON", "RON"), ("Amount (ALL)", "ALL"), ("IMPORTE COP", "COP")] {
            let statement = try table("Date;Payee;\(name)", "-13.49")
            #expect(amounts(statement) == ["-13.49 \(code)"])
            #expect(notes(statement) == ["The header names \(code), which counts instead of EUR."])
        }
    }

    // MARK: Rows

    @Test("A fee in another currency is left out, with a note; an amount in another one than its column is refused")
    func otherCurrencies() throws {
        let fee = try table("Date;Payee;Amount;Currency;Fee", "-13.49;EUR;1.00 USD", "-2.00;EUR;0.50 €")
        #expect(amounts(fee) == ["-13.49 EUR", "-2.50 EUR"])
        #expect(notes(fee) == ["Fees in another currency than their amount, and left out: 1, such as “1.00 USD”."])
        let amount = try table("Date;Payee;Amount;Currency", "-13.49 USD;EUR", "-1.00 $;USD", "-2.00 CA$;$")
        #expect(amounts(amount) == ["-1.00 USD", "-2.00 CAD"])
        #expect(amount.refused.map { "\($0.column) \($0.value)" } == ["Amount -13.49 USD"])
    }

    @Test("Rows with an amount in both columns are refused; the rarer sign of a column is a reversal")
    func bothDirections() throws {
        let header = "Date;Payee;Debit;Credit"
        let both = try table(header, "20.00;5.00", "3.00;0.00", ";4.00")
        #expect(amounts(both) == ["-3.00 EUR", "4.00 EUR"] && both.refused.map(\.row) == [2])
        let reversal = try table(header, "13.49;", "-13.49;", "9.00;", ";100.00")
        #expect(amounts(reversal) == ["-13.49 EUR", "13.49 EUR", "-9.00 EUR", "100.00 EUR"])
        let negative = try table(header, "-13.49;", "-9.00;", "5.00;", ";100.00")
        #expect(amounts(negative) == ["-13.49 EUR", "-9.00 EUR", "5.00 EUR", "100.00 EUR"])
        #expect(amounts(try table("Date;Payee;Debit", "-13.49", "-9.00")) == ["-13.49 EUR", "-9.00 EUR"])
        let currencies = try table("Date;Payee;Amount USD;Amount EUR", "-15,49;-13,49", ";-1,00", "0,00;-2,00")
        #expect(amounts(currencies) == ["-1.00 EUR", "-2.00 EUR"] && currencies.refused.map(\.row) == [2])
    }

    @Test("A column of dates may be the last one and have no name")
    func unnamedDates() throws {
        let text = "Description,Amount,\nNETFLIX,-13.49,2026-01-15\nNote,x,pending\nSPOTIFY,-9.99,2026-01-16\n"
        #expect(try amounts(read(text)) == ["-13.49 EUR", "-9.99 EUR"])
    }

    @Test("A second table with another header is refused, one with the same header is read")
    func repeatedHeaders() throws {
        let first = "Date;Payee;Amount EUR;Balance\n2026-01-15;A;-1.00;9.00\n2026-01-16;B;-1.00;8.00\n"
        let same = try read(first + "date;payee;amount eur;balance;\n2026-02-15;C;-1.00;7.00\n")
        #expect(same.bookings.count == 3 && same.refused.isEmpty)
        for header in [
            "Date;Payee;Amount USD;Balance", "Date;Payee;Balance;Amount EUR", "Payee;Date;Amount EUR;Balance",
        ] {
            let other = try read(first + header + "\n2026-02-15;C;7.00;-1.00\n")
            #expect(other.bookings.map(\.payee) == ["A", "B"], "\(header)")
            #expect(other.refused.map(\.row) == [5] && other.refused.first?.fault.code == .invalidFormat)
        }
    }

    @Test("A pair of columns without names is noted when no balance proves it")
    func guessedPair() throws {
        let rows = (1...6).map { "2026-01-0\($0);Shop \($0);1\($0).00;" } + ["2026-01-09;Work;;99.00"]
        #expect(
            notes(try read(rows.joined(separator: "\n")))
                == ["No name tells the columns of amounts: 3 is taken for charges, 4 for credits."])
    }
}
