import Foundation
import Locking
import SQLDatabase
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// Another program changes people, groups, expenses and payments while a form of the app waits for it.
@Suite struct TogetherAtOnceTests {
    private let app: AppFixture
    private let other: DeviceStore
    private let zoe: Person
    private let group: PersonGroup
    private let expense: GroupExpense
    private let payment: Transaction

    init() throws {
        app = try AppFixture()
        other = try DeviceStore(path: app.folder.file("store.sqlite"), now: app.moment.now)
        let (store, moment) = (app.store, app.moment)
        try store.sharing.makeMe(named: "Me", at: moment)
        zoe = Person(id: store.makeID(moment), name: "Zoé", createdAt: moment.now)
        try store.sharing.save(zoe, at: moment)
        group = PersonGroup(
            id: store.makeID(moment), name: "Trip", memberIDs: [Person.me, zoe.id], createdAt: moment.now)
        try store.sharing.save(group, at: moment)
        let amount = Money(minorUnits: 1000, currency: .eur)
        expense = GroupExpense(
            id: store.makeID(moment), groupID: group.id, title: "Train", amount: amount,
            payers: [PersonAmount(personID: Person.me, minorUnits: 1000)],
            split: Split(kind: .even, people: group.memberIDs), spentOn: moment.today, createdAt: moment.now)
        try store.sharing.save(expense, at: moment)
        payment = Transaction(
            id: store.makeID(moment), title: "Loan", amount: amount, kind: .expense, bookedOn: moment.today,
            personID: nil, createdAt: moment.now)
        try store.transactions.save(payment, at: moment)
    }

    /// Sends forms while the other program is within a change, which it ends once they have arrived.
    private func during(
        _ change: (() throws -> Void) throws -> Void, post forms: [(place: String, fields: [(String, String)])]
    ) throws -> [RawResponse] {
        let (responses, sent) = (Guarded<[Result<RawResponse, any Error>]>([]), DispatchGroup())
        try change {
            for form in forms {
                sent.enter()
                DispatchQueue.global().async { [app] in
                    let response = Result { try app.post(form.place, form.fields) }
                    responses.withLock { $0.append(response) }
                    sent.leave()
                }
            }
            Thread.sleep(forTimeInterval: 0.4)
        }
        sent.wait()
        return try responses.withLock { try $0.map { try $0.get() } }
    }

    /// The edit form of a page, with other values.
    private func edit(_ place: String, _ changes: [(String, String)]) throws -> (String, [(String, String)]) {
        let page = try app.get(place).text
        return (place + "/edit", PageForm.changed(try PageForm.fields(page, "edit"), changes))
    }

    @Test("What one program writes in a field stays when a form changes another field of the same thing")
    func bothChangesStay() throws {
        let moment = app.moment
        let person = try edit("/together/people/\(zoe.id.lowercased)", [("phone", "0123")])
        #expect(
            try during(
                { wait in
                    try other.sharing.changePerson(zoe.id, at: moment) {
                        try wait()
                        $0.email = "zoe@example.org"
                    }
                }, post: [person]
            ).map(\.status) == [303])
        let stored = try app.store.sharing.person(zoe.id)
        #expect(stored.email == "zoe@example.org" && stored.phone == "0123")

        let grouped = try edit("/together/groups/\(group.id.lowercased)", [("details", "by train")])
        #expect(
            try during(
                { wait in
                    try other.sharing.changeGroup(group.id, at: moment) {
                        try wait()
                        $0.name = "Journey"
                    }
                }, post: [grouped]
            ).map(\.status) == [303])
        let trip = try app.store.sharing.group(group.id)
        #expect(trip.name == "Journey" && trip.details == "by train")

        let spent = try edit("/expenses/\(expense.id.lowercased)", [("notes", "cash")])
        #expect(
            try during(
                { wait in
                    try other.sharing.changeExpense(expense.id, at: moment) {
                        try wait()
                        $0.title = "Bus"
                    }
                }, post: [spent]
            ).map(\.status) == [303])
        let bus = try app.store.sharing.expense(expense.id)
        #expect(bus.title == "Bus" && bus.notes == "cash")

        let paid = try edit("/transactions/\(payment.id.lowercased)", [("tags", "family")])
        #expect(
            try during(
                { wait in
                    try other.transactions.change(payment.id, at: moment) {
                        try wait()
                        $0.category = "other"
                    }
                }, post: [paid]
            ).map(\.status) == [303])
        let loan = try app.store.transactions.load(payment.id)
        #expect(loan.category == "other" && loan.tags == ["family"])
    }

    @Test("Who was deleted meanwhile does not come back with a form")
    func deletedOnesStayDeleted() throws {
        let moment = app.moment
        let ana = Person(id: app.store.makeID(moment), name: "Ana", createdAt: moment.now)
        try app.store.sharing.save(ana, at: moment)
        let form = try edit("/together/people/\(ana.id.lowercased)", [("phone", "0123")])
        let id = withUnsafeBytes(of: ana.id.uuid) { Array($0) }
        let responses = try during(
            { wait in
                try other.write(at: moment) { unit in
                    try wait()
                    try unit.session.execute("DELETE FROM people WHERE id = ?", [.blob(id)])
                }
            }, post: [form])
        #expect(responses.map(\.status) == [404])
        #expect(try app.store.sharing.people().map(\.name) == ["Me", "Zoé"])
    }

    @Test("A payment that settles a group is recorded once, however often it is sent at once")
    func settledOnce() throws {
        let place = "/together/groups/\(group.id.lowercased)"
        let fields = try PageForm.fields(try app.get(place).text, "settle")
        let moment = app.moment
        let statuses = try during(
            { wait in
                try other.sharing.changePerson(zoe.id, at: moment) { _ in try wait() }
            }, post: Array(repeating: (place + "/settle", fields), count: 5)
        ).map(\.status)
        #expect(statuses.filter { $0 == 303 }.count == 1, "\(statuses)")
        #expect(try app.store.sharing.repayments().map(\.amount.minorUnits) == [500])
    }

    @Test("A member who comes while a sheet is imported stays")
    func membersStayDuringAnImport() throws {
        let (store, moment) = (app.store, app.moment)
        let ana = Person(id: store.makeID(moment), name: "Ana", createdAt: moment.now)
        try store.sharing.save(ana, at: moment)
        var sheet = try store.sharing.sheet(of: group.id)
        sheet.people.append("Léa")
        var entry = try #require(sheet.entries.first)
        (entry.id, entry.title, entry.parts[0].name) = (nil, "Bus", "Léa")
        sheet.entries.append(entry)
        let (result, taken) = (Guarded<(any Error)?>(nil), DispatchGroup())
        try other.sharing.changeGroup(group.id, at: moment) { group in
            taken.enter()
            DispatchQueue.global().async { [sheet, id = group.id] in
                do {
                    _ = try store.sharing.take(sheet, into: id, me: "Me", at: moment)
                } catch {
                    result.withLock { $0 = error }
                }
                taken.leave()
            }
            Thread.sleep(forTimeInterval: 0.4)
            group.memberIDs.append(ana.id)
        }
        taken.wait()
        #expect(result.withLock { $0 } == nil)
        let names = try store.sharing.names()
        let members = try store.sharing.group(group.id).memberIDs.compactMap { names[$0] }
        #expect(members == ["Me", "Zoé", "Ana", "Léa"])
        // What the group had already is known again, also in the transaction.
        #expect(try store.sharing.expenses(of: group.id).map(\.title).contains("Bus"))
        #expect(try store.sharing.expenses(of: group.id).count == 2)
    }

    @Test("Guessing codes waits for no other program, and so leaves the app its workers")
    func guessesDoNotWait() throws {
        let (guess, started) = (String(repeating: "0", count: 32), ContinuousClock.now)
        var answer: (status: Int, took: Duration)?
        try other.sharing.changePerson(zoe.id, at: app.moment) { _ in
            answer = (try AppFixture.launch(app.server, guess).status, ContinuousClock.now - started)
        }
        let (status, took) = try #require(answer)
        #expect(status == 422 && took < .seconds(3))
    }
}
