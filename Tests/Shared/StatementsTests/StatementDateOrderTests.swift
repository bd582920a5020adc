import SubGuardDomain
import SubGuardStatements
import Testing

/// `03/04/2026` is 3 April or 4 March: rows decide, and without their proof the language, currency and decimal mark.
@Suite struct StatementDateOrderTests {
    private func dates(
        _ rows: [String], header: String = "Date;Payee;Amount", currency: Currency = .eur,
        language: DisplayLanguage? = nil
    ) throws -> (days: [String], dates: StatementDateReading?) {
        var options = StatementOptions()
        options.currency = currency
        options.language = language
        let text = ([header] + rows).joined(separator: "\n") + "\n"
        let statement = try Statement.read(Array(text.utf8), options)
        #expect(statement.refused.isEmpty)
        return (statement.bookings.map(\.on.iso), statement.dates)
    }

    @Test("A day after the 12th anywhere decides, whatever is usual", arguments: DisplayLanguage.allCases)
    func dayAfterTheTwelfth(language: DisplayLanguage) throws {
        let rows = ["03/04/2026;A;-1,00", "03/02/2026;B;-1,00", "04/28/2026;C;-1,00"]
        let found = try dates(rows, language: language)
        #expect(found.days == ["2026-03-04", "2026-03-02", "2026-04-28"])
        #expect(found.dates == StatementDateReading(.mdy))
        // One in another column is as good.
        let other = try dates(
            ["03/04/2026;A;-1,00;03/15/2026", "03/02/2026;B;-1,00;04/28/2026"],
            header: "Date;Payee;Amount;Value date", language: language)
        #expect(other.dates == StatementDateReading(.mdy) && other.days == ["2026-03-04", "2026-03-02"])
    }

    @Test("Other dates of the row are near: another column, or the words")
    func otherDatesOfTheRow() throws {
        let columns = try dates(
            ["03.04.2026;A;1.50;2026-03-06", "05.02.2026;B;1.50;2026-05-04", "01.09.2026;C;1.50;2026-01-12"],
            header: "Date;Payee;Amount;Value date")
        #expect(columns.dates == StatementDateReading(.mdy) && columns.days[0] == "2026-03-04")
        let words = try dates(
            ["03/04/2026;CARD 02/04 SHOP;1.50", "05/02/2026;CARD 04/02 SHOP;1.50"], currency: .usd)
        #expect(words.dates == StatementDateReading(.dmy), "a card of 2 April, booked on the 3rd")
        // Instalments and a shop that is open day and night are no dates.
        let odd = try dates(["03/04/2026;LOAN 03/24;-1,50", "03/05/2026;GYM 24/7;-1,50"], language: .french)
        #expect(odd.dates == StatementDateReading(.dmy, isAssumed: true))
    }

    @Test("Rows that are sorted in one order only", arguments: [false, true])
    func sortedRows(isReversed: Bool) throws {
        var days = ["01/02/2026", "02/05/2026", "02/09/2026", "03/01/2026", "03/04/2026", "04/02/2026"]
        if isReversed { days.reverse() }
        let american = try dates(days.map { "\($0);A;-1,00" }, language: .french)
        #expect(american.dates == StatementDateReading(.mdy))
        // Swapped neighbours are no jumps.
        days.swapAt(1, 2)
        #expect(try dates(days.map { "\($0);A;-1,00" }).dates == StatementDateReading(.mdy))
        let european = days.map { $0.prefix(5).split(separator: "/").reversed().joined(separator: "/") + "/2026" }
        #expect(try dates(european.map { "\($0);A;$1.00" }, currency: .usd).dates == StatementDateReading(.dmy))
    }

    @Test("Without proof, the month comes first only where everything known is American")
    func assumed() throws {
        // Once a month, or on each day of a short month: both orders are possible, and one is not nearer than the
        // other.
        let rows = ["03/06/2026;Été;12", "03/07/2026;Été;12", "03/08/2026;Été;12"]
        let amount = { (mark: String) in rows.map { $0 + mark + "50" } }
        let order = { (mark: String, currency: Currency, language: DisplayLanguage?) in
            try dates(amount(mark), currency: currency, language: language).dates
        }
        #expect(try order(",", .eur, .french) == StatementDateReading(.dmy, isAssumed: true))
        #expect(try order(".", .eur, .english) == StatementDateReading(.dmy, isAssumed: true))
        #expect(try order(",", .usd, .english) == StatementDateReading(.dmy, isAssumed: true))
        #expect(try order(".", .usd, .french) == StatementDateReading(.dmy, isAssumed: true))
        #expect(try order(".", .usd, .english) == StatementDateReading(.mdy, isAssumed: true))
        #expect(try order(".", .usd, nil) == StatementDateReading(.mdy, isAssumed: true))
        // The file's own currency counts more than that of the user.
        #expect(try dates(rows.map { $0 + ".50 €" }, currency: .usd).dates?.order == .dmy)
        #expect(try dates(rows.map { $0 + ".50;USD" }, header: "Date;Payee;Amount;Currency").dates?.order == .mdy)
    }

    @Test("Dates that tell themselves need no order; what the user says is taken")
    func needless() throws {
        #expect(try dates(["2026-04-03;A;-1,00", "3 avril 2026;B;-1,00"]).dates == nil)
        let same = try dates(["03/03/2026;A;-1,00", "04/04/2026;B;-1,00"])
        #expect(same.dates == StatementDateReading(.dmy))
        var options = StatementOptions()
        options.currency = .eur
        options.dateOrder = .mdy
        let given = try Statement.read(Array("Date;Payee;Amount\n03/04/2026;A;-1,00\n".utf8), options)
        #expect(given.dates == StatementDateReading(.mdy) && given.bookings.map(\.on.iso) == ["2026-03-04"])
    }

    @Test("Years of two digits: rows follow each other", arguments: ["csv", "qif"])
    func shortYears(format: String) throws {
        let days = ["26/01/03", "26/01/04", "26/01/05"]
        let text =
            format == "csv"
            ? "Date;Payee;Amount\n" + days.map { "\($0);A;-1,00\n" }.joined()
            : "!Type:Bank\n" + days.map { "D\($0)\nT-1,00\nPA\n^\n" }.joined()
        var options = StatementOptions()
        options.currency = .eur
        let statement = try Statement.read(Array(text.utf8), options)
        #expect(statement.dates == StatementDateReading(.ymd))
        #expect(statement.bookings.map(\.on.iso) == ["2026-01-03", "2026-01-04", "2026-01-05"])
    }

    @Test("Eight digits with the year at the end", arguments: ["csv", "qif"])
    func eightDigits(format: String) throws {
        let read = { (days: [String], order: DateOrder?) in
            var options = StatementOptions()
            options.currency = .eur
            options.dateOrder = order
            let text =
                format == "csv"
                ? "Date;Payee;Amount\n" + days.map { "\($0);A;-1,00\n" }.joined()
                : "!Type:Bank\n" + days.map { "D\($0)\nT-1,00\nPA\n^\n" }.joined()
            return try Statement.read(Array(text.utf8), options)
        }
        let european = try read(["13012026", "05022026", "20102026"], nil)
        #expect(european.bookings.map(\.on.iso) == ["2026-01-13", "2026-02-05", "2026-10-20"])
        #expect(european.dates == StatementDateReading(.dmy))
        let american = try read(["01132026", "02052026"], nil)
        #expect(american.bookings.map(\.on.iso) == ["2026-01-13", "2026-02-05"])
        #expect(american.dates == StatementDateReading(.mdy))
        let days = ["01052026", "02052026", "03052026"]
        #expect(try read(days, .mdy).bookings.map(\.on.iso) == ["2026-01-05", "2026-02-05", "2026-03-05"])
        #expect(try read(days, .dmy).bookings.map(\.on.iso) == ["2026-05-01", "2026-05-02", "2026-05-03"])
        let years = try read(["20260113", "20260205"], .mdy)
        #expect(years.bookings.map(\.on.iso) == ["2026-01-13", "2026-02-05"] && years.dates == nil)
        let numbers = try read(["13012026", "13011826", "13132026", "00012026", "2026013"], nil)
        #expect(numbers.bookings.count == 1 && numbers.refusedCount == 4)
    }

    @Test("QIF says neither currency nor order: the user's decide")
    func qif() throws {
        let order = { (mark: String, currency: Currency, language: DisplayLanguage) in
            var options = StatementOptions()
            options.currency = currency
            options.language = language
            let text = "!Type:Bank\nD03/06/2026\nT-12\(mark)50\nPÉté\n^\nD03/07/2026\nT-12\(mark)50\nPÉté\n^\n"
            return try Statement.read(Array(text.utf8), options).dates
        }
        #expect(try order(",", .eur, .french) == StatementDateReading(.dmy, isAssumed: true))
        #expect(try order(".", .usd, .english) == StatementDateReading(.mdy, isAssumed: true))
        #expect(try order(".", .gbp, .english) == StatementDateReading(.dmy, isAssumed: true))
    }

    @Test("A row that cannot be read is shown with its column and what stands there")
    func refusedValues() throws {
        var options = StatementOptions()
        options.currency = .eur
        let long = String(repeating: "é", count: 200)
        let text = """
            Date;Payee;Montant
            31/02/2026;A;-1,00
            01/03/2026;B;<b>\u{202E}x
            02/03/2026;C;\(long)
            03/03/2026;D;-2,00

            """
        let refused = try Statement.read(Array(text.utf8), options).refused
        #expect(refused.map(\.row) == [2, 3, 4])
        #expect(refused.map(\.column) == ["Date", "Montant", "Montant"])
        #expect(refused.map(\.value) == ["31/02/2026", "<b>\u{FFFD}x", long.prefix(80) + "…"])
    }

    @Test("The first rows of a table without known columns are shown, with what can be told")
    func sample() throws {
        var options = StatementOptions()
        let text = "Extrait\nQuand;Quoi;Combien\n03/06/2026;Été;12\n03/07/2026;\u{7};13\n"
        let sample = try Statement.sample(Array(text.utf8), options)
        #expect(sample.rows.map(\.line) == [2, 3, 4])
        #expect(sample.rows[1].cells == ["03/06/2026", "Été", "12"] && sample.rows[2].cells[1] == "\u{FFFD}")
        #expect(sample.fields == [.date, .description, .ignore])
        options.currency = .eur
        #expect(throws: Fault.self) { try Statement.read(Array(text.utf8), options) }
        options.mapping = ["1": .date, "2": .payee, "3": .debit]
        let read = try Statement.read(Array(text.utf8), options)
        #expect(read.bookings.map(\.amount.decimal) == ["-12.00", "-13.00"])
        // A line above with as many fields is no header.
        let wide = try Statement.read(Array(text.replacing("Extrait\n", with: "Extrait;;\n").utf8), options)
        #expect(wide.layout?.headerLine == 2 && wide.bookings.count == 2 && wide.refused.isEmpty)
        for none in ["", "abc", "<OFX>", "!Type:Bank\nD1\n"] {
            #expect(throws: Fault.self) { try Statement.sample(Array(none.utf8)) }
        }
    }
}
