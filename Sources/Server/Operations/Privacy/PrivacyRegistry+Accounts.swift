import Accounts
import SubGuardDomain

/// Tables of accounts, purchases and erasure requests.
extension PrivacyRegistry {
    private static let untilErased: Sentence =
        "Until the account is erased, by its owner or by a notification from Apple."

    static let accounts: [String: Table] = [
        "accounts": Table(
            "One row per person who signed in with Apple. No name, no mail address.", .accounts, untilErased,
            [
                "id": "Random id.",
                "subject_hash":
                    """
                Apple's id of this person, hashed with a secret of this store (HMAC-SHA-256); it cannot be \
                recovered.
                """,
                "purchase_token":
                    "Derived from the same id and secret; the app attaches it to purchases in the App Store.",
                "created_at": "The first sign-in.",
            ]),
        "account_sessions": Table(
            "One row per signed-in device.", .accounts,
            "Until it signs out, or until \(AccountStore.refreshDays) days without a refresh.",
            ["id": "Random id.", "account_id": "The account.", "created_at": "The sign-in."]),
        "session_tokens": Table(
            "Tokens of sessions, by their hash.", .accounts, "Until they expire, at the latest with the session.",
            [
                "token_hash": "SHA-256 of a random token.", "session_id": "The session.",
                "kind": "Access token or refresh token.",
                "generation": "Number of refreshes before it.",
                "expires_at": "When it expires.", "used_at": "When it was first used.",
            ]),
        "spent_proofs": Table(
            "Proofs that may be used only once, to recognise repetitions.", .accounts,
            """
            Until \(AccountStore.proofGraceMinutes) minutes after the proof expires; ids of Apple's notifications at \
            least \(AccountStore.notificationDays) days.
            """,
            [
                "proof_hash": "SHA-256 of an identity token, of its nonce, or of the id of a notification.",
                "expires_at": "When the proof expires.",
            ]),
        "purchases": Table(
            "Purchases in the App Store, one row each. No price, no means of payment.", .accounts,
            """
            Until \(PremiumStore.unclaimedDays) days after its last change, but not while an account has it; erasing \
            the account leaves it without one. Something without an end that was taken back: as long as the store, \
            because what was signed before that has no end either.
            """,
            [
                "purchase_hash": "Apple's id of the purchase, hashed with a secret of this store.",
                "account_id": "The account that presented it; empty after that account is erased.",
                "product_id": "The product.",
                "is_family_shared": "Whether it comes from family sharing.",
                "purchased_at": "When the current period began.",
                "expires_at": "When it ends.", "revoked_at": "When it was revoked.",
                "is_refund": "Whether it was refunded.", "is_upgraded": "Whether it was replaced by an upgrade.",
                "grace_expires_at": "The end of a grace period.", "is_in_billing_retry": "Whether a renewal failed.",
                "transaction_signed_at": "When the App Store signed the latest transaction.",
                "renewal_signed_at": "When it signed the latest renewal.",
                "notified_at": "When it sent the latest relevant notification.",
                "updated_at": "The latest change of this row.",
                "environment": "Whether it was bought by a tester, without money.",
            ]),
        "premium_grants": Table(
            "Premium that the operator gave to an account, one row each.", .accounts,
            "Until it is taken back, or until the account is erased.",
            [
                "account_id": "The account.", "until_on": "The last day.",
                "note": "What the operator noted about it, if anything.",
                "granted_at": "When it was given.",
            ]),
        "app_store_notifications": Table(
            "Notifications of the App Store, to recognise repetitions.", .accounts,
            "\(PremiumStore.notificationDays) days, then purged.",
            [
                "id": "Apple's random id of the notification.", "notification_type": "Its type.",
                "subtype": "Its subtype.", "signed_at": "When the App Store signed it.",
                "received_at": "When the server received it.",
            ]),
        "analytics_erasures": Table(
            "Devices that requested the anonymisation of their events.", .devices, "Until it is done, a few minutes.",
            [
                "user_hash": "The hash that the device sends with its events.", "requested_at": "When it requested it.",
                "repeated_at": "When it requested it again, while the first request was carried out.",
                "replacement_hash": "The random hash that replaces it.",
                "swept_block_id": "Last rewritten block of the log.", "last_block_id": "Last block to rewrite.",
            ]),
    ]
}
