/// One purchase through all its renewals, as the App Store's signed messages tell it, and how it stands at a moment.
///
/// Messages come in any order and more than once. Of two transactions the one of the later period counts, and of one
/// period the one that was signed later; a notification that was signed before the last one that counted says nothing new,
/// unless it takes back and no transaction was signed since. What a notification says by its kind holds from the moment at
/// which it was signed, however old the transaction is that it carries. So the order in which messages arrive makes no
/// difference, but for what only a missing one would have told.
public struct Purchase: Sendable, Hashable {
    public var transaction: PurchaseTransaction
    public var renewal: PurchaseRenewal?
    /// When the last notification that counted was signed.
    public var notifiedAt: UTCInstant?

    /// How long the App Store goes on trying to renew after the end of what was paid for.
    public static let billingRetryDays = 60

    public init(transaction: PurchaseTransaction, renewal: PurchaseRenewal? = nil, notifiedAt: UTCInstant? = nil) {
        self.transaction = transaction
        self.renewal = renewal
        self.notifiedAt = notifiedAt
    }

    /// Takes in a transaction that a device showed. Returns whether it counts.
    @discardableResult
    public mutating func apply(_ shown: PurchaseTransaction) -> Bool {
        guard shown.order(to: transaction) == .later else { return false }
        take(shown)
        return true
    }

    private mutating func take(_ shown: PurchaseTransaction) {
        // What was said of the renewal of an earlier period is answered by the new one.
        if shown.purchasedAt > transaction.purchasedAt, let known = renewal, known.signedAt <= shown.signedAt {
            renewal = nil
        }
        transaction = shown
    }

    /// Takes in what a notification carried; `told` is nil when it carried no renewal. Returns whether it counts.
    @discardableResult
    public mutating func apply(
        _ event: PurchaseEvent, _ carried: PurchaseTransaction, renewal told: PurchaseRenewal?, signedAt: UTCInstant
    ) -> Bool {
        guard carried.purchasedAt >= transaction.purchasedAt else { return false }
        if let notifiedAt, signedAt < notifiedAt {
            // A refund must not be lost to a later notification that told nothing of it.
            guard event.takesBack, carried.purchasedAt > transaction.purchasedAt || signedAt > transaction.signedAt
            else { return false }
        }
        if carried.order(to: transaction) != .earlier { take(carried) }
        if let told, renewal.map({ $0.signedAt <= told.signedAt }) ?? true { renewal = told }
        // A device may have shown what the App Store said after this.
        if signedAt >= transaction.signedAt { apply(event, signedAt: signedAt) }
        notifiedAt = notifiedAt.map { max($0, signedAt) } ?? signedAt
        return true
    }

    /// A purchase that is first heard of by a notification.
    public init(
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
        // From then on the App Store has said so, and a transaction that it signed before does not undo it.
        transaction.signedAt = max(transaction.signedAt, signedAt)
    }

    private mutating func revoke(_ revocation: PurchaseTransaction.Revocation, at instant: UTCInstant) {
        transaction.revokedAt = transaction.revokedAt ?? instant
        transaction.revocation = revocation
    }

    public func status(at now: UTCInstant) -> PurchaseStatus {
        if transaction.revokedAt != nil { return transaction.revocation == .refund ? .refunded : .revoked }
        if transaction.isUpgraded { return .upgraded }
        guard let expiresAt = transaction.expiresAt, expiresAt <= now else { return .active }
        if let grace = renewal?.graceExpiresAt, now < grace { return .gracePeriod }
        if renewal?.isInBillingRetry == true, now < expiresAt.adding(days: Self.billingRetryDays) {
            return .billingRetry
        }
        return .expired
    }

    /// Until when ``status(at:)`` gives premium, or when it ended; nil for what never ends.
    public func end(at now: UTCInstant) -> UTCInstant? {
        switch status(at: now) {
        case .revoked, .refunded: transaction.revokedAt
        case .gracePeriod: renewal?.graceExpiresAt
        case .none, .active, .billingRetry, .expired, .upgraded: transaction.expiresAt
        }
    }

    /// Of several purchases of one person, the one that decides: one that gives premium before one that does not, then the
    /// one that lasts longest, then the one that began last.
    public static func deciding(among purchases: [Purchase], at now: UTCInstant) -> Purchase? {
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

    /// Which of two transactions of one purchase counts: that of the later period, and of one period the one that was signed
    /// later.
    fileprivate func order(to known: PurchaseTransaction) -> Order {
        let (mine, other) = ((purchasedAt, signedAt), (known.purchasedAt, known.signedAt))
        return mine == other ? .same : mine < other ? .earlier : .later
    }
}
