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

    /// Of a whole DSN. Sentry's own have about 100.
    private static let maximumBytes = 512

    /// Nil if malformed. A secret after the key, as sent by old clients, is ignored.
    package init?(_ text: String) {
        let octets = Array(text.utf8)
        guard octets.count <= Self.maximumBytes, let scheme = octets.firstRange(of: Array("://".utf8)) else {
            return nil
        }
        let rest = octets[scheme.upperBound...]
        guard let at = rest.lastIndex(of: UInt8(ascii: "@")), let slash = rest.lastIndex(of: UInt8(ascii: "/")),
            at < slash
        else { return nil }
        key = String(decoding: rest[..<at].prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        projectID = String(decoding: rest[(slash + 1)...], as: UTF8.self)
        guard !key.isEmpty, !projectID.isEmpty else { return nil }
    }
}
