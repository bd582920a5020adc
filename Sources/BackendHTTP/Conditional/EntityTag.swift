import Crypto
import HTTPWire

/// A strong validator of one resource in one state; each content coding of it has a tag of its own
/// (RFC 9110 section 8.8.3).
struct EntityTag: Sendable, Hashable {
    /// Without quotes and coding.
    let opaque: String

    /// Of the state with this content.
    init(content: [UInt8]) {
        let digest = SHA256.hash(data: content)
        opaque = digest.prefix(16).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }

    /// Of a row whose revision grows with every change.
    init(revision: Int64) { opaque = "r\(revision)" }

    var plain: String { "\"\(opaque)\"" }
    var gzip: String { "\"\(opaque)-gzip\"" }

    /// `If-None-Match`: compared weakly, so that `W/` is ignored, and for any coding.
    func matchesNone(of head: RequestHead) -> Bool {
        head.values(of: .ifNoneMatch).contains { value in
            Self.tags(in: value).contains { $0 == "*" || names($0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...]) }
        }
    }

    /// `If-Match`: true without the field; weak tags never match.
    func satisfiesMatch(of head: RequestHead) -> Bool {
        let values = head.values(of: .ifMatch)
        return values.isEmpty || values.contains { Self.tags(in: $0).contains { $0 == "*" || names($0[...]) } }
    }

    private func names(_ tag: Substring) -> Bool { tag == plain || tag == gzip }

    /// The tags of a list. Ours hold no comma, so one inside quotes can only be in a tag that does not match anyway.
    private static func tags(in value: String) -> [String] {
        value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
    }
}
