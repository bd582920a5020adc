package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardContract
import SubGuardDomain
import SubGuardSQL

/// Purchases, grants, and the accounts they belong to. docs/api.md#premium has the rules.
package struct PremiumStore: Sendable {
    let context: BackendContext
    private let messages: AppStoreMessages

    package init(context: BackendContext, messages: AppStoreMessages) {
        self.context = context
        self.messages = messages
    }

    /// How long the id of a notification is kept.
    package static let notificationDays = 90

    /// How long a purchase without an account is kept after its last change. A message signed before that change must
    /// not give premium after the purchase is deleted: a subscription period lasts at most a year, and the App Store
    /// can extend it by 90 days twice in each of its two calendar years.
    package static let unclaimedDays = 731

    /// The current status of the account. Throws ``BackendError/notFound(what:)`` for one that was erased in between.
    package func state(of accountID: UUID) throws -> Premium {
        try context.store.read { try state(of: accountID, in: $0) }
    }

    /// Records a transaction presented by a device of the account. The purchase then belongs to this account only.
    /// Repeating it changes nothing.
    ///
    /// Throws ``SignatureRefusal``, and ``BackendError/conflict(code:detail:)`` with `purchase_taken` when the purchase
    /// names another account.
    package func verify(_ signedTransaction: String, by accountID: UUID) throws -> Premium {
        let shown = try AppStoreTransaction(signedTransaction, messages: messages)
        guard shown.givesPremium else { throw SignatureRefusal("gives no premium") }
        return try context.write { transaction, now in
            let token = try purchaseToken(of: accountID, in: transaction)
            if let named = shown.accountToken, named != token, !shown.transaction.isFamilyShared {
                throw BackendError.conflict(code: .purchaseTaken, detail: "The purchase belongs to another account.")
            }
            let hash = try AccountKey.load(context, in: transaction).purchaseHash(shown)
            var purchase = Purchase(transaction: shown.transaction)
            if let known = try PurchaseRow.find(hash, in: transaction)?.purchase {
                purchase = known
                purchase.apply(shown.transaction)
            }
            try PurchaseRow.save(
                purchase, shown.environment, hash: hash, accountID: accountID, at: now, in: transaction)
            return try state(of: accountID, in: transaction)
        }
    }

    private func state(of accountID: UUID, in session: any SQLSession) throws -> Premium {
        premium(
            of: accountID, token: try purchaseToken(of: accountID, in: session),
            try PurchaseRow.list(of: [accountID], in: session)[accountID] ?? [],
            try PremiumGrantRow.find(accountID, in: session))
    }

    /// The premium of an account: what it bought, else what it was given. While both give premium, it ends with the
    /// later of the two.
    func premium(
        of accountID: UUID, token: UUID, _ all: [PurchaseRow.Owned], _ grant: PremiumGrant?
    ) -> Premium {
        let now = context.now()
        let bought = bought(of: accountID, token: token, all, at: now)
        guard let grant, grant.isActive(at: now) || bought.status == .none else { return bought }
        if bought.status.isEntitled {
            return Premium(
                status: bought.status, productID: bought.productID,
                expiresAt: bought.expiresAt.map { max($0, grant.endsAt) }, environment: bought.environment,
                source: bought.source, accountID: accountID, appAccountToken: token)
        }
        return Premium(
            status: grant.isActive(at: now) ? .active : .expired, productID: nil, expiresAt: grant.endsAt,
            environment: nil, source: .granted, accountID: accountID, appAccountToken: token)
    }

    private func bought(
        of accountID: UUID, token: UUID, _ all: [PurchaseRow.Owned], at now: UTCInstant
    ) -> Premium {
        // What a tester bought ends with the first purchase for money, whatever becomes of that one.
        let environment: PurchaseEnvironment =
            all.contains { $0.environment == .production } || !messages.rules.environments.contains(.sandbox)
            ? .production : .sandbox
        let purchases = all.filter { $0.environment == environment }.map(\.purchase)
        guard let purchase = Purchase.deciding(among: purchases, at: now) else {
            return Premium(
                status: .none, productID: nil, expiresAt: nil, environment: nil, accountID: accountID,
                appAccountToken: token)
        }
        return Premium(
            status: purchase.status(at: now), productID: purchase.transaction.productID,
            expiresAt: purchase.end(at: now), environment: environment, source: .appStore, accountID: accountID,
            appAccountToken: token)
    }

    private func purchaseToken(of accountID: UUID, in session: any SQLSession) throws -> UUID {
        let token = try session.first("SELECT purchase_token FROM accounts WHERE id = ?", [.uuid(accountID)]) {
            try $0.uuid(0)
        }
        guard let token else { throw BackendError.notFound(what: "account") }
        return token
    }
}

/// The effect of an App Store notification.
package enum StoreNotificationOutcome: String, Sendable {
    case applied
    /// It changes nothing, or is not about a purchase.
    case ignored
    case duplicate
}

extension PremiumStore {
    /// Handles a notification (`signedPayload`). Each counts once, by its `notificationUUID`; one signed before the
    /// latest counted one changes nothing. Throws ``SignatureRefusal``.
    package func receive(_ signedPayload: String) throws -> StoreNotificationOutcome {
        let notification = try AppStoreNotification(signedPayload, messages: messages)
        return try context.write { transaction, now in
            let isNew = try transaction.execute(
                """
                INSERT INTO app_store_notifications (id, notification_type, subtype, signed_at, received_at)
                VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """,
                [
                    .text(notification.id), .text(notification.type), .text(orNull: notification.subtype),
                    .instant(notification.signedAt), .instant(now),
                ])
            guard isNew == 1 else { return .duplicate }
            guard let told = notification.transaction, told.givesPremium else { return .ignored }
            let hash = try AccountKey.load(context, in: transaction).purchaseHash(told)
            let event = PurchaseEvent(notificationType: notification.type)
            let known = try PurchaseRow.find(hash, in: transaction)
            guard var purchase = known?.purchase else {
                let first = Purchase(
                    event, told.transaction, renewal: notification.renewal, signedAt: notification.signedAt)
                try PurchaseRow.save(
                    first, told.environment, hash: hash, accountID: try owner(of: told, in: transaction), at: now,
                    in: transaction)
                return .applied
            }
            guard
                purchase.apply(
                    event, told.transaction, renewal: notification.renewal, signedAt: notification.signedAt)
            else { return .ignored }
            try PurchaseRow.save(
                purchase, told.environment, hash: hash,
                accountID: try known?.accountID ?? owner(of: told, in: transaction), at: now, in: transaction)
            return .applied
        }
    }

    /// The account named by the purchase, if it exists here.
    private func owner(of told: AppStoreTransaction, in session: any SQLSession) throws -> UUID? {
        guard let token = told.accountToken, !told.transaction.isFamilyShared else { return nil }
        return try session.first("SELECT id FROM accounts WHERE purchase_token = ?", [.uuid(token)]) { try $0.uuid(0) }
    }

    /// Deletes expired rows and returns their number. Revoked purchases without an end date are kept, because older
    /// signed messages about them have no end date either.
    package func purge() throws -> Int {
        try context.write { transaction, now in
            try transaction.execute(
                """
                DELETE FROM purchases
                WHERE account_id IS NULL AND updated_at < ? AND (expires_at IS NOT NULL OR revoked_at IS NULL)
                """, [.instant(now.adding(days: -Self.unclaimedDays))])
                + transaction.execute(
                    "DELETE FROM app_store_notifications WHERE received_at < ?",
                    [.instant(now.adding(days: -Self.notificationDays))])
        }
    }
}
