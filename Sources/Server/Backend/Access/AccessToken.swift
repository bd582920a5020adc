package import Foundation
package import SubGuardDomain

/// What is known of a token. Its secret is not: only a hash of it is stored.
package struct AccessToken: Sendable, Hashable {
    package let id: UUID
    package let name: String
    package let role: Role
    /// The first characters of the token, `sgt_` and four more, to tell it from others in a list.
    package let hint: String
    package let createdAt: UTCInstant
    /// The moment from which it is refused; nil when it never expires.
    package let expiresAt: UTCInstant?
    /// To the minute: see ``AccessTokenStore/noteUse(_:at:)``.
    package let lastUsedAt: UTCInstant?
    package let revokedAt: UTCInstant?

    /// Whether a use at that moment is to be noted: the last note is a minute old, or lies ahead.
    package func isUseWorthNoting(at instant: UTCInstant) -> Bool {
        guard let lastUsedAt else { return true }
        return !(0..<AccessTokenStore.useGranularityMilliseconds).contains(lastUsedAt.milliseconds(until: instant))
    }

    /// Whether it opens anything at that moment.
    package func isValid(at instant: UTCInstant) -> Bool {
        guard revokedAt == nil else { return false }
        return expiresAt.map { instant < $0 } ?? true
    }
}
