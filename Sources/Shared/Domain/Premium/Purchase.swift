/// A purchase with all its renewals, built from the App Store's signed messages.
///
/// Messages may arrive in any order and more than once. The transaction of the latest period counts; within a period,
/// the one signed last. A notification signed before the last applied one is ignored, unless it revokes the purchase
/// and no transaction was signed since. The type of a notification takes effect at the time it was signed, however old
/// its transaction is. The result therefore does not depend on the order of arrival, unless a message is missing.
package struct Purchase: Sendable, Hashable {
    package var transaction: PurchaseTransaction
    package var renewal: PurchaseRenewal?
    /// When the last applied notification was signed.
    package var notifiedAt: UTCInstant?

    /// How long the App Store retries billing after a failed renewal.
    package static let billingRetryDays = 60

    package init(transaction: PurchaseTransaction, renewal: PurchaseRenewal? = nil, notifiedAt: UTCInstant? = nil) {
        self.transaction = transaction
        self.renewal = renewal
        self.notifiedAt = notifiedAt
    }

    /// Applies a transaction sent by a device. Returns whether it changed anything.
    @discardableResult
    package mutating func apply(_ shown: PurchaseTransaction) -> Bool {
        guard shown.order(to: transaction) == .later else { return false }
        take(shown)
        return true
    }

    private mutating func take(_ shown: PurchaseTransaction) {
        // The renewal state of an earlier period is obsolete.
        if shown.purchasedAt > transaction.purchasedAt, let known = renewal, known.signedAt <= shown.signedAt {
            renewal = nil
        }
        transaction = shown
    }

    /// Applies a notification; `told` is nil when it has no renewal. Returns whether it changed anything.
    @discardableResult
    package mutating func apply(
        _ event: PurchaseEvent, _ carried: PurchaseTransaction, renewal told: PurchaseRenewal?, signedAt: UTCInstant
    ) -> Bool {
        guard carried.purchasedAt >= transaction.purchasedAt else { return false }
        if let notifiedAt, signedAt < notifiedAt {
            // A refund must not be lost because a later, unrelated notification arrived first.
            guard event.takesBack, carried.purchasedAt > transaction.purchasedAt || signedAt > transaction.signedAt
            else { return false }
        }
        if carried.order(to: transaction) != .earlier { take(carried) }
        if let told, renewal.map({ $0.signedAt <= told.signedAt }) ?? true { renewal = told }
        // A device may have sent a newer transaction.
        if signedAt >= transaction.signedAt { apply(event, signedAt: signedAt) }
        notifiedAt = notifiedAt.map { max($0, signedAt) } ?? signedAt
        return true
    }

    /// A purchase first seen in a notification.
    package init(
        _ event: PurchaseEvent, _ carried: PurchaseTransaction, renewal: PurchaseRenewal?, signedAt: UTCInstant
    ) {
        self.init(transaction: carried, renewal: renewal, notifiedAt: signedAt)
        apply(event, signedAt: signedAt)
    }

    private mutating func apply(_ event: PurchaseEvent, signedAt: UTCInstant) {
        switch event {
        case .expired:
            transaction.expiresAt = transaction.expiresAt.map { min($0, signedAt) }
            renewal = PurchaseRenewal(signedAt: renewal?.signedAt ?? signedAt)
        case .gracePeriodExpired:
            transaction.expiresAt = transaction.expiresAt.map { min($0, signedAt) }
            renewal = PurchaseRenewal(isInBillingRetry: true, signedAt: renewal?.signedAt ?? signedAt)
        case .refunded: revoke(.refund, at: signedAt)
        case .revoked: revoke(.familySharing, at: signedAt)
        case .refundReversed:
            transaction.revokedAt = nil
            transaction.revocation = nil
        case .other: return
        }
        // Transactions signed earlier do not undo it.
        transaction.signedAt = max(transaction.signedAt, signedAt)
    }

    private mutating func revoke(_ revocation: PurchaseTransaction.Revocation, at instant: UTCInstant) {
        transaction.revokedAt = transaction.revokedAt ?? instant
        transaction.revocation = revocation
    }

    /// Whether the purchase gives premium, and why not.
    package func status(at now: UTCInstant) -> PurchaseStatus {
        if transaction.revokedAt != nil { return transaction.revocation == .refund ? .refunded : .revoked }
        if transaction.isUpgraded { return .upgraded }
        guard let expiresAt = transaction.expiresAt, expiresAt <= now else { return .active }
        if let grace = renewal?.graceExpiresAt, now < grace { return .gracePeriod }
        if renewal?.isInBillingRetry == true, now < expiresAt.adding(days: Self.billingRetryDays) {
            return .billingRetry
        }
        return .expired
    }

    /// When premium by ``status(at:)`` ends or ended; nil when it never ends.
    package func end(at now: UTCInstant) -> UTCInstant? {
        switch status(at: now) {
        case .revoked, .refunded: transaction.revokedAt
        case .gracePeriod: renewal?.graceExpiresAt
        case .none, .active, .billingRetry, .expired, .upgraded: transaction.expiresAt
        }
    }

    /// The purchase that determines a user's status: first by whether it grants premium, then by the latest end, then
    /// by the latest beginning.
    package static func deciding(among purchases: [Purchase], at now: UTCInstant) -> Purchase? {
        purchases.max { left, right in left.rank(at: now) < right.rank(at: now) }
    }

    private func rank(at now: UTCInstant) -> (Int, UTCInstant, UTCInstant, String) {
        let status = status(at: now)
        let entitled = status.isEntitled ? 2 : status == .billingRetry ? 1 : 0
        return (entitled, end(at: now) ?? .latest, transaction.purchasedAt, transaction.productID)
    }
}

extension PurchaseTransaction {
    fileprivate enum Order {
        case earlier
        case same
        case later
    }

    /// Compares two transactions of a purchase by period, then by the time they were signed.
    fileprivate func order(to known: PurchaseTransaction) -> Order {
        let (mine, other) = ((purchasedAt, signedAt), (known.purchasedAt, known.signedAt))
        return mine == other ? .same : mine < other ? .earlier : .later
    }
}
