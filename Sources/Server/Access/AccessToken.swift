import Cryptography
package import Foundation
package import SubGuardDomain
import TextCoding

/// An admin token without its secret, of which only a hash is stored.
package struct AccessToken: Sendable, Hashable {
    package let id: UUID
    package let name: String
    package let role: Role
    /// The first characters of the token, `sgt_` and four more, to recognise it in a list.
    package let hint: String
    package let createdAt: UTCInstant
    /// Nil if it never expires.
    package let expiresAt: UTCInstant?
    /// Accurate to the minute: see ``AccessTokenStore/noteUse(_:at:)``.
    package let lastUsedAt: UTCInstant?
    /// In the future for a token that was replaced and is still valid for its grace.
    package let revokedAt: UTCInstant?
    /// Whether it is revoked whatever the time is: another server's clock may not have reached ``revokedAt``.
    package let isRevoked: Bool

    /// Whether a use at `instant` must be recorded: the last record is at least a minute old or in the future.
    package func isUseWorthNoting(at instant: UTCInstant) -> Bool {
        guard let lastUsedAt else { return true }
        return !(0..<AccessTokenStore.useGranularityMilliseconds).contains(lastUsedAt.milliseconds(until: instant))
    }

    /// What has become of a token. The raw value is its name on the wire.
    package enum Status: String, Sendable, CaseIterable {
        case valid
        case expired
        case revoked
    }

    package func status(at instant: UTCInstant) -> Status {
        if isRevoked { return .revoked }
        if let revokedAt, revokedAt <= instant { return .revoked }
        return expiresAt.map { instant < $0 } ?? true ? .valid : .expired
    }

    /// Whether it is valid at that moment.
    package func isValid(at instant: UTCInstant) -> Bool { status(at: instant) == .valid }
}

/// The form of a token: `sgt_` and 43 characters of base64url (RFC 4648 section 5, no padding) for 256 random bits.
package enum AccessTokenSecret {
    static let prefix = "sgt_"
    static let randomByteCount = 32
    static let characterCount = 47
    /// Four characters of the secret are shown: 24 of its 256 bits.
    static let hintCharacterCount = 8

    static func makeText(of random: [UInt8]) -> String {
        prefix + Base64URL.text(of: random)
    }

    static func hash(_ token: String) -> [UInt8] {
        SHA256.hash(of: token.utf8)
    }

    /// Whether a text has the form of a token. Checked first, so that no long text is hashed in vain.
    package static func isWellFormed(_ token: String) -> Bool {
        token.utf8.count == characterCount && token.hasPrefix(prefix)
            && token.utf8.dropFirst(prefix.utf8.count).allSatisfy(Base64URL.isDigit)
    }
}
