import Foundation
import SubGuardDomain
import SubGuardEngine
import Synchronization
import TestKit
import Testing

@Suite struct ImportExportTests {
    private func run(
        _ text: String, _ format: ImportFormat, in fixture: EngineFixture,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportReport {
        var options = ImportOptions(format: format)
        change(&options)
        return try fixture.store.portability.importFile(Array(text.utf8), options, at: fixture.moment)
    }

    @Test func csvComesBackAsItWent() throws {
        let fixture = try EngineFixture()
        try fixture.add("=SUM(A1) \"x\"; 🎉", [.nextBillingOn: "2026-01-31", .notes: "l1\nl2", .category: "Jeux"])
        try fixture.add("b", [.currency: "JPY", .amount: "1200", .cycle: "every:18m", .status: "paused"])
        let text = try fixture.store.portability.export(.csv, at: fixture.moment)
        #expect(text.contains("'=SUM"))
        let other = try EngineFixture(seed: 9)
        #expect(try run(text, .csv, in: other).added.count == 2)
        let key = { (subscription: Subscription) in subscription.draft(today: fixture.moment.today) }
        #expect(try other.store.subscriptions.all().map(key) == fixture.store.subscriptions.all().map(key))
        #expect(try other.store.portability.export(.csv, at: other.moment) == text)
    }

    @Test("Dates that may have the month first are refused where others of their column have it first")
    func monthFirst() throws {
        let rows = { (day: String) in
            """
            name,amount,currency,cycle,next billing date
            A,1,EUR,yearly,\(day)
            B,2,EUR,yearly,01/02/2027
            C,3,EUR,yearly,2027-01-02
            D,4,EUR,yearly,05/05/2027

            """
        }
        let fixture = try EngineFixture()
        let report = try run(rows("12/31/2026"), .csv, in: fixture) { $0.skipsBadRows = true }
        #expect(report.added.count == 2 && report.refused.map(\.row) == [2, 3])
        #expect(Set(report.refused.map(\.fault.code)) == [.invalidDay])
        #expect(try run(rows("31/12/2026"), .csv, in: EngineFixture(seed: 9)).added.count == 4)
    }

    @Test func jsonKeepsPricesStatesAndHistory() throws {
        let fixture = try EngineFixture(isPremium: false)
        let id = try fixture.add()
        try fixture.store.subscriptions.setPrice(id, "15.99", from: fixture.day("2027-01-01"), at: fixture.moment)
        try fixture.store.ledger.confirm(fixture.occurrence(id, "2026-11-25"), at: fixture.moment)
        try fixture.go(to: "2027-01-10")
        let text = try fixture.store.portability.export(.json, at: fixture.moment)
        let other = try EngineFixture("2027-01-10", seed: 9)
        _ = try run(text, .json, in: other)
        #expect(try other.store.ledger.history(id, at: other.moment).map(\.status) == [.missed, .confirmed])
        #expect(try other.store.subscriptions.load(id).price(on: fixture.day("2026-12-31")).decimal == "13.49")
        // Importing the same file again updates entries and adds none.
        #expect(try run(text, .json, in: other).updated == [id])
        #expect(try other.store.subscriptions.list(at: other.moment).count == 1)
    }

    @Test("An export that says that nothing was charged adds no charges of the past, and comes back as it went")
    func nothingWasCharged() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("Gym", [.nextBillingOn: "2027-06-25"])
        try fixture.go(to: "2027-03-10")
        let text = try fixture.store.portability.export(.json, at: fixture.moment)
        let other = try EngineFixture("2027-03-10", seed: 9)
        #expect(try run(text, .json, in: other).added == [id])
        #expect(try other.store.ledger.history(id, at: other.moment).isEmpty)
        #expect(try other.store.portability.export(.json, at: other.moment) == text)
        // A file of another program says nothing of the past.
        let foreign = """
            [{"name": "Gym", "amount": "5", "currency": "EUR", "cycle": "monthly", "next_billing_on": "2027-03-25", \
            "started_on": "2027-01-25"}]
            """
        let added = try #require(try run(foreign, .json, in: other).added.first)
        #expect(try other.store.ledger.history(added, at: other.moment).count == 2)
    }

    private let french = [
        "\u{FEFF}Nom;Montant;Devise;Fréquence;Prochaine échéance;Catégorie",
        "Netflix;13,49;EUR;Mensuel;31/01/2027;Personnel",
        "\"Loyer; \"\"pro\"\"\";1 234,50 €;;Trimestriel;2027-01-05;Pro", "",
    ].joined(separator: "\r\n")

    @Test func readsAFrenchSpreadsheet() throws {
        let fixture = try EngineFixture()
        #expect(try run(french, .csv, in: fixture).added.count == 2)
        let list = try fixture.store.subscriptions.list(at: fixture.moment)
        #expect(list.map(\.name) == ["Loyer; \"pro\"", "Netflix"])
        #expect(list.map(\.amount.decimal) == ["1234.50", "13.49"])
        #expect(list.map(\.cycle.wire) == ["quarterly", "monthly"])
    }

    /// Another program that writes meanwhile does not keep it from that, and is not kept from writing.
    @Test func filesAreParsedBeforeTheDatabaseIsLocked() throws {
        let fixture = try EngineFixture()
        let other = try EngineFixture.open(fixture.folder.file("store.sqlite"), now: fixture.moment.now)
        let error = try other.write(at: fixture.moment) { _ in
            #expect(throws: DeviceStoreError.self) { _ = try run("{}", .wallos, in: fixture) }
        }
        #expect(error.map { "\($0)" } == "file: Not a JSON export of Wallos.")
    }

    @Test func badRowsRefuseTheFileAndAreNamed() throws {
        let fixture = try EngineFixture()
        let text = """
            name,amount,currency,cycle,next_billing_on
            ok,1,EUR,monthly,2027-01-01
            ,1,EUR,monthly,2027-01-01
            x,1.234,EUR,monthly,2027-01-01
            y,1,EUR,often,2027-01-01
            z,1,EUR,monthly,2027-02-30\n
            """
        let error = #expect(throws: DeviceStoreError.self) { try run(text, .csv, in: fixture) }
        guard case .refusedRows(let rows, _) = error else {
            Issue.record("not refused by rows")
            return
        }
        #expect(rows.map(\.row) == [3, 4, 5, 6])
        #expect(rows.map(\.fault.pointer) == ["name", "amount", "cycle", "next_billing_on"])
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).isEmpty)
        let report = try run(text, .csv, in: fixture) { $0.skipsBadRows = true }
        #expect(report.added.count == 1 && report.refused == rows)
    }

    @Test func allWrongFieldsOfARowAreNamed() throws {
        let fixture = try EngineFixture()
        let text = """
            name,amount,currency,cycle,next_billing_on
            ,abc,EUZ,often,2026-13-01
            é,0,EUR,monthly,2027-02-30
            ok,12.34,EUR,monthly,2028-02-29
            """
        let error = #expect(throws: DeviceStoreError.self) { try run(text, .csv, in: fixture) }
        guard case .refusedRows(let rows, _) = error else {
            Issue.record("not refused by rows")
            return
        }
        #expect(rows.map(\.row) == [2, 3])
        #expect(
            rows.map { Set($0.faults.map(\.pointer)) } == [
                ["name", "amount", "currency", "cycle", "next_billing_on"], ["amount", "next_billing_on"],
            ])
        #expect("\(DeviceStoreError.refusedRows(rows))".hasPrefix("2 rows cannot be imported"))
    }

    @Test func aDryRunKeepsNothing() throws {
        let fixture = try EngineFixture()
        let before = try fixture.backup()
        let report = try run(french, .csv, in: fixture) { $0.isDryRun = true }
        #expect(report.added.count == 2 && report.isDryRun)
        #expect(try fixture.backup() == before)
    }

    @Test func theFreeTierRefusesWhatWouldPassIt() throws {
        let fixture = try EngineFixture(isPremium: false)
        for number in 1...4 { try fixture.add("\(number)") }
        #expect(throws: DeviceStoreError.premiumRequired(.unlimitedSubscriptions)) {
            try run(french, .csv, in: fixture)
        }
        #expect(throws: DeviceStoreError.premiumRequired(.unlimitedSubscriptions)) {
            try run(french, .csv, in: fixture) { $0.skipsBadRows = true }
        }
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).count == 4)
        #expect(throws: DeviceStoreError.premiumRequired(.export)) {
            try fixture.store.portability.export(.csv, at: fixture.moment)
        }
        #expect(throws: DeviceStoreError.premiumRequired(.export)) {
            try fixture.store.portability.export(.ical, at: fixture.moment)
        }
        #expect(try fixture.store.portability.export(.json, at: fixture.moment).contains("subguard-export"))
    }

    @Test func cancellingKeepsNothing() throws {
        let fixture = try EngineFixture()
        let rows = (0..<500).map {
            """
            {"name":"n\($0)","amount":1,"currency":"EUR","cycle":"monthly","next_billing_on":"2027-01-01"}
            """
        }
        let bytes = Array("[\(rows.joined(separator: ","))]".utf8)
        var calls: [Int] = []
        #expect(throws: DeviceStoreError.cancelled) {
            try fixture.store.portability.importFile(bytes, ImportOptions(format: .json), at: fixture.moment) {
                done, _ in
                calls.append(done)
                return done < 300
            }
        }
        #expect(calls == [0, 100, 200, 300])
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).isEmpty)
    }

    @Test func aCancelledTaskKeepsNothing() async throws {
        let fixture = try EngineFixture()
        let (store, moment) = (fixture.store, fixture.moment)
        let rows = (0..<1000).map {
            """
            {"name":"n\($0)","amount":1,"currency":"EUR","cycle":"monthly","next_billing_on":"2027-01-01"}
            """
        }
        let bytes = Array("[\(rows.joined(separator: ","))]".utf8)
        let work = Mutex<Task<ImportReport, any Error>?>(nil)
        let begun = Task {
            try await store.portability.importInBackground(bytes, ImportOptions(format: .json), at: moment) { done, _ in
                // Called from inside, so that the operation is certainly running.
                if done == 200 { while work.withLock({ $0?.cancel() }) == nil {} }
            }
        }
        work.withLock { $0 = begun }
        await #expect(throws: DeviceStoreError.cancelled) { try await begun.value }
        #expect(try store.subscriptions.list(at: moment).isEmpty)
        let report = try await store.portability.importInBackground(bytes, ImportOptions(format: .json), at: moment)
        #expect(try report.added.count == 1000 && store.subscriptions.list(at: moment).count == 1000)
    }

    @Test func theCalendarHoldsTheComingChargesFor24Months() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add("Été, 🎉", [.nextBillingOn: "2026-01-31"])
        let text = try fixture.store.portability.export(.ical, at: fixture.moment)
        let uids = text.components(separatedBy: "\r\n").filter { $0.hasPrefix("UID:") }
        #expect(uids.count == 24 && Set(uids).count == 24)
        let last = fixture.moment.today.adding(months: 24)
        let days = try fixture.store.ledger.occurrences(from: fixture.moment.today, through: last, at: fixture.moment)
        for day in days { #expect(text.contains("DTSTART;VALUE=DATE:\(day.billingOn.iso.filter { $0 != "-" })\r\n")) }
        #expect(text.contains("UID:\(id.lowercased)-2027-02-28@subguard\r\n"))
        #expect(try fixture.store.portability.export(.ical, at: fixture.moment) == text)
    }

    @Test func nothingOfARefusedRowStays() throws {
        let fixture = try EngineFixture(isPremium: false)
        let row = { (name: String, history: String) in
            """
            {"name":"\(name)","amount":"13.49","currency":"EUR","cycle":"monthly","next_billing_on":"2026-10-25",\
            "history":[\(history)]}
            """
        }
        let bad = [
            "{\"billing_on\":\"2026-02-30\",\"status\":\"skipped\"}",
            "{\"billing_on\":\"2026-10-25\",\"status\":\"gone\"}",
            "{\"billing_on\":\"2026-10-25\",\"status\":\"late\",\"paid\":\"-1.00\"}",
            "{\"billing_on\":\"2026-10-25\",\"status\":\"late\",\"paid\":\"92000000000000000.00\"}",
        ]
        let rows = bad.enumerated().map { row("bad \($0)", $1) } + [row("good", "")]
        let report = try run("[\(rows.joined(separator: ","))]", .json, in: fixture) { $0.skipsBadRows = true }
        #expect(
            report.refused.map(\.row) == [1, 2, 3, 4] && report.refused.allSatisfy { $0.fault.pointer == "history" })
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).map(\.name) == ["good"])
        #expect(try fixture.store.totals.spending(at: fixture.moment).allSatisfy { $0.minorUnits > 0 })
    }

    @Test func jsonKeepsWhatWasPaid() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add()
        try fixture.store.ledger.recordPaid(fixture.occurrence(id, "2026-11-25"), amount: "12.34", at: fixture.moment)
        let text = try fixture.store.portability.export(.json, at: fixture.moment)
        let other = try EngineFixture(seed: 9)
        _ = try run(text, .json, in: other)
        #expect(try other.store.ledger.history(id, at: other.moment).map(\.paid?.decimal) == ["12.34"])
        #expect(try other.store.portability.export(.json, at: other.moment) == text)
        let newer = text.replacingOccurrences(of: "\"version\":1", with: "\"version\":99")
        #expect(newer != text)
        #expect(throws: DeviceStoreError.tooNew("the file")) { try run(newer, .json, in: other) }
    }

    /// A database with edge cases in each section.
    private func household() throws -> EngineFixture {
        let fixture = try EngineFixture()
        let (store, moment) = (fixture.store, fixture.moment)
        var people = ["Zoé \"Z\" 🎉", "Ada; O'Neil", "Parti"].map {
            Person(id: store.makeID(moment), name: $0, createdAt: moment.now)
        }
        people[0].avatar = .emoji("👩‍👩‍👧")
        people[0].email = "zoe@exemple.fr"
        people[1].avatar = .photo
        people[1].notes = "l1\nl2"
        for person in people { try store.sharing.save(person, at: moment) }
        let ids = people.map(\.id)
        var group = PersonGroup(
            id: store.makeID(moment), name: "Coloc'", memberIDs: ids.reversed(), createdAt: moment.now)
        group.emoji = "🏠"
        try store.sharing.save(group, at: moment)
        var expense = GroupExpense(
            id: store.makeID(moment), groupID: group.id, title: "Pain, \"bio\"",
            amount: Money(minorUnits: 1235, currency: .eur),
            payers: [
                PersonAmount(personID: ids[2], minorUnits: 1001), PersonAmount(personID: ids[0], minorUnits: 234),
            ],
            split: Split(kind: .percent, people: [ids[1], ids[2]], weights: [3333, 6667]),
            spentOn: try fixture.day("2024-02-29"), createdAt: moment.now)
        expense.category = "Épicerie"
        expense.isSettled = true
        expense.receiptPath = "r/1.jpg"
        try store.sharing.save(expense, at: moment)
        var transaction = Transaction(
            id: store.makeID(moment), title: "Prêt",
            amount: Money(minorUnits: 1200, currency: try #require(Currency(code: "JPY"))),
            kind: .income, bookedOn: moment.today, personID: ids[0], createdAt: moment.now)
        transaction.tags = ["a b", "été"]
        transaction.subtitle = "sub"
        transaction.isRecurring = true
        try store.transactions.save(transaction, at: moment)
        try store.budgets.set(category: nil, amount: "50.05", currency: "EUR", period: .year, at: moment)
        try store.budgets.set(category: "Jeux", amount: "9", currency: "USD", period: .month, at: moment)
        let bundle = try fixture.add("bouquet")
        let old = try fixture.add("vieux", [.bundledIn: bundle.lowercased])
        let new = try fixture.add("neuf")
        // In both directions, and to an entry later in the file.
        try store.subscriptions.edit(old, [.replacedBy: new.lowercased], at: moment)
        try store.subscriptions.edit(new, [.replacedBy: old.lowercased], at: moment)
        for (id, split) in [
            (bundle, Split(kind: .even, people: [ids[1], ids[0]])),
            (new, Split(kind: .exact, people: [ids[0]], weights: [500])),
            (old, Split(kind: .shares, people: [ids[0], ids[1]], weights: [1, 2])),
        ] {
            try store.sharing.setSplit(
                split, of: id, isAccepted: split.kind == .even, notes: "d'accord", at: moment)
        }
        // Less than the share of five euros.
        try store.subscriptions.edit(new, [.amount: "4"], at: moment)
        try store.sharing.deletePerson(ids[2], isForced: true, at: moment)
        return fixture
    }

    @Test func jsonKeepsEverySection() throws {
        let fixture = try household()
        let text = try fixture.store.portability.export(.json, at: fixture.moment)
        let other = try EngineFixture(seed: 9)
        let report = try run(text, .json, in: other)
        #expect(report.added.count == 3 && report.refused.isEmpty)
        #expect(
            report.others == [
                "people": 2, "former_people": 1, "groups": 1, "expenses": 1, "transactions": 1, "budgets": 2,
            ])
        #expect(try other.store.portability.export(.json, at: other.moment) == text)
        #expect(try other.store.sharing.people() == fixture.store.sharing.people())
        #expect(try other.store.sharing.groups() == fixture.store.sharing.groups())
        #expect(try other.store.sharing.expenses() == fixture.store.sharing.expenses())
        #expect(try other.store.transactions.list() == fixture.store.transactions.list())
        for subscription in try fixture.store.subscriptions.all() {
            #expect(
                try other.store.sharing.share(of: subscription.id) == fixture.store.sharing.share(of: subscription.id))
        }
        // Repeated: nothing is duplicated.
        #expect(try run(text, .json, in: other).updated.count == 3)
        #expect(try other.store.portability.export(.json, at: other.moment) == text)
    }

    @Test(arguments: [
        ("\"people\":[{\"email\":\"x\"}]", "people.name"),
        ("\"people\":[{\"name\":\"a\",\"email\":\"x\"}]", "people.email"),
        ("\"people\":[7]", "people.row"),
        ("\"groups\":[{\"name\":\"a\",\"members\":[\"x\"]}]", "groups.members"),
        ("\"groups\":[{\"name\":\"a\",\"members\":[\"01a1f866-0d00-760d-b139-6c6ff0b1b12c\"]}]", "groups.person"),
        ("\"expenses\":[{\"title\":\"a\"}]", "expenses.group_id"),
        ("\"transactions\":[{\"title\":\"a\",\"on\":\"2026-02-30\"}]", "transactions.on"),
        (
            "\"transactions\":[{\"title\":\"a\",\"on\":\"2026-02-28\",\"amount\":\"-1\",\"currency\":\"EUR\"}]",
            "transactions.amount"
        ),
        ("\"budgets\":[{\"limit\":\"1\",\"currency\":\"EUR\",\"period\":\"week\"}]", "budgets.period"),
        ("\"budgets\":[{\"limit\":\"12.345\",\"currency\":\"EUR\",\"period\":\"year\"}]", "budgets.limit"),
    ])
    func badRecordsRefuseTheFileAndAreNamed(_ section: String, _ field: String) throws {
        let fixture = try EngineFixture()
        let good = """
            {"name":"ok","amount":1,"currency":"EUR","cycle":"monthly","next_billing_on":"2027-01-01"}
            """
        let text = "{\"subscriptions\":[\(good)],\(section)}"
        let error = #expect(throws: DeviceStoreError.self) { try run(text, .json, in: fixture) }
        guard case .refusedRows(let rows, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(rows.map(\.fault.pointer) == [field])
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).isEmpty)
        let report = try run(text, .json, in: fixture) { $0.skipsBadRows = true }
        #expect(report.refused == rows && report.added.count == 1 && report.others.isEmpty)
    }

    @Test func unknownSectionsAreRefused() throws {
        let fixture = try EngineFixture()
        for text in [
            "{\"subscriptions\":[],\"wishes\":[]}", "{\"subscriptions\":[],\"settings\":{\"a\":1}}",
            "{\"subscriptions\":[],\"people\":{}}",
        ] {
            let error = #expect(throws: DeviceStoreError.self) { try run(text, .json, in: fixture) }
            guard case .invalid = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try run("{\"subscriptions\":[],\"made_by\":\"x\"}", .json, in: fixture).added.isEmpty)
    }

    @Test func aLinkThatLeadsNowhereLeavesNothingOfItsRow() throws {
        let fixture = try EngineFixture()
        let row = { (name: String, more: String) in
            """
            {"name":"\(name)","amount":"13.49","currency":"EUR","cycle":"monthly","next_billing_on":"2026-12-25"\(more)}
            """
        }
        let link = ",\"bundled_in\":\"01a1f866-0d00-760d-b139-6c6ff0b1b12c\""
        let text = "[\(row("a", "")),\(row("b", link)),\(row("c", ",\"website\":\"javascript:x\""))]"
        let report = try run(text, .json, in: fixture) { $0.skipsBadRows = true }
        #expect(report.refused.map(\.fault.pointer).sorted() == ["bundled_in", "website"] && report.added.count == 1)
        #expect(try fixture.store.subscriptions.list(at: fixture.moment).map(\.name) == ["a"])
        #expect(throws: DeviceStoreError.self) { try run(text, .json, in: fixture) }
    }

    /// A file may hold any number of them; they are placed at once.
    @Test func theLastOfADaysPricesStatesAndBudgetsHolds() throws {
        let fixture = try EngineFixture()
        let first = try fixture.day("2010-01-01")
        let prices = (0..<3000).map { #"{"from":"\#(first.adding(days: $0).iso)","amount":"5"}"# }
        let states = #"{"from":"2026-02-01","state":"paused"},{"from":"2026-02-01","state":"active"}"#
        let budget = #"{"category":"music","limit":"%","currency":"EUR","period":"month"}"#
        let text = """
            {"subscriptions":[{"name":"A","amount":"9","currency":"EUR","cycle":"monthly",\
            "next_billing_on":"2027-03-01",
            "prices":[\(prices.joined(separator: ",")),{"from":"2010-01-01","amount":"7"}],"states":[\(states)]}],
            "budgets":[\(budget.replacing("%", with: "5")),\(budget.replacing("%", with: "6"))]}
            """
        let report = try run(text, .json, in: fixture)
        #expect(report.refused.isEmpty && report.others["budgets"] == 1)
        let subscription = try #require(try fixture.store.subscriptions.all().first)
        #expect(subscription.prices.count == 3000 && subscription.price(on: first).minorUnits == 700)
        #expect(subscription.prices.map(\.from) == subscription.prices.map(\.from).sorted())
        #expect(subscription.stateHistory.isEmpty)
        #expect(try fixture.store.budgets.list(at: fixture.moment).map(\.budget.limit.minorUnits) == [600])
    }

    /// A row costs what its subscription or group holds, and a short file can describe many daily charges.
    @Test func aFileIsBounded() throws {
        let fixture = try EngineFixture()
        let id = "7f000000-0000-4000-8000-000000000007"
        let row = #"""
            {"id":"\#(id)","name":"A","amount":"9","currency":"EUR","cycle":"monthly","next_billing_on":"2027-03-01"}
            """#
        let group = #"{"id":"\#(id)","name":"G","members":[]}"#
        let text =
            "{\"subscriptions\":[\(row),\(row.replacing("\"A\"", with: "\"B\""))],\"groups\":[\(group),\(group)]}"
        let report = try run(text, .json, in: fixture) { $0.skipsBadRows = true }
        #expect(report.refused.count == 2 && report.refused.allSatisfy { $0.fault.code == FaultCode.duplicate })
        #expect(try fixture.store.subscriptions.all().map(\.name) == ["A"])
        let daily =
            "name,amount,currency,cycle,next_billing_on,started_on\n"
            + (0..<9).map { "D\($0),5,EUR,daily,2027-02-01,2010-01-01\n" }.joined()
        let other = try EngineFixture(seed: 9)
        #expect(ImportOptions(format: .csv).mostCharges == 200_000)
        let many = try run(daily, .csv, in: other) {
            $0.skipsBadRows = true
            $0.mostCharges = 20_000
        }
        #expect(many.added.count == 3 && many.refused.count == 6)
        #expect(many.refused.allSatisfy { $0.fault.pointer == "started_on" && $0.fault.code == FaultCode.outOfRange })
    }
}
