import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct PortabilityTests {
    @Test(
        arguments: [
            ("13.49", "13.49", nil), ("13,49", "13.49", nil), ("1 234,56 €", "1234.56", "EUR"),
            ("$15.99", "15.99", "USD"),
            ("1,234.56", "1234.56", nil), ("1.234,56", "1234.56", nil), ("1,234", "1.234", nil),
            ("€59,99", "59.99", "EUR"),
            ("CHF 1'200.50", "1200.50", "CHF"), ("EUR9", "9", "EUR"), ("1.234.567", "1234567", nil),
            ("0,5", "0.5", nil), ("-5 €", "-5", "EUR"), ("€-5", "-5", "EUR"), ("1\u{202F}234\u{A0}€", "1234", "EUR"),
        ] as [(String, String, String?)])
    func readsAmountsAsPeopleWriteThem(_ text: String, _ decimal: String, _ currency: String?) throws {
        let read = try #require(AmountText.read(text))
        #expect(read.decimal == decimal && read.currency?.code == currency)
    }

    @Test(arguments: [
        "", "abc", "1.2.3", "12kr?", "1,", ".", "12 EUR 34", "1,2.3", "1'2'3", "1 2", "1234,567.00", "12 34.5",
    ])
    func refusesWhatIsNoAmount(_ text: String) { #expect(AmountText.read(text) == nil) }

    @Test func refusesAmountsOfMoreThan64Bytes() {
        #expect(AmountText.read("9" + String(repeating: " ", count: 60) + "EUR")?.decimal == "9")
        #expect(AmountText.read("9" + String(repeating: " ", count: 61) + "EUR") == nil)
    }

    @Test(arguments: [
        ("£9.99", "EUR", false), ("9.99 USD", "CAD", false), ("$9.99", "CAD", true), ("$9.99", "MXN", true),
        ("9,99 €", "eur", true), ("9.99", "EUR", true),
    ])
    func theSignAndTheColumnMustAgree(_ amount: String, _ currency: String, _ isRead: Bool) throws {
        let draft: SubscriptionDraft = [.amount: amount, .currency: currency]
        let today = try #require(CalendarDay(iso: "2026-11-20"))
        let read = try? draft.normalised(currency: nil, today: today)
        #expect(read?[.currency] == (isRead ? currency.uppercased() : nil))
    }

    @Test(arguments: [
        "2026-12-01 banana", "2026-12-01T", "2026-12-01 1", "+1/12/2026", "1/12/+026", "1//2026", "/1/12/2026",
        "2026-12-01\u{301}",
    ])
    func refusesWhatIsNoDay(_ text: String) { #expect(DayText.iso(text) == nil) }

    @Test func marksBehindQuotationMarksHideNothing() throws {
        let entry = AccountingText.Entry(
            day: try #require(CalendarDay(iso: "2026-11-20")), payee: "a\"\u{301}b\\\u{301};\u{301}c", scope: .pro,
            category: .other,
            amount: Money(minorUnits: 1349, currency: .eur), reference: "x", isCleared: true)
        let beancount = Array(AccountingText(.beancount).text([entry]).unicodeScalars)
        let wanted = Array("a\\\"\u{301}b\\\\\u{301};\u{301}c".unicodeScalars)
        #expect(beancount.indices.contains { beancount[$0...].starts(with: wanted) })
        #expect(!AccountingText(.ledger).text([entry]).unicodeScalars.contains("|"))
        let ledger = Array(AccountingText(.ledger).text([entry]).split(separator: "\n")[0].unicodeScalars)
        #expect(!ledger.contains(";"))
    }

    @Test(arguments: [
        ("Mensuel", "monthly"), ("every 3 months", "every:3m"), ("Every 2 Weeks", "biweekly"),
        ("Trimestriel", "quarterly"),
        ("toutes les 2 semaines", "biweekly"), ("tous les 15 jours", "biweekly"), ("Annual", "yearly"),
        ("semi_annual", "semi_annual"),
        ("every:18m", "every:18m"), ("tous les mois", "monthly"), ("par an", "yearly"), ("/mois", "monthly"),
        ("/ year", "yearly"), ("annuelle", "yearly"), ("every month", "monthly"), ("chaque semaine", "weekly"),
        ("tous les six mois", "every:6m"), ("tous les 3 mois", "every:3m"), ("a month", "monthly"),
        ("par trimestre", "quarterly"), ("tous les deux ans", "every:2y"), ("PAR JOUR", "daily"),
        ("Every 2 Quarters", "every:6m"), ("tous les 2 trimestres", "every:6m"), ("every 3 semesters", "every:18m"),
    ])
    func readsCyclesAsPeopleNameThem(_ text: String, _ wire: String) { #expect(CycleText.wire(text) == wire) }

    @Test(arguments: [
        "toutes les -2 semaines", "every -3 months", "\u{2212}2 weeks", "every +2 weeks", "every 0 months", "-1 an",
    ])
    func refusesCyclesOfNoLength(_ text: String) { #expect(CycleText.wire(text) == nil) }

    /// Each of the payments is read by itself.
    @Test func refusesCyclesOfEndlessLength() {
        #expect(CycleText.wire("monthly" + String(repeating: " after payment", count: 100_000)) == nil)
    }

    @Test(arguments: [
        ("(Le) Monde", "() (Le) Monde"), ("*Star", "() *Star"), ("!Wow", "() !Wow"), (";x", ",x"),
        ("Gym (2)", "Gym (2)"),
    ])
    func aPayeeIsNoMarkOfALedger(_ name: String, _ written: String) throws {
        let entry = AccountingText.Entry(
            day: try #require(CalendarDay(iso: "2026-11-20")), payee: name, scope: .pro, category: .other,
            amount: Money(minorUnits: 1349, currency: .eur), reference: "x", isCleared: true)
        #expect(AccountingText(.ledger).text([entry]).hasPrefix("2026-11-20 * \(written)\n"))
    }

    @Test(arguments: ["bimensuel", "Bimensuelle", "twice a month"])
    func twiceAMonthIsNotEveryTwoWeeks(_ text: String) throws {
        #expect(CycleText.wire(text) == nil && CycleText.isTwiceAMonth(text))
        let draft: SubscriptionDraft = [
            .name: "x", .amount: "1", .currency: "EUR", .cycle: text, .nextBillingOn: "2026-12-01",
        ]
        #expect(throws: Fault.self) {
            try Subscription.make(
                draft, id: SubscriptionFixture.id, today: SubscriptionFixture.day("2026-11-20"),
                now: UTCInstant(secondsSinceEpoch: 0))
        }
    }

    @Test("A file that is no table is shown in one short line")
    func aBinaryHeader() throws {
        let header = (0..<1000).map { _ in "\u{1B}[31m\u{0}" + String(repeating: "x", count: 1000) }
        let fault = #expect(throws: Fault.self) { try ImportColumns(header: header) }
        let detail = try #require(fault?.detail)
        #expect(detail.count < 10_000 && !detail.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test func mapsColumns() throws {
        let columns = try ImportColumns(header: ["Service", "Montant", "Foo", "Prochaine échéance"])
        #expect(columns.fields == [.name, .amount, nil, .nextBillingOn])
        let mapped = try ImportColumns(header: ["A", "B"], mapping: ["a": .amount, "B": .name])
        #expect(mapped.fields == [.amount, .name])
        #expect(throws: Fault.self) { try ImportColumns(header: ["name", "nom", "amount"]) }
        #expect(throws: Fault.self) { try ImportColumns(header: ["name"]) }
        #expect(throws: Fault.self) { try ImportColumns(header: ["name", "amount"], mapping: ["zzz": .notes]) }
        let draft = try columns.draft(["'=x", "12,34", "y", "31/12/2026"])
            .normalised(currency: .eur, today: try SubscriptionFixture.day("2026-11-20"))
        #expect(draft == [.name: "=x", .amount: "12.34", .currency: "EUR", .nextBillingOn: "2026-12-31"])
    }

    @Test func calendarLinesAreFoldedToTheOctet() throws {
        var feed = CalendarFeed(name: "a;b,c\\d\ne")
        let long = String(repeating: "é🎉", count: 60)
        feed.add(
            CalendarFeed.Event(
                uid: "u@subguard", day: try SubscriptionFixture.day("2024-02-29"), summary: long),
            stamp: UTCInstant(startOf: try SubscriptionFixture.day("2026-11-20")))
        let lines = feed.text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\n") })
        #expect(lines.contains("X-WR-CALNAME:a\\;b\\,c\\\\d\\ne"))
        #expect(lines.contains("DTSTART;VALUE=DATE:20240229") && lines.contains("DTEND;VALUE=DATE:20240301"))
        #expect(lines.contains("DTSTAMP:20261120T000000Z"))
        #expect(feed.text.replacingOccurrences(of: "\r\n ", with: "").contains("SUMMARY:" + long))
    }

    @Test func accountingTextKeepsTheAmounts() throws {
        let entry = AccountingText.Entry(
            day: try SubscriptionFixture.day("2026-11-05"), payee: "A; \"b\"  c",
            scope: .personal, category: try SubscriptionCategory("échecs & dames"),
            amount: Money(minorUnits: 1234, currency: .eur), reference: "x:2026-11-05", isCleared: true)
        let ledger = AccountingText(.ledger).text([entry])
        #expect(ledger.contains("2026-11-05 * A, \"b\" c\n"))
        #expect(ledger.contains("Expenses:Subscriptions:Personal:Echecs-Dames  12.34 EUR\n"))
        let beancount = AccountingText(.beancount).text([entry])
        #expect(beancount.contains("2026-11-05 open Expenses:Subscriptions:Personal:Echecs-Dames\n"))
        #expect(beancount.contains("2026-11-05 * \"A; \\\"b\\\" c\" \"\"\n"))
    }

    @Test func foreignExportsBecomeDrafts() throws {
        let today = try SubscriptionFixture.day("2026-11-20")
        let wallos = try ForeignExport.wallos.draft(
            [
                "Name": "Adobe", "Payment Cycle": "Yearly", "Next Payment": "2026-06-01", "Price": "€59,99",
                "Active": "No",
                "Cancellation Date": "2026-05-20", "Category": "Productivity", "Notifications": "Disabled",
            ],
            keepsCategories: false, currency: nil, today: today)
        #expect(wallos[.amount] == "59.99" && wallos[.currency] == "EUR" && wallos[.cycle] == "yearly")
        #expect(wallos[.status] == "cancelled" && wallos[.details] == "Productivity" && wallos[.remind] == "")
        let subTrackr = try ForeignExport.subtrackr.draft(
            [
                "Name": "Gym", "Cost": "29.90", "Currency": "usd", "Schedule": "Weekly", "Schedule Interval": "2",
                "Status": "Paused",
                "Renewal Date": "2026-12-01", "Category": "Sport",
            ], keepsCategories: true, currency: nil, today: today)
        #expect(subTrackr[.cycle] == "every:2w" && subTrackr[.currency] == "USD" && subTrackr[.category] == "Sport")
        #expect(subTrackr[.status] == "paused")
        for schedule in ["Quarterly", "Daily", "Yearly"] {
            let draft = try ForeignExport.subtrackr.draft(
                [
                    "Name": "X", "Cost": "5", "Currency": "EUR", "Schedule": schedule,
                    "Schedule Interval": "\(Int.max)",
                ], keepsCategories: true, currency: nil, today: today)
            let cycle = try #require(draft[.cycle])
            #expect(BillingCycle(wire: cycle) == nil, "\(cycle)")
        }
        // Nothing is lost in silence, and nothing is invented.
        let full = [
            "Name": "X", "Price": "5 €", "Payment Cycle": "Monthly", "Paid By": "Zoé", "Notes": "n", "Auto Renew": "No",
        ]
        let taken = try ForeignExport.wallos.draft(full, keepsCategories: true, currency: nil, today: today)
        #expect(taken[.notes] == "n\nAuto Renew: No\nPaid By: Zoé")
        for (kind, row) in [
            (ForeignExport.wallos, ["Name": "X", "Price": "5 €"]),
            (.subtrackr, ["Name": "X", "Cost": "5", "Currency": "EUR", "Schedule": ""]),
        ] {
            #expect(throws: Fault("cycle", .required, "Is required.")) {
                try kind.draft(row, keepsCategories: true, currency: nil, today: today)
            }
        }
    }

    @Test func calendarTextHasNoControlCharacters() throws {
        var feed = CalendarFeed(name: "x")
        let day = try SubscriptionFixture.day("9999-12-31")
        feed.add(
            CalendarFeed.Event(uid: "u", day: day, summary: "a\u{0}b\u{7F}c\u{9B}d\te\r\nf\rg", category: "é,;\\"),
            stamp: UTCInstant(startOf: day))
        let lines = feed.text.components(separatedBy: "\r\n")
        #expect(lines.contains("SUMMARY:abcd\te\\nf\\ng") && lines.contains("CATEGORIES:é\\,\\;\\\\"))
        #expect(lines.first == "BEGIN:VCALENDAR" && lines.suffix(2) == ["END:VCALENDAR", ""])
        // A line of exactly 75 octets is not folded, one of 76 is.
        for (count, expected) in [(67, 1), (68, 2)] {
            var feed = CalendarFeed(name: "x")
            feed.add(
                CalendarFeed.Event(uid: "u", day: day, summary: String(repeating: "s", count: count)),
                stamp: UTCInstant(startOf: day))
            let folded = feed.text.components(separatedBy: "\r\n").filter { $0.contains("sss") || $0 == " s" }
            #expect(folded.count == expected, "\(folded)")
        }
    }
}
