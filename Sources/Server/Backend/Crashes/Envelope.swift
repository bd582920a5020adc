package import Foundation
package import SubGuardDomain

/// An envelope of the Sentry protocol, cut into its items.
package struct Envelope: Sendable {
    package struct Item: Sendable {
        package let type: String
        /// Where the payload lies in the body.
        package let payload: Range<Int>
    }

    /// The id in the envelope's header, which wins over that of the event.
    package let eventID: UUID?
    /// When the client sent it, by its own clock.
    package let sentAt: UTCInstant?
    /// The credentials in the header, when there are any.
    package let dsn: EnvelopeDSN?
    /// Where the header lies in the body, without its line feed.
    package let header: Range<Int>
    package let items: [Item]
}

/// What a DSN says about who sends: `scheme://key@host/path/project`.
package struct EnvelopeDSN: Sendable, Hashable {
    package let key: String
    package let projectID: String

    /// Nil for text of another form. A secret behind the key, as old clients have it, is ignored.
    package init?(_ text: String) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let at = parts[1].lastIndex(of: "@"), let slash = parts[1].lastIndex(of: "/"),
            at < slash
        else { return nil }
        key = String(parts[1][..<at].prefix { $0 != ":" })
        projectID = String(parts[1][parts[1].index(after: slash)...])
        guard !key.isEmpty, !projectID.isEmpty else { return nil }
    }
}
