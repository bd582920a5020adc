import SubGuardDomain

/// Calls on accounts: Sign in with Apple, sessions and erasure.
extension APIOperation {
    public static let signIn = APIOperation(
        .post, "/api/v1/auth/apple", "signIn", tag: .accounts, access: .open, summary: "Sign in with Apple",
        """
        Takes the identity token that Apple gave to the app. Its `nonce` must be the SHA-256 of the raw nonce, in \
        hexadecimal digits; each token and each nonce can be used once. Creates the account if it is new. Names and \
        email addresses are not stored.
        """, body: .json(AppleSignIn.self, "Apple's token and the raw nonce."),
        answers: [.json(SessionTokens.self, "Signed in.")],
        problems: [.invalidIdentityToken, .signInNotConfigured, .appleUnavailable])

    public static let refreshSession = APIOperation(
        .post, "/api/v1/auth/refresh", "refreshSession", tag: .accounts, access: .open, summary: "Refresh a session",
        """
        Exchanges the refresh token for a new pair. A refresh token that is used twice ends the session. One \
        exception: the previous token works again for a minute while neither token of the new pair was used, because \
        the response with the new pair may have been lost.
        """, body: .json(SessionRefresh.self, "The latest refresh token."),
        answers: [.json(SessionTokens.self, "The next pair.")], problems: [.invalidRefreshToken])

    public static let signOut = APIOperation(
        .post, "/api/v1/auth/sign_out", "signOut", tag: .accounts, access: .session, summary: "Sign out",
        "Ends the session: all its tokens become invalid. Nothing else changes.",
        answers: [.empty(204, "Signed out.")])

    public static let eraseAccount = APIOperation(
        .delete, "/api/v1/me", "eraseAccount", tag: .accounts, access: .session, summary: "Erase the account",
        """
        Deletes the account and its sessions and unlinks its purchases, immediately and permanently. Signing in again \
        creates a new account.
        """, answers: [.empty(204, "The account is erased.")])

    static let ofAccounts: [APIOperation] = [signIn, refreshSession, signOut, eraseAccount]
}

/// The proof of Sign in with Apple.
package struct AppleSignIn: WireObject, Hashable {
    /// A JWT signed by Apple.
    package let identityToken: String
    /// The raw nonce. The app sends its SHA-256, as hexadecimal digits, in the request to Apple.
    package let nonce: String

    package init(identityToken: String, nonce: String) {
        self.identityToken = identityToken
        self.nonce = nonce
    }

    package static let wire = WireSchema<AppleSignIn>(
        "AppleSignIn", make: AppleSignIn.init,
        // Apple's tokens are about 900 bytes long.
        Field(
            "identity_token", \.identityToken, .text(bytes: 1...8192), "At most 8192 bytes.",
            example:
                "eyJhbGciOiJSUzI1NiIsImtpZCI6IlcyZDRmNiJ9.eyJpc3MiOiJodHRwczovL2FwcGxlaWQuYXBwbGUuY29tIn0.c2lnbmF0dXJl"
        ),
        Field("nonce", \.nonce, .text(bytes: 1...256), "At most 256 bytes.", example: "n-0S6_WzA2Mj"))
}

/// The request to refresh the tokens of a session.
package struct SessionRefresh: WireObject, Hashable {
    package let refreshToken: String

    package init(refreshToken: String) { self.refreshToken = refreshToken }

    package static let wire = WireSchema<SessionRefresh>(
        "SessionRefresh", make: SessionRefresh.init,
        Field(
            "refresh_token", \.refreshToken, .text(bytes: SessionTokens.bytes), "At most 128 bytes.",
            example: "sgr_q9HsT2vB6nLxE1mKd0RzYw4cJ8uFgP5oAiX7tNbQ3eU"))
}

/// A pair of tokens. The server stores only their hashes.
package struct SessionTokens: WireObject, Hashable {
    /// Sent with each session call as `Authorization: Bearer …`.
    package let accessToken: String
    /// Valid for one refresh.
    package let refreshToken: String
    /// The lifetime of the access token in seconds, from the time of the response.
    package let expiresIn: Int64

    package init(accessToken: String, refreshToken: String, expiresIn: Int64) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }

    /// Bounds of a token's length in bytes; this server's tokens have 47.
    fileprivate static let bytes = 1...128

    package static let wire = WireSchema<SessionTokens>(
        "SessionTokens", "Returned once: the server stores only hashes.",
        make: { access, refresh, seconds, _ in
            SessionTokens(accessToken: access, refreshToken: refresh, expiresIn: seconds)
        },
        Field(
            "access_token", \.accessToken, .text(bytes: bytes, pattern: "^sga_[A-Za-z0-9_-]{43}$"),
            example: "sga_Yk3dE0yWmT5r8uXo1pQb7LsVnZ2hJ4cKfA6gRiNtDwM"),
        Field(
            "refresh_token", \.refreshToken, .text(bytes: bytes, pattern: "^sgr_[A-Za-z0-9_-]{43}$"),
            example: "sgr_q9HsT2vB6nLxE1mKd0RzYw4cJ8uFgP5oAiX7tNbQ3eU"),
        Field(
            "expires_in", \.expiresIn, .integer(1...Int64.max), "The lifetime of the access token in seconds.",
            example: 3600),
        Field("token_type", { _ in "Bearer" }, .constant("Bearer")))
}
