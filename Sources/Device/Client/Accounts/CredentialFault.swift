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
