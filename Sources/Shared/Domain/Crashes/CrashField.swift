/// A field of a crash report that the server keeps.
public struct CrashField: Sendable, Hashable {
    /// What values are taken, and what is done to them before anything else sees them.
    public enum Kind: Sendable, Hashable {
        /// Free text of at most so many bytes. Everything that looks personal or secret is masked.
        case text(maximumBytes: Int)
        /// A name out of the program, such as a function or a file. Addresses, mail addresses, query strings, known
        /// kinds of token and home directories are masked; long mangled names are left alone.
        case symbol(maximumBytes: Int)
        /// 1…32 letters, digits and `. _ -`; anything else is dropped.
        case word
        /// 1…40 letters, digits, blanks and `. _ + - ( )`; anything else is dropped.
        case version
        /// A version, a commit, or `package@version`; anything else is dropped.
        case release
        /// A whole number from 0 on.
        case number
        case flag
    }

    /// Where it stands in an event of the Sentry protocol, a list marked `[]`: `exception.values[].type`.
    public let path: String
    public let kind: Kind
    /// Why it is kept, in words for the privacy page.
    public let purpose: String

    init(_ path: String, _ kind: Kind, _ purpose: String) {
        self.path = path
        self.kind = kind
        self.purpose = purpose
    }
}
