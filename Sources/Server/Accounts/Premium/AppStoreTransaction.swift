package import Foundation
package import JSONWire
package import ServerAccess
package import SubGuardDomain

/// A verified transaction of a purchase. Unknown fields and values are ignored.
package struct AppStoreTransaction: Sendable, Hashable {
    package let originalTransactionID: String
    package let environment: PurchaseEnvironment
    package let transaction: PurchaseTransaction
    /// The account that the app attached to the purchase; nil if it attached none.
    package let accountToken: UUID?
    /// Whether its type and product give premium.
    package let givesPremium: Bool

    /// Throws ``SignatureRefusal`` unless it is a transaction that the App Store signed for our app.
    package init(_ text: String, messages: AppStoreMessages) throws(SignatureRefusal) {
        let (payload, signedAt) = try messages.open(text)
        environment = try messages.requireOurs(payload, bundle: true)
        guard let original = Self.identifier(payload["originalTransactionId"]),
            let product = payload["productId"]?.stringValue, (1...256).contains(product.utf8.count),
            let purchasedAt = payload["purchaseDate"]?.wholeMilliseconds
        else { throw SignatureRefusal("not a transaction") }
        let expiresAt = payload["expiresDate"]?.wholeMilliseconds
        let isFamilyShared = payload["inAppOwnershipType"]?.stringValue == "FAMILY_SHARED"
        let revokedAt = payload["revocationDate"]?.wholeMilliseconds
        originalTransactionID = original
        transaction = PurchaseTransaction(
            productID: product, isFamilyShared: isFamilyShared, purchasedAt: purchasedAt, expiresAt: expiresAt,
            revokedAt: revokedAt, revocation: revokedAt.map { _ in isFamilyShared ? .familySharing : .refund },
            isUpgraded: payload["isUpgraded"]?.boolValue == true, signedAt: signedAt)
        if let text = payload["appAccountToken"]?.stringValue {
            guard let token = UUID(uuidString: text) else { throw SignatureRefusal("not an account token") }
            accountToken = token
        } else {
            accountToken = nil
        }
        let isLasting =
            switch payload["type"]?.stringValue {
            case "Auto-Renewable Subscription": expiresAt != nil
            case "Non-Consumable", nil: true
            // Consumables are used up; Apple gives no end date for non-renewing subscriptions.
            default: false
            }
        let products = messages.rules.productIDs
        givesPremium = isLasting && (products.isEmpty || products.contains(product))
    }

    /// Ids are opaque; today they are decimal numbers in strings.
    package static func identifier(_ value: JSONValue?) -> String? {
        guard let text = value?.stringValue, (1...128).contains(text.utf8.count) else { return nil }
        return text
    }
}

/// Signed renewal information, verified.
struct AppStoreRenewal: Sendable, Hashable {
    let originalTransactionID: String?
    let renewal: PurchaseRenewal

    init(_ text: String, messages: AppStoreMessages) throws(SignatureRefusal) {
        let (payload, signedAt) = try messages.open(text)
        try messages.requireOurs(payload, bundle: false)
        originalTransactionID = AppStoreTransaction.identifier(payload["originalTransactionId"])
        renewal = PurchaseRenewal(
            graceExpiresAt: payload["gracePeriodExpiresDate"]?.wholeMilliseconds,
            isInBillingRetry: payload["isInBillingRetryPeriod"]?.boolValue == true, signedAt: signedAt)
    }
}

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
