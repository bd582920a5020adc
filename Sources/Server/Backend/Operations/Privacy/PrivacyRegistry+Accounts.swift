/// Tables of accounts, of what was bought with them, and of wishes to be forgotten.
extension PrivacyRegistry {
    private static let untilErased = "Until the account is erased, by its holder or by Apple's word."

    static let accounts: [String: Table] = [
        "accounts": Table(
            "One row a person who signed in with Apple. No name, no mail address.", .accounts, untilErased,
            [
                "id": "Random id.",
                "subject_hash":
                    "What Apple calls this person, hashed with a secret of this store (HMAC-SHA-256): it cannot be read back.",
                "purchase_token":
                    "Made of the same, with the same secret: what the app gives to the App Store with a purchase.",
                "created_at": "The first sign-in.",
            ]),
        "account_sessions": Table(
            "One row a device that is signed in.", .accounts,
            "Until it signs out, or nothing refreshed it for \(AccountStore.refreshDays) days.",
            ["id": "Random id.", "account_id": "Whose.", "created_at": "The sign-in."]),
        "session_tokens": Table(
            "Tokens of sessions, by their hash.", .accounts, "Until they expire, at the latest with the session.",
            [
                "token_hash": "SHA-256 of a random token.", "session_id": "Of which session.",
                "kind": "Whether it opens calls or gets new tokens.",
                "generation": "How many refreshes there were before.",
                "expires_at": "When it ends.", "used_at": "When it was first used.",
            ]),
        "spent_proofs": Table(
            "What may be used once, to know it again.", .accounts,
            "Until it would have expired; ids of Apple's notifications at least \(AccountStore.notificationDays) days.",
            [
                "proof_hash": "SHA-256 of an identity token, of its nonce, or of the id of a notification.",
                "expires_at": "When it needs not be known any more.",
            ]),
        "purchases": Table(
            "What was bought at the App Store, one row a purchase. No price, no means of payment.", .accounts,
            """
            Until \(PremiumStore.unclaimedDays) days after its last change, but not while an account has it; erasing the account \
            leaves it without one. Something without an end that was taken back: as long as the store, because what was \
            signed before that has no end either.
            """,
            [
                "purchase_hash": "Apple's number of the purchase, hashed with a secret of this store.",
                "account_id": "Whose, when somebody has shown it; empty again once that account is erased.",
                "product_id": "Which product.",
                "is_family_shared": "Whether it came by family sharing.",
                "purchased_at": "When the present period began.",
                "expires_at": "When it ends.", "revoked_at": "When it was taken back.",
                "is_refund": "Whether that was a refund.", "is_upgraded": "Whether a better product took its place.",
                "grace_expires_at": "The end of a grace period.", "is_in_billing_retry": "Whether a renewal failed.",
                "transaction_signed_at": "When the App Store said the last of this.",
                "renewal_signed_at": "When it said so of the renewal.",
                "notified_at": "When it sent the last notification that counted.",
                "updated_at": "When this row changed last.",
            ]),
        "app_store_notifications": Table(
            "Notifications of the App Store, to know one again that is sent twice.", .accounts,
            "\(PremiumStore.notificationDays) days, then purged.",
            [
                "id": "Apple's random id of the notification.", "notification_type": "What it is about.",
                "subtype": "What it is about, more closely.", "signed_at": "When the App Store signed it.",
                "received_at": "When it came.",
            ]),
        "analytics_erasures": Table(
            "Devices that asked for their events to be made anonymous.", .devices, "Until that is done, some minutes.",
            [
                "user_hash": "The hash that the device sends with its events.", "requested_at": "When it asked.",
                "replacement_hash": "The random hash that takes its place.",
                "swept_block_id": "How far the log was rewritten.", "last_block_id": "How far it has to be.",
            ]),
    ]
}
