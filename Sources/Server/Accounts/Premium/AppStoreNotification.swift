import JSONWire
import ServerAccess
import SubGuardDomain

/// A verified notification of the App Store with its verified contents.
struct AppStoreNotification {
    let id: String
    let type: String
    let subtype: String?
    let signedAt: UTCInstant
    /// Nil for notifications without a purchase, such as `TEST`.
    let transaction: AppStoreTransaction?
    let renewal: PurchaseRenewal?

    /// Throws ``SignatureRefusal``.
    init(_ text: String, messages: AppStoreMessages) throws(SignatureRefusal) {
        let (payload, signedAt) = try messages.open(text)
        guard let id = AppStoreTransaction.identifier(payload["notificationUUID"]),
            let type = payload["notificationType"]?.stringValue, (1...64).contains(type.utf8.count)
        else { throw SignatureRefusal("not a notification") }
        self.id = id
        self.type = type
        subtype = payload["subtype"]?.stringValue.map { String($0.prefix(64)) }
        self.signedAt = signedAt
        // A kind that Apple adds later may carry other data; it is verified and ignored.
        for name in ["data", "summary", "appData"] {
            if let part = payload[name]?.objectValue { try Self.requireOurs(part, messages) }
        }
        let data = payload["data"]?.objectValue
        transaction = try Self.text(data, "signedTransactionInfo").map { text throws(SignatureRefusal) in
            try AppStoreTransaction(text, messages: messages)
        }
        if let transaction, data?["environment"]?.stringValue != transaction.environment.appStoreName {
            throw SignatureRefusal("of two environments")
        }
        let told = try Self.text(data, "signedRenewalInfo").map { text throws(SignatureRefusal) in
            try AppStoreRenewal(text, messages: messages)
        }
        if let told, let transaction, let original = told.originalTransactionID,
            original != transaction.originalTransactionID
        {
            throw SignatureRefusal("of two purchases")
        }
        renewal = told?.renewal
    }

    private static func requireOurs(_ part: JSONObject, _ messages: AppStoreMessages) throws(SignatureRefusal) {
        // Messages from the Sandbox may name no app.
        guard try messages.requireOurs(part, bundle: true) == .production, let ours = messages.rules.appID else {
            return
        }
        guard part["appAppleId"]?.integerValue == ours else { throw SignatureRefusal("another app") }
    }

    private static func text(_ data: JSONObject?, _ name: String) throws(SignatureRefusal) -> String? {
        guard let value = data?[name], !value.isNull else { return nil }
        guard let text = value.stringValue else { throw SignatureRefusal("not a notification") }
        return text
    }
}
