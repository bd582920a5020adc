/// One thing that an operator may set: its name in every source, its default and what it may be.
package struct Setting: Sendable {
    /// As in the configuration file; the variable is `SUBGUARD_` and the same in upper case.
    package let key: String
    /// What holds when nobody sets it.
    package let fallback: String
    package let kind: Kind
    /// Never printed, and readable from a file named by the variable with `_FILE` behind it.
    package let isSecret: Bool
    package let summary: String

    package enum Kind: Sendable {
        case databaseURL
        case integer(ClosedRange<Int>)
        case boolean
        case choice([String])
        /// An IPv4 or IPv6 literal.
        case address
        /// Comma-separated literals or ranges (`10.0.0.0/8`), or nothing.
        case addressRanges
        /// A file's path, or nothing.
        case path
        /// 1…128 letters, digits and `. _ ~ -`, or nothing.
        case accessKey
        /// Any text, or nothing.
        case text
        /// An address with one of these schemes, or nothing; user and password in it only where `allowsCredentials`.
        case url(schemes: [String], allowsCredentials: Bool)
        /// Comma-separated mail addresses, no more than this many, or nothing.
        case mailboxes(maximumCount: Int)
        /// Comma-separated host names, or nothing.
        case hosts
        /// Keys as `name:base64`, separated by commas or line breaks, or nothing.
        case signingKeys
        /// Comma-separated patterns of ``KnownReleases``, or nothing.
        case releases
    }

    package var variable: String { "SUBGUARD_\(key.uppercased())" }

    init(_ key: String, _ kind: Kind, default fallback: String, isSecret: Bool = false, _ summary: String) {
        self.key = key
        self.kind = kind
        self.fallback = fallback
        self.isSecret = isSecret
        self.summary = summary
    }
}
