public import Foundation
package import JSONWire
public import SubGuardDomain

/// What `POST /api/v1/premium/verify` and `GET /api/v1/premium` answer: the entitlement of the account.
public struct PremiumAnswer: Sendable, Hashable {
    public let status: PurchaseStatus
    /// Nil when nothing was ever bought.
    public let productID: String?
    /// Until when ``status`` gives premium, grace period included; when it ended, for a status that gives none. Nil for what
    /// never ends, and when nothing was ever bought.
    public let expiresAt: UTCInstant?
    /// What the app hands to the App Store with a purchase (`appAccountToken`), so that nobody else can claim it. Nil from a
    /// server that gives none.
    public let appAccountToken: UUID?

    public init(
        status: PurchaseStatus, productID: String?, expiresAt: UTCInstant?, appAccountToken: UUID? = nil
    ) {
        self.status = status
        self.productID = productID
        self.expiresAt = expiresAt
        self.appAccountToken = appAccountToken
    }

    /// Reads an answer; fields that a newer server adds are passed over. A status that this client does not know gives no
    /// premium and is a fault. Throws ``FaultList`` with every fault.
    package init(_ object: JSONObject) throws(FaultList) {
        var fields = FieldReader(object, known: [], unknown: .ignored)
        let word = fields.string("status", maximumBytes: 64)
        let status = word.flatMap(PurchaseStatus.init(rawValue:))
        if word != nil, status == nil { fields.note("status", .unknownValue, "Must be a known status.") }
        let product = fields.optionalString("product_id", maximumBytes: 256)
        let text = fields.optionalString("expires_at", maximumBytes: 64)
        let expiry = text.flatMap { UTCInstant(rfc3339: $0) }
        if text != nil, expiry == nil {
            fields.note("expires_at", .invalidTimestamp, "Must be an instant such as 2026-11-20T10:00:00Z.")
        }
        let tokenText = fields.optionalString("app_account_token", maximumBytes: 64)
        let token = tokenText.flatMap { UUID(strict: $0) }
        if tokenText != nil, token == nil { fields.note("app_account_token", .invalidID, "Must be a UUID.") }
        guard fields.faults.isEmpty, let status else { throw fields.faults }
        self.init(status: status, productID: product, expiresAt: expiry, appAccountToken: token)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("status", status.rawValue)
        writer.field("product_id", productID)
        writer.field("expires_at", expiresAt?.rfc3339)
        writer.field("app_account_token", appAccountToken?.lowercased)
        writer.endObject()
    }
}
