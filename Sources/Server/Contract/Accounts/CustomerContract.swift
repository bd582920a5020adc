package import Accounts
package import Foundation
import ServerAccess
package import SubGuardContract
package import SubGuardDomain
import TextCoding

/// Admin calls on customers' accounts and the premium that the operator gives them.
extension APIOperation {
    package static let customers = APIOperation(
        .get, "/api/v1/admin/accounts", "listAccounts", tag: .administration, access: .permission(.accountsManage),
        summary: "List the accounts",
        "The accounts of people who signed in, newest first. No name or address is stored, and the id with which they "
            + "sign in only as a hash.",
        query: .object(CustomerQuery.self), answers: [.json(ListPage<CustomerAccount>.self, "A page of accounts.")])

    package static let customer = APIOperation(
        .get, "/api/v1/admin/accounts/{id:uuid}", "getAccount", tag: .administration,
        access: .permission(.accountsManage), summary: "Show an account", holes: [.id("The account's id.")],
        answers: [.json(CustomerAccount.self, "The account.")])

    package static let grantPremium = APIOperation(
        .post, "/api/v1/admin/accounts/{id:uuid}/premium", "grantPremium", tag: .administration,
        access: .permission(.accountsManage), summary: "Give premium to an account",
        """
        Premium lasts until the end of the day `until` in UTC, whatever becomes of a purchase. It replaces what was \
        given before; repeating it changes nothing. Devices learn it with their next sync. The audit log records the \
        day, not the note.
        """, holes: [.id("The account's id.")], body: .json(NewPremiumGrant.self, "The last day, and a note."),
        answers: [.json(CustomerAccount.self, "The account as it is now.")])

    package static let revokePremium = APIOperation(
        .delete, "/api/v1/admin/accounts/{id:uuid}/premium", "revokePremium", tag: .administration,
        access: .permission(.accountsManage), summary: "Take back the premium given to an account",
        "What was bought stays. Repeating it changes nothing.", holes: [.id("The account's id.")],
        answers: [.empty(204, "Nothing is given to the account.")])

    static let ofCustomers: [APIOperation] = [customers, customer, grantPremium, revokePremium]
}

/// The query of the list of accounts.
package struct CustomerQuery: WireObject {
    package let limit: Int
    /// The last id of the previous page.
    package let cursor: UUID?
    package let id: UUID?

    package static let wire = WireSchema<CustomerQuery>(
        nil, make: CustomerQuery.init,
        Field("limit", \.limit, .pageLimit, "Accounts on a page.", default: 50),
        Field("cursor", \.cursor, optional: .cursor(of: .customers), "`next_cursor` of the page before. Opaque."),
        Field("id", \.id, optional: .givenID, "Only this account, as `subguard premium` shows its id."))

    /// A page of `rows`, which contain one row more than `limit` if there is another page.
    package func page(_ rows: [CustomerAccount]) -> ListPage<CustomerAccount> {
        ListPage(rows, limit: limit, of: .customers, cursor: { PageCursor(ids: [$0.id]) }, item: { $0 })
    }
}

extension CustomerAccount: WireObject {
    package static let wire = WireSchema<CustomerAccount>("Account", "An account of a person who signed in.") {
        Field("id", \.id, .id)
        Field("created_on", \.createdAt.day, .day, "The day of the first sign-in, in UTC.")
        Field(
            "sign_in_hash", \.signInHash, .text(pattern: "^[0-9a-f]{64}$"),
            "A hash of the id with which the person signs in, with a secret of this server.",
            example: String(repeating: "3f", count: 32))
        Field("premium", \.standing, .object, "The premium of the account now, as its devices see it.")
        Field(
            "granted", \.grant, nullable: .object,
            "What the operator gave, also when that has ended; null if nothing.")
    }

    /// Hexadecimal digits.
    package var signInHash: String { Hexadecimal.text(subjectHash) }

    private var standing: CustomerPremium { CustomerPremium(premium: premium) }
}

/// The premium of an account, for an operator.
private struct CustomerPremium: WireObject {
    let premium: Premium

    static let wire = WireSchema<CustomerPremium>("AccountPremium") {
        Field("status", \.premium.status, .choice, "`active` and `grace_period` give premium.", example: .active)
        Field("source", \.premium.source, nullable: .choice, "Null without premium so far.", example: .granted)
        Field("product_id", \.premium.productID, nullable: .text(), "Null without a purchase.", example: nil)
        Field(
            "expires_at", \.premium.expiresAt, nullable: .instant,
            "When premium ends or ended; null without premium so far, and for a purchase that never ends.")
    }
}

extension PremiumGrant: WireObject {
    package static let wire = WireSchema<PremiumGrant>("PremiumGrant") {
        Field("until", \.untilOn, .day, "The last day, in UTC.")
        Field("note", \.note, nullable: .reason, "The operator's.", example: "won it in the raffle")
        Field("granted_at", \.grantedAt, .instant)
    }
}

/// The request to give premium.
package struct NewPremiumGrant: WireObject {
    package let until: CalendarDay
    package let note: String?

    package static let wire = WireSchema<NewPremiumGrant>(
        "NewPremiumGrant", make: NewPremiumGrant.init,
        Field(
            "until", \.until, .day, "The last day, in UTC: from today to 100 years ahead.",
            example: CalendarDay(iso: "2099-12-31")),
        Field(
            "note", \.note, optional: .reason, orNull: true,
            "For operators; deleted with the grant or the account. Default: none.", example: "won it in the raffle"))
}

extension PageCursor.List {
    fileprivate static let customers = PageCursor.List("accounts", ids: 1)
}

/// Calls made by Apple.
extension APIOperation {
    package static let appleNotifications = APIOperation(
        .post, "/api/v1/auth/apple/notifications", "receiveAppleNotification", tag: .accounts, access: .open,
        summary: "Receive an account event of Apple",
        """
        When consent was withdrawn or the Apple account was deleted, the account is erased here too. Each notification \
        counts once, by its `jti`.
        """, body: .json(AppleAccountNotification.self, "A JWT, signed by Apple."),
        answers: [.empty(200, "Accepted, or known already.")],
        problems: [.invalidSignature, .signInNotConfigured, .appleUnavailable], traits: .anyQuery)

    package static let appStoreNotifications = APIOperation(
        .post, "/api/v1/app_store/notifications", "receiveStoreNotification", tag: .premium, access: .open,
        summary: "Receive an App Store notification (version 2)",
        """
        Each notification counts once, by its `notificationUUID`; one that was signed before the last effective \
        notification changes nothing. Unknown types are accepted and ignored.
        """, body: .json(AppStoreNotification.self, "A JWS, signed by the App Store."),
        answers: [.empty(200, "Accepted, or known already.")], problems: [.invalidSignature, .premiumNotConfigured],
        traits: .anyQuery)

    static let ofApple: [APIOperation] = [appleNotifications, appStoreNotifications]
}

/// A Sign in with Apple server-to-server notification, about 1 KB.
package struct AppleAccountNotification: WireObject {
    /// A JWT signed by Apple.
    package let payload: String

    package static let wire = WireSchema<AppleAccountNotification>(
        "AppleAccountNotification", "Further members are ignored.", make: AppleAccountNotification.init,
        Field(
            "payload", \.payload, .text(bytes: 1...16_384), "At most 16384 bytes.",
            example:
                "eyJhbGciOiJSUzI1NiIsImtpZCI6IlcyZDRmNiJ9.eyJpc3MiOiJodHRwczovL2FwcGxlaWQuYXBwbGUuY29tIn0.c2lnbmF0dXJl"
        ), unknown: .ignored)
}

/// An App Store Server Notification, version 2, about 12,000 bytes.
package struct AppStoreNotification: WireObject {
    /// A JWS signed by the App Store.
    package let signedPayload: String

    package static let wire = WireSchema<AppStoreNotification>(
        "AppStoreNotification", "Further members are ignored.", make: AppStoreNotification.init,
        Field(
            "signedPayload", \.signedPayload, .text(bytes: 1...131_072), "At most 131072 bytes.",
            example: "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJidW5kbGVJZCI6ImFwcC5leGFtcGxlIn0.c2lnbmF0dXJl"),
        unknown: .ignored)
}
