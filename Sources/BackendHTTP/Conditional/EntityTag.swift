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

    /// Of a page that shows more than that row: it changes with the page, and ``revisionMatches(_:in:)`` still knows it.
    init(revision: Int64, content: [UInt8]) { opaque = "r\(revision).\(EntityTag(content: content).opaque)" }

    /// Whether `If-Match` asks for this revision, be it by the tag of the row or by the tag of a page that shows it. True
    /// without the field.
    static func revisionMatches(_ revision: Int64, in head: RequestHead) -> Bool {
        guard head.contains(.ifMatch) else { return true }
        let prefix = "\"r\(revision)".utf8
        return head.hasMember(of: .ifMatch) { member in
            guard !member.equals("*") else { return true }
            guard member.count > prefix.count, member.starts(with: prefix), member.last == UInt8(ascii: "\"") else {
                return false
            }
            return [UInt8(ascii: "\""), UInt8(ascii: "."), UInt8(ascii: "-")].contains(member[prefix.count])
        }
    }

    var plain: String { "\"\(opaque)\"" }
    var gzip: String { "\"\(opaque)-gzip\"" }

    /// `If-None-Match`: compared weakly, so that `W/` is ignored, and for any coding.
    func matchesNone(of head: RequestHead) -> Bool {
        head.hasMember(of: .ifNoneMatch) { member in
            let isWeak = member.count > 2 && member[0] == UInt8(ascii: "W") && member[1] == UInt8(ascii: "/")
            return member.equals("*") || names(isWeak ? UnsafeRawBufferPointer(rebasing: member[2...]) : member)
        }
    }

    /// `If-Match`: true without the field; weak tags never match.
    func satisfiesMatch(of head: RequestHead) -> Bool {
        !head.contains(.ifMatch) || head.hasMember(of: .ifMatch) { $0.equals("*") || names($0) }
    }

    /// Whether this is one of the two forms in which the tag is sent. Ours hold no comma, so that one inside quotes can
    /// only be in a tag that does not match anyway.
    private func names(_ member: UnsafeRawBufferPointer) -> Bool {
        var opaque = opaque
        return opaque.withUTF8 { opaque in
            guard member.count >= opaque.count + 2, member[0] == UInt8(ascii: "\"") else { return false }
            for index in 0..<opaque.count where member[index + 1] != opaque[index] { return false }
            let rest = UnsafeRawBufferPointer(rebasing: member[(opaque.count + 1)...])
            return rest.equals("\"") || rest.equals("-gzip\"")
        }
    }
}
