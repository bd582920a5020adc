package import Foundation

/// Who makes a *session* call.
package struct AccountSession: Sendable, Hashable {
    package let id: UUID
    package let accountID: UUID
}

/// A pair of tokens as they leave the server; only their hashes stay.
package struct IssuedTokens: Sendable, Hashable {
    package let accessToken: String
    package let refreshToken: String
    /// Seconds from now.
    package let expiresIn: Int64
}

/// What is wrong with a refresh token or an identity token, as far as its sender is told.
package enum AccountRefusal: Error, Sendable, Hashable {
    case invalidIdentityToken
    case invalidRefreshToken
}
