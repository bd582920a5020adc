package import Foundation
package import SubGuardDomain

/// Premium calls of devices.
extension APIOperation {
    public static let verifyPremium = APIOperation(
        .post, "/api/v1/premium/verify", "verifyPremium", tag: .premium, access: .session, summary: "Verify a purchase",
        """
        Verifies a StoreKit 2 transaction signed by the App Store. From then on, the purchase belongs to this account, \
        unless it names another account. Repeating the request changes nothing.
        """, body: .json(TransactionProof.self, "A JWS, signed by the App Store."),
        answers: [.json(Premium.self, "The premium status of the account.")],
        problems: [.purchaseTaken, .invalidTransaction, .premiumNotConfigured])

    public static let premium = APIOperation(
        .get, "/api/v1/premium", "getPremium", tag: .premium, access: .session, summary: "Show the premium status",
        """
        Derived from the App Store's messages so far and from what the operator granted to the account. Where the \
        operator gives premium to all (`premium_for_all`), no session is needed, and pages of the catalogue have the \
        header field `SubGuard-Premium: all`.
        """,
        answers: [.json(Premium.self, "The premium status of the account.")], traits: .unconditional)

    /// The field of a catalogue page with which a server says, by `all`, that it gives premium to every client.
    package static let premiumField = "SubGuard-Premium"

    static let ofPremium: [APIOperation] = [verifyPremium, premium]
}

/// A transaction of StoreKit 2.
package struct TransactionProof: WireObject, Hashable {
    /// The transaction signed by the App Store (`jwsRepresentation`).
    package let signedTransaction: String

    package init(signedTransaction: String) { self.signedTransaction = signedTransaction }

    package static let wire = WireSchema<TransactionProof>(
        "TransactionProof", make: TransactionProof.init,
        // Signed transactions are about 4,000 bytes long.
        Field(
            "signed_transaction", \.signedTransaction, .text(bytes: 1...32_768), "At most 32768 bytes.",
            example: "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJidW5kbGVJZCI6ImFwcC5leGFtcGxlIn0.c2lnbmF0dXJl"))
}

/// The premium status of an account.
package struct Premium: WireObject, Hashable {
    package let status: PurchaseStatus
    /// Nil before the first purchase, and where the operator gives premium.
    package let productID: String?
    /// When premium ends or ended, including the grace period. Nil for lifetime purchases and before the first
    /// purchase.
    package let expiresAt: UTCInstant?
    /// Nil without a purchase. One in the Sandbox is no conversion.
    package let environment: PurchaseEnvironment?
    /// Nil before the first purchase or grant, and from servers that do not say it.
    package let source: PremiumSource?
    /// The account, by which an operator finds it. Nil without one, and from servers that do not say it.
    package let accountID: UUID?
    /// The token that the app attaches to a purchase (`appAccountToken`) to link it to this account.
    /// Nil without an account.
    package let appAccountToken: UUID?

    package init(
        status: PurchaseStatus, productID: String?, expiresAt: UTCInstant?, environment: PurchaseEnvironment?,
        source: PremiumSource? = nil, accountID: UUID? = nil, appAccountToken: UUID?
    ) {
        self.status = status
        self.productID = productID
        self.expiresAt = expiresAt
        self.environment = environment
        self.source = source
        self.accountID = accountID
        self.appAccountToken = appAccountToken
    }

    package static let wire = WireSchema<Premium>(
        "Premium", "The premium status of an account.", make: Premium.init,
        Field("status", \.status, .choice, "`active` and `grace_period` give premium.", example: .active),
        Field(
            "product_id", \.productID, nullable: .text(), "Null without a purchase.", example: "premium.yearly"),
        Field(
            "expires_at", \.expiresAt, nullable: .instant,
            "When premium ends or ended; null for a purchase that never ends."),
        Field(
            "environment", \.environment, nullable: .choice,
            "Null without a purchase. `sandbox`: bought by a tester, without money.", example: .production),
        Field(
            "source", \.source, nullable: .choice,
            """
            `app_store`: bought. `granted`: given to this account by the operator, until the end of a day. `all`: \
            given to every client by the operator. Null without either.
            """, example: .appStore),
        Field(
            "account_id", \.accountID, nullable: .id,
            "By which an operator finds the account. Null without an account."),
        Field(
            "app_account_token", \.appAccountToken, nullable: .id,
            """
            Pass it as `appAccountToken` of a purchase, which then names this account; no other can claim it. Null \
            without an account.
            """))
}
