import Foundation
import JSONWire
import SubGuardDomain

/// Everything as JSON for people and other programs: amounts and days as text, names beside ids.
struct ExportDocument {
    static let format = "subguard-export"
    static let version: Int64 = 1

    let store: DeviceStore
    let moment: Moment

    func text() throws -> String {
        var json = JSONWriter(capacity: 1 << 16)
        json.beginObject()
        json.field("format", Self.format)
        json.field("version", Self.version)
        json.field("exported_at", moment.now.rfc3339)
        try list("subscriptions", try store.subscriptions(), &json) { try subscription($0, &$1) }
        list("people", try store.people(), &json) { person, json in
            json.field("id", person.id.lowercased)
            json.field("name", person.name)
            json.field("email", person.email)
            json.field("phone", person.phone)
            json.field("notes", person.notes)
        }
        list("groups", try store.groups(), &json) { group, json in
            json.field("id", group.id.lowercased)
            json.field("name", group.name)
            json.field("details", group.details)
            json.field("emoji", group.emoji)
            texts("members", group.memberIDs.map(\.lowercased), &json)
        }
        list("expenses", try store.expenses(), &json) { expense, json in
            json.field("id", expense.id.lowercased)
            json.field("group_id", expense.groupID.lowercased)
            json.field("title", expense.title)
            json.field("amount", expense.amount.decimal)
            json.field("currency", expense.amount.currency.code)
            json.field("on", expense.spentOn.iso)
            json.field("paid_by", PersonAmountText.text(expense.payers))
            json.field("split", expense.split.kind.rawValue)
            json.field("parts", PersonAmountText.text(expense.split.people, expense.split.weights))
            json.field("notes", expense.notes)
        }
        list("transactions", try store.transactions(), &json) { transaction, json in
            json.field("id", transaction.id.lowercased)
            json.field("title", transaction.title)
            json.field("type", transaction.kind.rawValue)
            json.field("amount", transaction.amount.decimal)
            json.field("currency", transaction.amount.currency.code)
            json.field("on", transaction.bookedOn.iso)
            json.field("person_id", transaction.personID?.lowercased)
            json.field("notes", transaction.notes)
        }
        list("budgets", try store.budgets(at: moment).map(\.budget), &json) { budget, json in
            json.field("id", budget.id.lowercased)
            json.field("category", budget.category?.wire)
            json.field("limit", budget.limit.decimal)
            json.field("currency", budget.limit.currency.code)
            json.field("period", budget.period.rawValue)
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private func list<Element>(
        _ name: String, _ elements: [Element], _ json: inout JSONWriter,
        _ write: (Element, inout JSONWriter) throws -> Void
    ) rethrows {
        json.key(name)
        json.beginArray()
        for element in elements {
            json.beginObject()
            try write(element, &json)
            json.endObject()
        }
        json.endArray()
    }

    private func texts(_ name: String, _ texts: [String], _ json: inout JSONWriter) {
        json.key(name)
        json.beginArray()
        for text in texts { json.string(text) }
        json.endArray()
    }

    private func subscription(_ subscription: Subscription, _ json: inout JSONWriter) throws {
        let draft = subscription.draft(today: moment.today)
        for field in SubscriptionField.allCases where draft[field] != nil {
            json.field(field.rawValue, draft[field])
        }
        list("prices", subscription.priceHistory, &json) { price, json in
            json.field("from", price.from.iso)
            json.field("amount", Money(minorUnits: price.minorUnits, currency: subscription.currency).decimal)
        }
        list("states", subscription.states, &json) { state, json in
            json.field("from", state.from.iso)
            json.field("state", state.state.wire)
        }
        list("history", try store.history(subscription.id, at: moment), &json) { entry, json in
            json.field("billing_on", entry.occurrence.billingOn.iso)
            json.field("status", entry.status.rawValue)
            json.field("amount", entry.amount.decimal)
            if let paid = entry.paid { json.field("paid", paid.decimal) }
        }
    }
}
