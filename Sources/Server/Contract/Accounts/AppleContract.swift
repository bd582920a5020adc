package import SubGuardContract
import SubGuardDomain

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
