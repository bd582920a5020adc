import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain

/// The session of whoever is signed in with a server: Sign in with Apple, rotation of tokens, sign-out, erasure.
///
/// Several processes may share one: the refresh of an access token happens once, under a lock, and the others find its
/// result. A refresh whose answer was lost is repeated with the same token, for which the server has a grace.
public struct AccountSession: Sendable {
    public let server: ServerConnection
    private let credentials: any CredentialStore
    private let lockPath: String

    /// - Parameter lockPath: a file that all processes share which share the credentials; made when it is missing.
    public init(server: ServerConnection, credentials: any CredentialStore, lockPath: String) {
        self.server = server
        self.credentials = credentials
        self.lockPath = lockPath
    }

    /// The same session with this connection of the same server.
    func with(_ server: ServerConnection) -> AccountSession {
        AccountSession(server: server, credentials: credentials, lockPath: lockPath)
    }

    /// Whether there are credentials for this server. Asks nobody.
    public var isSignedIn: Bool {
        get throws(ClientError) { try credentials.load()?.server == server.address.text }
    }

    /// Exchanges what Sign in with Apple gave for a session. Sent once and never again: the server takes each identity
    /// token for one sign-in.
    ///
    /// - Parameters:
    ///   - identityToken: the JWT of Apple.
    ///   - nonce: the raw one, whose SHA-256 went to Apple.
    public func signIn(identityToken: String, nonce: String) async throws(ClientError) {
        var writer = JSONWriter()
        AppleSignIn(identityToken: identityToken, nonce: nonce).write(to: &writer)
        let call = ServerCall(.signIn, body: writer.bytes)
        try keep(try await server.object(call), call)
    }

    /// Ends the session here, and at the server when it can be reached. Returns whether the server was told. Credentials
    /// that cannot be used go as well.
    @discardableResult
    public func signOut() async throws(ClientError) -> Bool {
        guard (try? isSignedIn) == true else {
            try credentials.remove()
            return false
        }
        var wasTold = true
        do { _ = try await answer(to: ServerCall(.signOut, mayRepeat: true)) } catch { wasTold = false }
        try credentials.remove()
        return wasTold
    }

    /// Erases the account at the server and forgets the session. Throws ``ClientError/sessionEnded`` when the server
    /// knows the session no more, which is also so after an erasure whose answer was lost; the session is forgotten then,
    /// too.
    public func erase() async throws(ClientError) {
        do {
            _ = try await answer(to: ServerCall(.eraseAccount, mayRepeat: true))
        } catch .sessionEnded {
            try credentials.remove()
            throw .sessionEnded
        }
        try credentials.remove()
    }

    /// The answer to a call that needs a session. An access token that is no longer good is refreshed once.
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

    /// Credentials with another access token than that of `spent`: those that another process has brought meanwhile, or
    /// new ones.
    private func refreshed(_ spent: Credentials) async throws(ClientError) -> Credentials {
        guard let lock = try await FileLock.take(lockPath, patience: server.left(of: .seconds(40))) else { throw .busy }
        defer { withExtendedLifetime(lock) {} }
        let held = try required()
        if held.accessToken != spent.accessToken { return held }
        var writer = JSONWriter()
        SessionRefresh(refreshToken: held.refreshToken).write(to: &writer)
        // May be repeated: for a minute the server gives a successor for the same token again while none was used.
        let call = ServerCall(.refreshSession, body: writer.bytes, mayRepeat: true)
        do {
            return try keep(try await server.object(call), call)
        } catch .refused(401, _, _) {
            throw .sessionEnded
        }
    }

    @discardableResult
    private func keep(_ object: JSONObject, _ call: ServerCall) throws(ClientError) -> Credentials {
        guard let tokens = try? SessionTokens(object) else { throw .unreadable(call: call.route.template) }
        let kept = Credentials(
            server: server.address.text, accessToken: tokens.accessToken, refreshToken: tokens.refreshToken)
        try credentials.save(kept)
        return kept
    }
}
