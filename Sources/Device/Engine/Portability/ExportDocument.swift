import Foundation
import JSONWire
import SubGuardDomain

/// JSON export of all data: amounts and days as text.
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
        try list("subscriptions", try store.subscriptions.all(), &json) { try subscription($0, &$1) }
        try writeSharing(&json)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    func list<Element>(
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

    func texts(_ name: String, _ texts: [String], _ json: inout JSONWriter) {
        json.key(name)
        json.beginArray()
        for text in texts { json.string(text) }
        json.endArray()
    }

    private func subscription(_ subscription: Subscription, _ json: inout JSONWriter) throws {
        let draft = subscription.draft(today: moment.today)
        for field in SubscriptionField.allCases where draft[field] != nil {
            switch field {
            case .isVariable: json.field(field.rawValue, subscription.isVariable)
            case .trialConverts: json.field(field.rawValue, subscription.trial?.converts)
            default: json.field(field.rawValue, draft[field])
            }
        }
        list("prices", subscription.priceHistory, &json) { price, json in
            json.field("from", price.from.iso)
            json.field("amount", price.amount.decimal)
            json.field("currency", price.amount.currency.code)
        }
        list("states", subscription.stateHistory, &json) { state, json in
            json.field("from", state.from.iso)
            json.field("state", state.state.wire)
        }
        list("history", try store.ledger.history(subscription.id, at: moment), &json) { entry, json in
            json.field("billing_on", entry.occurrence.billingOn.iso)
            json.field("status", entry.status.rawValue)
            json.field("amount", entry.amount.decimal)
            json.field("currency", entry.amount.currency.code)
            if entry.isAssumed { json.field("assumed", true) }
            if let paid = entry.paid { json.field("paid", paid.decimal) }
        }
        try writeShare(subscription, &json)
    }
}
