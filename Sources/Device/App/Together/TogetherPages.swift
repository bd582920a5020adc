import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Who owes whom and for what, and money that was given back.
enum TogetherPages {
    static let link = HTMLLink("together")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/together") { visit in AppResponse.page(try TogetherPage(visit).page()) },
            gate.form(
                "/together/people",
                refill: { visit, form in try TogetherPage(visit, name: form["name"] ?? "").page() }
            ) { visit, form in
                let name = (form["name"] ?? "").trimmingBlanks
                do {
                    try visit.store.sharing.save(
                        Person(id: visit.store.makeID(visit.moment), name: name, createdAt: visit.moment.now),
                        at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try TogetherPage(visit, name: name, nameFaults: error.faults)
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
            gate.form(
                "/together/repay",
                refill: { visit, form in
                    let key = "\(form["person"] ?? "")-\(form["currency"] ?? "")"
                    return try TogetherPage(visit, open: key, typed: form["amount"]).page()
                }
            ) { visit, form in
                guard let person = form["person"].flatMap({ UUID(uuidString: $0) }),
                    let currency = form["currency"].flatMap({ Currency(code: $0) })
                else { throw AppRefusal.unreadable("No person was chosen.") }
                do {
                    let amount = try visit.money(form["amount"] ?? "", currency)
                    // Money goes from the debtor.
                    let isTheirs = form["direction"] != "mine"
                    let (from, to) = isTheirs ? (person, Person.me) : (Person.me, person)
                    let group = try visit.store.sharing.groupSettled(
                        from: from, to: to, in: currency, at: visit.moment)
                    try visit.store.sharing.save(
                        Repayment(
                            id: visit.store.makeID(visit.moment), from: from, to: to, amount: amount,
                            paidOn: visit.moment.today, groupID: group, createdAt: visit.moment.now), at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try TogetherPage(
                        visit, open: "\(person.lowercased)-\(currency.code)", typed: form["amount"],
                        faults: error.faults)
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
        ]
    }
}

extension AppVisit {
    /// An amount as people write it. Throws the fault of the field `amount`.
    fileprivate func money(_ text: String, _ currency: Currency) throws -> Money {
        do throws(Fault) {
            let decimal = try AmountText.decimal(text, in: currency, field: "amount")
            return try FieldRules.positive(try FieldRules.amount(decimal, currency), field: "amount")
        } catch {
            throw DeviceStoreError.invalid(error)
        }
    }
}
