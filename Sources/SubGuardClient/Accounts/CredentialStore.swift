/// What a signed-in device holds.
public struct Credentials: Sendable, Hashable {
    /// The server that gave them, and the only one that ever sees them.
    public var server: String
    public var accessToken: String
    public var refreshToken: String

    public init(server: String, accessToken: String, refreshToken: String) {
        self.server = server
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }
}

/// Where credentials are kept: a file of the owner's alone, or the Keychain of Apple's systems.
public protocol CredentialStore: Sendable {
    /// Nil when there are none. Throws when they cannot be kept safe or read.
    func load() throws(ClientError) -> Credentials?
    /// Takes the place of what was there; on disk when this returns.
    func save(_ credentials: Credentials) throws(ClientError)
    /// Nothing happens when there are none.
    func remove() throws(ClientError)
}
