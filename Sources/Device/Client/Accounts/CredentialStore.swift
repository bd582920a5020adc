import JSONWire

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

extension Credentials {
    /// As every store of this version keeps them; nil for anything else.
    init?(stored: [UInt8]) {
        guard let object = (try? JSONValue.parse(stored))?.objectValue, let server = object["server"]?.stringValue,
            let access = object["access_token"]?.stringValue, let refresh = object["refresh_token"]?.stringValue
        else { return nil }
        self.init(server: server, accessToken: access, refreshToken: refresh)
    }

    var stored: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("server", server)
        writer.field("access_token", accessToken)
        writer.field("refresh_token", refreshToken)
        writer.endObject()
        return writer.bytes
    }
}

/// Why credentials cannot be kept or used.
public enum CredentialFault: Sendable, Hashable, Codable {
    /// Others may read or write the file.
    case open(path: String)
    /// A link, no file, or another owner's.
    case notOwnFile(path: String)
    case damaged(path: String)
    /// The few words of the system.
    case unusable(String)
}

extension CredentialFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .open(let path): "\(path) may be read by others; make it yours alone (chmod 600) or sign out"
        case .notOwnFile(let path): "\(path) is not a file of yours"
        case .damaged(let path): "\(path) is damaged; sign out and in again"
        case .unusable(let reason): reason
        }
    }
}
