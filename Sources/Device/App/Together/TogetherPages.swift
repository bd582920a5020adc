import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Who owes whom and for what, and money that was given back.
enum TogetherPages {
    static let link = HTMLLink("together")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/together", page),
            gate.form("/together/people", again: page) { visit, form in
                try visit.store.add(
                    Person(id: visit.newID(form), name: form.trimmed("name"), createdAt: visit.moment.now),
                    at: visit.moment)
                return .done(link)
            },
            gate.form("/together/repay", again: page) { visit, form in
                let person = try form.id("person", missing: "No person was chosen.")
                guard let currency = form["currency"].flatMap({ Currency(code: $0) }) else {
                    throw AppRefusal.unreadable("No person was chosen.")
                }
                let decimal = try AmountText.decimal(form["amount"] ?? "", in: currency, field: "amount")
                let amount = try FieldRules.positive(try FieldRules.amount(decimal, currency), field: "amount")
                // Money goes from the debtor.
                let isTheirs = form["direction"] != "mine"
                let (from, to) = isTheirs ? (person, Person.me) : (Person.me, person)
                try visit.store.sharing.add(
                    Repayment(
                        id: visit.newID(form), from: from, to: to, amount: amount,
                        paidOn: visit.moment.today, createdAt: visit.moment.now), findsGroup: true, at: visit.moment)
                return .done(link)
            },
        ]
    }

    static func page(_ visit: AppVisit) throws -> [UInt8] { try TogetherPage(visit).page() }
}
