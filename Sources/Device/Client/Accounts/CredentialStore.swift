import JSONWire

/// The tokens of a session.
public struct Credentials: Sendable, Hashable {
    /// The server that issued the tokens; they are sent to no other.
    public var server: String
    /// Sent with calls; valid for minutes.
    public var accessToken: String
    /// Exchanged for new tokens once the other one has expired.
    public var refreshToken: String

    /// Tokens that a server issued.
    public init(server: String, accessToken: String, refreshToken: String) {
        self.server = server
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }
}

/// Storage for credentials: a private file, or the Keychain on Apple platforms.
public protocol CredentialStore: Sendable {
    /// Nil when there are none. Throws when they are unsafe or unreadable.
    func load() throws(ClientError) -> Credentials?
    /// Replaces existing credentials; on disk when this returns.
    func save(_ credentials: Credentials) throws(ClientError)
    /// Does nothing when there are none.
    func remove() throws(ClientError)
}

extension Credentials {
    /// Parses stored credentials; nil when they are malformed.
    init?(stored: [UInt8]) {
        guard let object = (try? JSONValue.parse(stored))?.objectValue, let server = object["server"]?.stringValue,
            let access = object["access_token"]?.stringValue, let refresh = object["refresh_token"]?.stringValue
        else { return nil }
        self.init(server: server, accessToken: access, refreshToken: refresh)
    }

    var stored: [UInt8] {
        JSONWriter.bytes { writer in
            writer.field("server", server)
            writer.field("access_token", accessToken)
            writer.field("refresh_token", refreshToken)
        }
    }
}

/// Why credentials cannot be stored or used.
public enum CredentialFault: Sendable, Hashable, Codable {
    /// Other users can read or write the file.
    case open(path: String)
    /// A link, not a regular file, or owned by another user.
    case notOwnFile(path: String)
    /// The file cannot be read as credentials.
    case damaged(path: String)
    /// The error message of the system.
    case unusable(String)
}

extension CredentialFault: CustomStringConvertible {
    /// What is wrong and what to do, in English, for logs; the system's own words for ``unusable(_:)``.
    public var description: String {
        switch self {
        case .open(let path): "\(path) can be read by other users; run chmod 600 on it, or sign out"
        case .notOwnFile(let path): "\(path) is not a regular file that you own"
        case .damaged(let path): "\(path) is damaged; sign out and in again"
        case .unusable(let reason): reason
        }
    }
}
