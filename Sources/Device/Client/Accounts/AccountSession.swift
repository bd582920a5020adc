import Foundation
import JSONWire
import SubGuardContract

/// The session of a signed-in user: Sign in with Apple, token rotation, sign-out, erasure.
///
/// Processes of a device can share a session: an access token is refreshed once, under a lock. A refresh whose response
/// was lost is repeated with the same token, which the server accepts for a minute.
public struct AccountSession: Sendable {
    /// The server of the account.
    public let server: ServerConnection
    private let credentials: any CredentialStore
    private let lockPath: String

    /// A session with the stored credentials, if they are of this server. The file at `lockPath` is the lock that all
    /// processes with these credentials share; it is created if missing.
    public init(server: ServerConnection, credentials: any CredentialStore, lockPath: String) {
        self.server = server
        self.credentials = credentials
        self.lockPath = lockPath
    }

    /// The same session with another connection to the same server.
    func with(_ server: ServerConnection) -> AccountSession {
        AccountSession(server: server, credentials: credentials, lockPath: lockPath)
    }

    /// Whether there are credentials for this server; works offline.
    public var isSignedIn: Bool {
        get throws(ClientError) { try credentials.load()?.server == server.address.text }
    }

    /// The server of another session, whose credentials are held in this one's place; nil if there is none, or if they
    /// are unusable. Signing in or out here would forget it without a word to that server.
    package var otherServer: String? {
        guard let held = (try? credentials.load())?.server, held != server.address.text else { return nil }
        return held
    }

    /// Signs in with an identity token of Sign in with Apple. Never retried: the server accepts each token once.
    ///
    /// - Parameters:
    ///   - identityToken: the JWT from Apple.
    ///   - nonce: the raw nonce; its SHA-256 was sent to Apple.
    public func signIn(identityToken: String, nonce: String) async throws(ClientError) {
        let call = ServerCall(.signIn, body: AppleSignIn(identityToken: identityToken, nonce: nonce).json())
        let tokens = try issued(try await server.object(call), call)
        // Else a refresh of the former session could write its own in their place.
        let lock = try? await takeLock()
        defer { withExtendedLifetime(lock) {} }
        try credentials.save(tokens)
    }

    /// Signs out: deletes the credentials, even unusable ones, and ends the session on the server if it can be reached.
    /// Returns whether the server was notified.
    @discardableResult
    public func signOut() async throws(ClientError) -> Bool {
        guard (try? isSignedIn) == true else {
            try await remove()
            return false
        }
        var isServerNotified = true
        do { _ = try await answer(to: ServerCall(.signOut, mayRepeat: true)) } catch { isServerNotified = false }
        try await remove()
        return isServerNotified
    }

    /// Erases the account on the server and deletes the credentials. Throws ``ClientError/sessionEnded`` when the
    /// session has expired, also after an erasure whose response was lost; the credentials are then deleted too.
    public func erase() async throws(ClientError) {
        do {
            _ = try await answer(to: ServerCall(.eraseAccount, mayRepeat: true))
        } catch .sessionEnded {
            try await remove()
            throw .sessionEnded
        }
        try await remove()
    }

    /// Deletes the credentials, after a refresh by another process, which would write new ones. Does not depend on it.
    private func remove() async throws(ClientError) {
        let lock = try? await takeLock()
        defer { withExtendedLifetime(lock) {} }
        try credentials.remove()
    }

    private func takeLock() async throws(ClientError) -> FileLock? {
        try await FileLock.take(lockPath, timeout: server.left(of: .seconds(40)))
    }

    /// Sends a call that requires a session. Refreshes an expired access token once.
    package func answer(to call: ServerCall) async throws(ClientError) -> TransportAnswer {
        var call = call
        let held = try required()
        call.token = held.accessToken
        do {
            return try await server.answer(to: call)
        } catch .refused(401, _, _) {
            call.token = try await refreshed(held).accessToken
            do {
                return try await server.answer(to: call)
            } catch .refused(401, _, _) {
                throw .sessionEnded
            }
        }
    }

    private func required() throws(ClientError) -> Credentials {
        guard let held = try credentials.load(), held.server == server.address.text else { throw .notSignedIn }
        return held
    }

    /// Credentials with a new access token, refreshed by this or another process.
    private func refreshed(_ spent: Credentials) async throws(ClientError) -> Credentials {
        guard let lock = try await takeLock() else { throw .busy }
        defer { withExtendedLifetime(lock) {} }
        let held = try required()
        if held.accessToken != spent.accessToken { return held }
        let body = SessionRefresh(refreshToken: held.refreshToken).json()
        // Can be repeated: for a minute the server accepts the same token again if its successor was not used.
        let call = ServerCall(.refreshSession, body: body, mayRepeat: true)
        let new: Credentials
        do {
            new = try issued(try await server.object(call), call)
        } catch .refused(401, _, _) {
            throw .sessionEnded
        }
        // Signed out meanwhile, or in again: that stands.
        let present = try required()
        guard present.refreshToken == held.refreshToken else { return present }
        try credentials.save(new)
        return new
    }

    private func issued(_ object: JSONObject, _ call: ServerCall) throws(ClientError) -> Credentials {
        guard let tokens = try? SessionTokens(object, unknown: .ignored) else {
            throw .unreadable(call: call.route.template)
        }
        return Credentials(
            server: server.address.text, accessToken: tokens.accessToken, refreshToken: tokens.refreshToken)
    }
}
