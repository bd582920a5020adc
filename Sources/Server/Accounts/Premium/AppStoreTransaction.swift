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
