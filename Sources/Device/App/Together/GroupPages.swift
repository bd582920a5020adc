import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Groups of people with common expenses: who paid what, who is owed, and the fewest payments that settle it.
enum GroupPages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("together", "groups", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form(
                "/together/groups",
                refill: { visit, form in try TogetherPage(visit, group: group(form, visit)).page() }
            ) { visit, form in
                let group = group(form, visit)
                if group.memberIDs.contains(Person.me) { try visit.makeMe() }
                do {
                    try visit.store.sharing.save(group, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link(group.id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try TogetherPage(visit, group: group, groupFaults: error.faults)
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
            gate.page("/together/groups/{id:uuid}") { visit in
                AppResponse.page(try GroupPage(visit, visit.request.parameters.uuid()).page())
            },
            gate.form(
                "/together/groups/{id:uuid}/expenses",
                refill: { visit, form in try GroupPage(visit, visit.request.parameters.uuid(), typed: form).page() }
            ) { visit, form in
                let id = try visit.request.parameters.uuid()
                do {
                    try visit.store.sharing.save(try GroupPage(visit, id).expense(form), at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link(id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let faults = error.faults
                    return AppResponse.page(
                        try GroupPage(visit, id, typed: form, faults: faults).page(), .unprocessableContent)
                }
            },
            gate.form("/together/groups/{id:uuid}/expenses/delete") { visit, form in
                guard let expense = form["expense"].flatMap({ UUID(uuidString: $0) }) else {
                    throw AppRefusal.unreadable("No expense was chosen.")
                }
                try visit.store.sharing.deleteExpense(expense, at: visit.moment)
                return AppResponse.seeOther(try visit.done(link(visit.request.parameters.uuid())))
            },
            gate.form(
                "/together/groups/{id:uuid}/edit",
                refill: { visit, form in
                    try GroupPage(visit, visit.request.parameters.uuid(), edited: form).page()
                }
            ) { visit, form in
                let id = try visit.request.parameters.uuid()
                do {
                    let isChanged = try GroupForm.save(form, of: id, visit)
                    return AppResponse.seeOther(isChanged ? try visit.done(link(id)) : visit.nothingDone(link(id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try GroupPage(visit, id, edited: form, groupFaults: error.faults)
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
            gate.form(
                "/together/groups/{id:uuid}/members",
                refill: { visit, form in
                    try GroupPage(visit, visit.request.parameters.uuid()) {
                        try MemberSection(visit, $0, typed: form)
                    }.page()
                }
            ) { visit, form in
                let id = try visit.request.parameters.uuid()
                do {
                    try MemberSection.save(form, of: id, visit)
                    return AppResponse.seeOther(try visit.done(link(id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let faults = error.faults
                    let page = try GroupPage(visit, id) { try MemberSection(visit, $0, typed: form, faults: faults) }
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
            gate.form("/together/groups/{id:uuid}/settle") { visit, form in
                let id = try visit.request.parameters.uuid()
                // Only a payment that is still to be made: the page may be old.
                let open = try visit.store.sharing.settlement(of: id).flatMap { currency, transfers in
                    transfers.map { (GroupPage.wire($0, currency), currency, $0) }
                }
                guard let (_, currency, transfer) = open.first(where: { $0.0 == form["transfer"] }) else {
                    throw AppRefusal.unreadable("This payment is no longer open.")
                }
                try visit.store.sharing.save(
                    Repayment(
                        id: visit.store.makeID(visit.moment), from: transfer.from, to: transfer.to,
                        amount: Money(minorUnits: transfer.minorUnits, currency: currency),
                        paidOn: visit.moment.today, groupID: id, createdAt: visit.moment.now), at: visit.moment)
                return AppResponse.seeOther(try visit.done(link(id)))
            },
            gate.form("/together/groups/{id:uuid}/delete") { visit, _ in
                try visit.store.sharing.deleteGroup(try visit.request.parameters.uuid(), at: visit.moment)
                return AppResponse.seeOther(try visit.done(TogetherPages.link))
            },
        ]
    }

    /// The group of a sent form.
    private static func group(_ form: FormFields, _ visit: AppVisit) -> PersonGroup {
        PersonGroup(
            id: visit.store.makeID(visit.moment), name: (form["group"] ?? "").trimmingBlanks,
            memberIDs: form.values("person").compactMap { UUID(uuidString: $0) }, createdAt: visit.moment.now)
    }
}
