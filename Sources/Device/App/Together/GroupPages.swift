import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Groups of people with common expenses: who paid what, who is owed, and the fewest payments that settle it.
enum GroupPages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("together", "groups", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form("/together/groups", again: TogetherPages.page) { visit, form in
                let group = PersonGroup(
                    id: visit.newID(form), name: form.trimmed("group"), memberIDs: form.ids("person"),
                    createdAt: visit.moment.now)
                if group.memberIDs.contains(Person.me) { try visit.makeMe() }
                try visit.store.add(group, at: visit.moment)
                return .done(link(group.id))
            },
            gate.page("/together/groups/{id:uuid}", page),
            gate.form("/together/groups/{id:uuid}/expenses", again: page) { visit, form in
                try visit.store.add(try GroupPage(visit).expense(form), at: visit.moment)
                return .done(link(try visit.id()))
            },
            gate.form("/together/groups/{id:uuid}/expenses/delete") { visit, form in
                let expense = try form.id("expense", missing: "No expense was chosen.")
                try visit.store.sharing.deleteExpense(expense, at: visit.moment)
                return .done(link(try visit.id()))
            },
            gate.form("/together/groups/{id:uuid}/edit", again: page) { visit, form in
                try GroupForm.save(form, of: visit.id(), visit)
            },
            gate.form("/together/groups/{id:uuid}/members", again: page) { visit, form in
                try MemberSection.save(form, of: visit.id(), visit)
                return .done(link(try visit.id()))
            },
            gate.form("/together/groups/{id:uuid}/settle") { visit, form in
                let id = try visit.id()
                // Only a payment that is still to be made: the page may be old.
                let settled = try visit.store.sharing.settle(id, at: visit.moment) { transfer, currency in
                    GroupPage.wire(transfer, currency) == form["transfer"]
                }
                guard settled != nil else { throw AppRefusal.unreadable("This payment is no longer open.") }
                return .done(link(id))
            },
            gate.form("/together/groups/{id:uuid}/delete") { visit, _ in
                try visit.store.sharing.deleteGroup(try visit.id(), at: visit.moment)
                return .done(TogetherPages.link)
            },
        ]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] { try GroupPage(visit).page() }
}
