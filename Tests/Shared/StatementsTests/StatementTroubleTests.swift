import SubGuardDomain
import SubGuardStatements
import Testing

/// Tables that were read wrongly or silently as nothing.
@Suite struct StatementTroubleTests: StatementReading {
    @Test(
        "Any name of the text",
        arguments: [
            "Label", "Narration", "Wording", "Libellés", "Libellé court", "Détails du mouvement", "Opis", "Popis",
            "Tekst",
            "Selite", "Nom", "Truc", "摘要", "Περιγραφή", "Col4", "",
        ])
    func anyNameOfTheText(name: String) throws {
        let statement = try read(
            "Date;\(name);Amount;Devies\n01/02/2026;Netflix;-1,00;EUR\n02/02/2026;Gym;-2,00;EUR\n", currency: nil)
        #expect(lines(statement) == ["2026-02-01 -1.00 EUR Netflix", "2026-02-02 -2.00 EUR Gym"])
    }

    @Test("What cannot be told is refused with the header")
    func refusedColumns() throws {
        for (text, field) in [
            ("Date;Montant;Solde\n01/02/2026;-1,00;5,00\n02/02/2026;-2,00;3,00\n", "description"),
            ("Jour;Libellé;Code\n01/02/2026;Netflix;A\n02/02/2026;Gym;B\n", "amount"),
            ("Libellé;Montant\nNetflix;-1,00\nGym;-2,00\n", "date"),
        ] {
            let fault = #expect(throws: Fault.self) { try read(text) }
            #expect(fault?.pointer == field, "\(fault?.detail ?? "")")
            #expect(fault?.code == .required)
            #expect(fault?.detail.contains("Montant") == true || fault?.detail.contains("Libellé") == true)
            #expect(fault?.detail.contains("--map COLUMN=\(field)") == true)
        }
    }

    @Test(
        "A file without any entry is refused, whatever its format",
        arguments: [
            "Date;Payee;Amount\n", "Date;Payee;Amount\n01/02/2026;Netflix;0,00\n", "!Type:Bank\n",
            "!Type:Cat\nNFood\n^\n",
            "<OFX><CURDEF>EUR</OFX>", "<Document><BkToCstmrStmt></BkToCstmrStmt></Document>",
            ":20:1\n:25:1\n:60F:C260101EUR0,\n:62F:C260131EUR0,\n",
            "Date;Payee;Amount;Status\n01/02/2026;Netflix;-1,00;Pending\n02/02/2026;Gym;-1,00;Declined\n",
        ])
    func nothing(text: String) {
        #expect(throws: Fault.self) { try read(text) }
    }

    @Test("The holder's column hardly varies; of several payees, the first that is filled counts")
    func severalPayees() throws {
        let rows = (1...6).map { "\($0 + 10)/02/2026;Anna Example;\($0 % 2 == 0 ? "Netflix" : "Gym");-1,00" }
        let holder = try read((["Date;Name;Counterparty name;Amount"] + rows).joined(separator: "\n"))
        #expect(holder.bookings.map(\.payee) == ["Gym", "Netflix", "Gym", "Netflix", "Gym", "Netflix"])
        let filled = try read(
            """
            Date;Payee;Merchant;Amount
            2026-02-01;;Netflix;-1,00
            2026-02-02;Rent Ltd;;-2,00
            2026-02-03;Adyen;Le Monde;-3,00\n
            """
        )
        #expect(filled.bookings.map(\.payee) == ["Netflix", "Rent Ltd", "Le Monde"])
        let wise = try read(
            "Date,Description,Amount\n2026-02-01,Card transaction of 7.99 EUR issued by Netflix.com,-7.99\n")
        #expect(wise.bookings.map { PayeeName($0).display } == ["Netflix"])
    }

    @Test(
        "Signs are the same for telling columns and for reading them",
        arguments: ["-1,23", "\u{2212}1,23", "\u{2013}1,23", "(1,23)", "1,23-", "\u{FF0D}1,23"])
    func signs(amount: String) throws {
        let statement = try read("A;B;C;D\n01/02/2026;Netflix;501,23;\(amount)\n02/02/2026;Gym;500,00;\(amount)\n")
        #expect(lines(statement) == ["2026-02-01 -1.23 EUR Netflix", "2026-02-02 -1.23 EUR Gym"])
    }

    @Test(
        "Only booked entries count, in any language",
        arguments: [
            "Denied", "Abgelehnt", "Ausstehend", "En cours", "À venir", "Rejeté", "Storniert", "Geweigerd", "Rechazado",
            "Refused", "Expired", "On hold", "Pending", "In behandeling", "Oczekująca", "Venter", "In sospeso",
            "Vorgemerkt",
            "Umsatz vorgemerkt", "Non contabilizzato", "Nicht gebucht", "Odottaa", "Čeká", "Pendente",
        ])
    func states(word: String) throws {
        let statement = try read(
            "Date;Payee;Amount;Zustand\n2026-02-01;A;-1,00;Completed\n2026-02-02;B;-2,00;\(word)\n")
        #expect(statement.bookings.map(\.payee) == ["A"])
        #expect(
            statement.notes.map(\.text) == ["Not booked, and left out: 1 with “\(word)” in column Zustand."])
    }

    @Test("Unknown words of a status are named")
    func unknownStates() throws {
        let some = try read("Date;Payee;Amount;Status\n2026-02-01;A;-1,00;Booked\n2026-02-02;B;-2,00;Blub\n")
        #expect(some.bookings.map(\.payee) == ["A"])
        #expect(some.notes.first?.text.contains("“Blub” in column Status") == true)
        let all = try read("Date;Payee;Amount;Status\n2026-02-01;A;-1,00;Blub\n2026-02-02;B;-2,00;Blab\n")
        #expect(all.bookings.count == 2)
        #expect(all.notes.first?.text.contains("“Blab”, “Blub”") == true)
        let ignored = try read("Date;Payee;Amount;Status\n2026-02-01;A;-1,00;Booked\n2026-02-02;B;-2,00;Blub\n") {
            $0.mapping = ["Status": .ignore]
        }
        #expect(ignored.bookings.count == 2)
    }

    @Test("Quotation marks inside fields, guarded cells, thin spaces, a given separator")
    func quotes() throws {
        let statement = try read(
            "=\"0001234567\";01/01/2026;81\nDate;Libellé;Montant\n01/02/2026;CHEZ \"PAUL\" LYON;-1\u{2009}234,56\n"
                + "02/02/2026;\"5 SENS;-1,00\n03/02/2026;\"A \"\"B\"\"; C\nD\";-1\u{2008}000,00\n04/02/2026;"
                + "=\"0042 E\";-\u{2007}4,00\n"
        )
        #expect(
            lines(statement) == [
                "2026-02-01 -1234.56 EUR CHEZ \"PAUL\" LYON", "2026-02-02 -1.00 EUR \"5 SENS",
                "2026-02-03 -1000.00 EUR A \"B\"; C\nD", "2026-02-04 -4.00 EUR 0042 E",
            ])
        #expect(statement.refused.isEmpty)
        let given = try read("Date^Payee^Amount\n2026-02-01^A, B; C^-1.00\n") { $0.separator = "^" }
        #expect(given.bookings.map(\.payee) == ["A, B; C"])
        let above = "Solde;1,00\nPlafond;2,00\nReste;3,00\nDate;Libellé;Montant\n01/02/2026;A;-1,00\n"
        #expect(try read(above).layout?.separator == ";")
        #expect(try read("sep=#\nDate#Payee#Amount\n2026-02-01#A#-1.00\n").bookings.count == 1)
    }

    @Test("Rows without an amount are no payments, and do not refuse the file")
    func rowsWithoutAmount() throws {
        for rows in ["02/02/2026;B;0,00", "02/02/2026;B;", "02/02/2026;B;-", "02/02/2026;B;0"] {
            #expect(
                try read("Date;Payee;Amount\n01/02/2026;A;-1,00\n\(rows)\n03/02/2026;C;-2,00\n").bookings.count == 2)
        }
        let pair = try read(
            """
            Date;Libellé;Débit;Crédit
            01/02/2026;A;1,00;
            02/02/2026;INFO;;
            03/02/2026;B;0,00;0,00
            04/02/2026;C;;2,00\n
            """
        )
        #expect(pair.bookings.map(\.amount.decimal) == ["-1.00", "2.00"])
        #expect(pair.refused.isEmpty)
    }

    @Test("Lines of millions of cells are refused before they are read", arguments: [";", ";\"\"x"])
    func wideLines(cell: String) {
        let text = "Date;Payee;Amount\n" + String(repeating: cell, count: 1_000_000)
        let fault = #expect(throws: Fault.self) { try read(text) }
        #expect(fault?.code == .outOfRange)
    }

    @Test("Of columns for several currencies, the filled one counts")
    func severalCurrencies() throws {
        let text = "Date,Description 1,CAD$,USD$\n01/13/2026,A,-1.00,\n01/14/2026,B,,-2.00\n01/15/2026,C,,\n"
        let statement = try read(text, currency: nil)
        #expect(lines(statement) == ["2026-01-13 -1.00 CAD A", "2026-01-14 -2.00 USD B"])
        #expect(statement.notes.map(\.text) == ["Without an amount, and left out: 1."])
    }

    @Test(
        "The currency of a header, or of the lines above the table",
        arguments: [
            ("Date;Libellé;Montant en euros", "EUR"), ("Date;Libellé;Montant(EUROS)", "EUR"),
            ("Date;Libellé;Betrag in CHF", "CHF"), ("Compte : 00012345 EUR\n\nDate;Libellé;Montant", "EUR"),
            ("Solde;1 234,56 €;\n\nDate;Libellé;Montant", "EUR"), ("Date;Payee;Amount;Currency", "EUR"),
            ("Account currency;GBP\n\nDate;Payee;Amount", "GBP"),
        ])
    func currencies(header: String, code: String) throws {
        let text = "\(header)\n01/02/2026;A;-1,00;eur\n02/02/2026;B;-2,00;eur\n"
        #expect(try read(text, currency: nil).bookings.map(\.amount.currency.code) == [code, code])
        #expect(throws: Fault.self) {
            try read("ALL TRANSACTIONS;;\nEUR;USD;\n\nDate;Libellé;Montant\n01/02/2026;A;-1,00\n", currency: nil)
        }
    }

    @Test("Balances name rows that do not add up, and correct signs")
    func balances() throws {
        let rows = (1...9).map { "0\($0)/02/2026;Shop \($0);-10,00;\(1000 - $0 * 10),00" }
        #expect(try read((["Date;Payee;Amount;Saldo"] + rows).joined(separator: "\n")).notes.isEmpty)
        let gap = rows[..<4] + rows[5...]
        let notes = try read((["Date;Payee;Amount;Saldo"] + gap).joined(separator: "\n")).notes
        #expect(notes.map(\.text) == ["Row 6 does not add up: the balance does not follow from the amount."])
        // Three of five amounts are positive, and the balance falls by them.
        let signs = [10, 10, -50, 10, -20]
        var balance = 500
        let inverted = signs.enumerated().map { place, units in
            balance -= units
            return "0\(place + 1)/02/2026;Shop \(place);\(units),00;\(balance),00"
        }
        let corrected = try read((["Date;Payee;Amount;Saldo"] + inverted).joined(separator: "\n"))
        #expect(corrected.bookings.map { $0.amount.minorUnits / 100 } == [-10, -10, 50, -10, 20])
        #expect(corrected.layout?.chargesArePositive == true)
        #expect(corrected.notes.map(\.text) == ["The balances show that positive amounts are charges."])
    }

    @Test(
        "Fees on top are a part of the charge, unless the amounts or balances have them already",
        arguments: [
            // Revolut: the balance falls by both.
            ("Fee,Currency,Balance", ["0.50,EUR,89.50", "0.00,EUR,79.50", "-1.20,EUR,68.30"], "-10.50 -10.00 -11.20"),
            // Wise: the fee is in the amount.
            ("Fee,Currency,Balance", ["0.50,EUR,90.00", "0.00,EUR,80.00", "0.20,EUR,70.00"], "-10.00 -10.00 -10.00"),
            ("Frais,Currency", ["0.50,EUR", ",EUR", "0.20,EUR"], "-10.50 -10.00 -10.20"),
            ("Fee %,Currency", ["0.50,EUR", "0.00,EUR", "0.20,EUR"], "-10.00 -10.00 -10.00"),
            ("Fee,Currency", ["none,EUR", "none,EUR", "none,EUR"], "-10.00 -10.00 -10.00"),
        ])
    func fees(header: String, cells: [String], amounts: String) throws {
        let rows = cells.enumerated().map { "2026-02-0\($0 + 1),Shop,-10.00,\($1)" }
        let statement = try read((["Date,Payee,Amount,\(header)"] + rows).joined(separator: "\n"), currency: nil)
        #expect(
            lines(statement)
                == amounts.split(separator: " ").enumerated().map {
                    "2026-02-0\($0 + 1) \($1) EUR Shop"
                })
        #expect(statement.refused.isEmpty && statement.notes.isEmpty)
    }

    @Test("Fees: of credits they are taken off; net amounts have them; one that is unreadable is refused")
    func feesOfOthers() throws {
        let credit = try read("Date;Payee;Amount;Fee\n2026-02-01;A;100,00;2,90\n2026-02-02;B;-5,00;0,30\n")
        #expect(credit.bookings.map(\.amount.minorUnits) == [9710, -530])
        let net = try read("Date;Payee;Montant net;Frais\n2026-02-01;A;-5,00;0,30\n2026-02-02;B;-5,00;0,30\n")
        #expect(net.bookings.map(\.amount.minorUnits) == [-500, -500])
        let bad = try read(
            "Date;Payee;Amount;Fee\n2026-02-01;A;-5,00;0,30\n2026-02-02;B;-5,00;x\n2026-02-03;C;-5,00;1\n")
        #expect(bad.bookings.map(\.amount.minorUnits) == [-530, -600])
        #expect(bad.refused.map { "\($0.row) \($0.column) \($0.value)" } == ["3 Fee x"])
        let named = try read("Date;Payee;Amount;Extra\n2026-02-01;A;-5,00;0,30\n") { $0.mapping = ["Extra": .fee] }
        #expect(named.bookings.map(\.amount.minorUnits) == [-530])
    }

    @Test("QIF: transfers, lines that end in CR, unknown lists, a cut file")
    func qif() throws {
        let transfer = try read(
            "!Type:Bank\rD01/02/2026\rT-50.00\rPLivret\rL[Livret A]\r^\rD02/02/2026\rT-1.00\rPNetflix\r^\r")
        #expect(lines(transfer) == ["2026-02-01 -50.00 EUR Livret", "2026-02-02 -1.00 EUR Netflix"])
        #expect(PayeeName("Livret", note: transfer.bookings[0].note).kind == .transfer)
        let unknown = try read("!Type:Bank\nD01/02/2026\nT-1.00\nPA\n^\n!Type:Blub\nD02/02/2026\nT-1.00\n^\n")
        #expect(unknown.refused.map(\.value) == ["Blub"])
        let cut = try read("!Type:Bank\nD01/02/2026\nT-1.00\nPA\n^\nD02/02/2026\nT-13.4")
        #expect(cut.refused.map(\.row) == [6] && cut.bookings.count == 1)
        #expect(try read("!Type:Invst\nD1\n^\n!Type:Bank\nD01/02/2026\nT-1.00\nPA\n^\n").refused.isEmpty)
    }

    @Test("OFX that is nested too deeply or cut is refused")
    func ofx() {
        #expect(throws: Fault.self) { try read("<OFX>" + String(repeating: "<A>", count: 10_000)) }
        #expect(throws: Fault.self) {
            try read("<OFX><CURDEF>EUR<STMTTRN><DTPOSTED>20260201<TRNAMT>-1.00<NAME>A</STMTTRN><STMTTRN>")
        }
        let entry = "<STMTTRN><DTPOSTED>20260201<TRNAMT>-1.00<NAME>A</STMTTRN>"
        let account = "<STMTRS><CURDEF>EUR<BANKTRANLIST>\(entry)</BANKTRANLIST></STMTRS>"
        let cut = "<STMTTRN><DTPOSTED>20260301<NAME>A<TRNAMT>-1"
        for rest in [
            "<STMTRS><CURDEF>EUR<BANKTRANLIST>\(entry)\(cut)", "<STMTRS><CURDEF>EUR<BANKTRANLIST>\(entry)",
            "<STMTRS><CURDEF>EUR", "<BANKTRANLIST>\(cut)", cut, "<BANKTRANLIST>\(cut)</OFX>", "<STMTTRNRS>",
        ] {
            let fault = #expect(throws: Fault.self, "\(rest)") { try read("<OFX>\(account)\(rest)") }
            #expect(fault?.detail == "The file ends too early.")
        }
    }

    @Test("OFX of two accounts that is whole", arguments: ["", "</STMTRS>", "</STMTRS></OFX>"])
    func ofxOfTwoAccounts(end: String) throws {
        let entry = "<STMTTRN><DTPOSTED>20260201<TRNAMT>-1.00<NAME>A"
        let list = "<BANKTRANLIST>\(entry)</STMTTRN>\(entry)</STMTTRN></BANKTRANLIST>"
        let unended = "<BANKTRANLIST>\(entry)\(entry)</BANKTRANLIST>"
        for list in [list, unended] {
            let account = "<STMTRS><CURDEF>EUR\(list)"
            #expect(try read("<OFX>\(account)</STMTRS>\(account)\(end)").bookings.count == 4)
        }
        // The second account could not be read by the bank's own server.
        let answer = "<STMTTRNRS><STATUS><CODE>2000</STATUS></STMTTRNRS>"
        #expect(try read("<OFX><STMTRS><CURDEF>EUR\(list)</STMTRS>\(answer)").bookings.count == 2)
    }

    @Test("OFX with dates that end with the year")
    func ofxDates() throws {
        let text = "<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST><STMTTRN><DTPOSTED>03022026<TRNAMT>-1.00<NAME>A</OFX>"
        #expect(try read(text).refused.map(\.value) == ["03022026"])
        #expect(lines(try read(text.replacing("0302", with: "3101"))) == ["2026-01-31 -1.00 EUR A"])
        #expect(lines(try read(text) { $0.dateOrder = .mdy }) == ["2026-03-02 -1.00 EUR A"])
    }

    @Test("CAMT: parts of the other direction, merchants behind services, balances")
    func camt() throws {
        let text = """
            <Document><BkToCstmrStmt><Stmt>
            <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100.00</Amt>\
            <CdtDbtInd>CRDT</CdtDbtInd></Bal>
            <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">93.00</Amt>\
            <CdtDbtInd>CRDT</CdtDbtInd></Bal>
            <Ntry><Amt Ccy="EUR">7.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>\
            <BookgDt><Dt>2026-03-29Z</Dt></BookgDt>
            <NtryDtls><TxDtls><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RltdPties><Cdtr>\
            <Nm>Adyen</Nm></Cdtr>
            <UltmtCdtr><Nm>Netflix</Nm></UltmtCdtr></RltdPties></TxDtls>
            <TxDtls><Amt Ccy="EUR">3.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Nm>Gym</Nm></Dbtr>\
            </RltdPties></TxDtls>
            </NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>
            """
        let statement = try read(text, currency: nil)
        #expect(lines(statement) == ["2026-03-29 -10.00 EUR Netflix", "2026-03-29 3.00 EUR Gym"])
        #expect(statement.layout == nil)
        let wrong = try read(text.replacing("93.00", with: "92.00"), currency: nil)
        #expect(wrong.notes.first?.text.contains("do not add up") == true)
    }

    @Test("Names of months", arguments: ["en", "fr", "de", "nl", "es", "it"])
    func months(language: String) throws {
        let rows = (StatementShape.months[language] ?? []).map { "3 \($0) 2026;A;-1,00" }
        let statement = try read((["Date;Payee;Amount"] + rows).joined(separator: "\n"))
        #expect(statement.bookings.map { $0.on.components.month } == Array(1...12))
        for (text, day) in [
            ("5 de enero de 2026", "2026-01-05"), ("1er mars 2026", "2026-03-01"),
            ("den 24. Dezember 2026", "2026-12-24"),
        ] {
            #expect(try read("Date;Payee;Amount\n\(text);A;-1,00\n").bookings.map(\.on.iso) == [day])
        }
    }
}
