package import Foundation
package import SubGuardDomain

/// An envelope of the Sentry protocol, split into its items.
package struct Envelope: Sendable {
    package struct Item: Sendable {
        package let type: String
        /// Position of the payload in the body.
        package let payload: Range<Int>
    }

    /// The id in the envelope's header, which takes precedence over that of the event.
    package let eventID: UUID?
    /// When the client sent it, by the client's clock.
    package let sentAt: UTCInstant?
    /// The credentials in the header; nil if absent.
    package let dsn: EnvelopeDSN?
    /// Position of the header in the body, without its line feed.
    package let header: Range<Int>
    package let items: [Item]
}

/// The parts of a DSN that identify a sender: `scheme://key@host/path/project`.
package struct EnvelopeDSN: Sendable, Hashable {
    package let key: String
    package let projectID: String

    /// Nil if malformed. A secret after the key, as sent by old clients, is ignored.
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
