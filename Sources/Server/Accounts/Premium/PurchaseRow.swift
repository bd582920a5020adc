import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// The purchases table and its rows.
enum PurchaseRow {
    private static let columns = """
        product_id, is_family_shared, purchased_at, expires_at, revoked_at, is_refund, is_upgraded, grace_expires_at,
        is_in_billing_retry, transaction_signed_at, renewal_signed_at, notified_at, account_id, environment
        """

    static func find(
        _ hash: [UInt8], in session: any SQLSession
    ) throws -> (purchase: Purchase, accountID: UUID?)? {
        try session.first("SELECT \(columns) FROM purchases WHERE purchase_hash = ?", [.blob(hash)]) { row in
            (purchase: try purchase(row), accountID: try row.optionalUUID(12))
        }
    }

    /// A purchase of an account.
    typealias Owned = (purchase: Purchase, environment: PurchaseEnvironment)

    static func list(of accounts: [UUID], in session: any SQLSession) throws -> [UUID: [Owned]] {
        guard let ids = SQLIDList(accounts) else { return [:] }
        let rows = try session.query(
            "SELECT \(columns) FROM purchases WHERE account_id IN \(ids.placeholders) ORDER BY purchase_hash",
            ids.arguments
        ) {
            (
                account: try $0.uuid(12),
                owned: (purchase: try purchase($0), environment: try $0.word(13) as PurchaseEnvironment)
            )
        }
        return Dictionary(grouping: rows, by: \.account).mapValues { $0.map(\.owned) }
    }

    private static func purchase(_ row: any SQLRow) throws -> Purchase {
        let revokedAt = try row.optionalInstant(4)
        let isRefund = try row.integer(5) == 1
        let transaction = PurchaseTransaction(
            productID: try row.text(0), isFamilyShared: try row.integer(1) == 1, purchasedAt: try row.instant(2),
            expiresAt: try row.optionalInstant(3), revokedAt: revokedAt,
            revocation: revokedAt.map { _ in isRefund ? .refund : .familySharing },
            isUpgraded: try row.integer(6) == 1, signedAt: try row.instant(9))
        let graceExpiresAt = try row.optionalInstant(7)
        let isInBillingRetry = try row.integer(8) == 1
        let renewal = try row.optionalInstant(10).map {
            PurchaseRenewal(graceExpiresAt: graceExpiresAt, isInBillingRetry: isInBillingRetry, signedAt: $0)
        }
        return Purchase(transaction: transaction, renewal: renewal, notifiedAt: try row.optionalInstant(11))
    }

    static func save(
        _ purchase: Purchase, _ environment: PurchaseEnvironment, hash: [UInt8], accountID: UUID?, at now: UTCInstant,
        in transaction: any SQLTransaction
    ) throws {
        let told = purchase.transaction
        try transaction.execute(
            """
            INSERT INTO purchases (
                purchase_hash, account_id, product_id, is_family_shared, purchased_at, expires_at, revoked_at,
                is_refund, is_upgraded, grace_expires_at, is_in_billing_retry, transaction_signed_at,
                renewal_signed_at, notified_at, updated_at, environment)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (purchase_hash) DO UPDATE SET
                account_id = excluded.account_id, product_id = excluded.product_id,
                is_family_shared = excluded.is_family_shared, purchased_at = excluded.purchased_at,
                expires_at = excluded.expires_at, revoked_at = excluded.revoked_at, is_refund = excluded.is_refund,
                is_upgraded = excluded.is_upgraded, grace_expires_at = excluded.grace_expires_at,
                is_in_billing_retry = excluded.is_in_billing_retry,
                transaction_signed_at = excluded.transaction_signed_at,
                renewal_signed_at = excluded.renewal_signed_at, notified_at = excluded.notified_at,
                updated_at = excluded.updated_at
            """,
            [
                .blob(hash), .uuid(orNull: accountID), .text(told.productID), flag(told.isFamilyShared),
                .instant(told.purchasedAt), .instant(orNull: told.expiresAt), .instant(orNull: told.revokedAt),
                flag(told.revocation == .refund), flag(told.isUpgraded),
                .instant(orNull: purchase.renewal?.graceExpiresAt), flag(purchase.renewal?.isInBillingRetry == true),
                .instant(told.signedAt), .instant(orNull: purchase.renewal?.signedAt),
                .instant(orNull: purchase.notifiedAt), .instant(now), .text(environment.rawValue),
            ])
    }

    private static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
}
