import Cryptography
package import Foundation
package import SubGuardDomain
import TextCoding

/// A session of the console in a browser. It has no permissions of its own: every request looks up its token.
package struct ConsoleSession: Sendable, Hashable {
    package let id: UUID
    package let tokenID: UUID
    /// What the browser calls itself, shortened.
    package let browser: String?
    package let createdAt: UTCInstant
    /// Accurate to the minute.
    package let lastUsedAt: UTCInstant
    /// When the token was entered last: at the sign-in, or to confirm an action. A passkey whose authenticator verified
    /// its user counts as well; after one that did not, the earliest instant stands here.
    package let confirmedAt: UTCInstant

    /// A session ends after this time without a request.
    package static let idleHours = 12
    /// A session ends after this time in any case.
    package static let longestDays = 7
    /// A link ends after this time.
    package static let linkMinutes = 10
    /// Changes of access need the token again after this time.
    package static let confirmationMinutes = 15

    /// Whether it has neither been idle for too long nor become too old. A clock that was set back by a few minutes
    /// ends no session.
    package func isCurrent(at now: UTCInstant) -> Bool {
        Self.isWithin(minutes: Self.idleHours * 60, of: lastUsedAt, at: now)
            && Self.isWithin(minutes: Self.longestDays * 24 * 60, of: createdAt, at: now)
    }

    /// Whether the token was entered recently enough for changes of access.
    package func isConfirmed(at now: UTCInstant) -> Bool {
        Self.isWithin(minutes: Self.confirmationMinutes, of: confirmedAt, at: now)
    }

    private static func isWithin(minutes: Int, of instant: UTCInstant, at now: UTCInstant) -> Bool {
        let lasting = Int64(-BackendContext.clockMinutes) * 60_000..<Int64(minutes) * 60_000
        return lasting.contains(instant.milliseconds(until: now))
    }

    /// Whether a use at `now` must be recorded.
    package func isUseWorthNoting(at now: UTCInstant) -> Bool {
        !(0..<60_000).contains(lastUsedAt.milliseconds(until: now))
    }
}

/// A session with its token, for lists.
package struct ListedConsoleSession: Sendable, Hashable {
    package let session: ConsoleSession
    package let token: AccessToken
}

/// The secret of a session or a link: 43 characters of base64url for 256 random bits, of which only a hash is stored.
package enum ConsoleSecret {
    static let randomByteCount = 32
    static let characterCount = 43

    static func hash(_ text: String) -> [UInt8] { SHA256.hash(of: text.utf8) }

    /// Checked first, so that no long text is hashed in vain.
    package static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == characterCount && text.utf8.allSatisfy(Base64URL.isDigit)
    }
}
