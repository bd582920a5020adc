import Crypto
import HTTPWire
import TextCoding

/// A strong validator of one resource in one state; each content coding of it has a tag of its own
/// (RFC 9110 section 8.8.3).
struct EntityTag: Sendable, Hashable {
    /// Without quotes and coding.
    let opaque: String

    /// Of the state with this content.
    init(content: [UInt8]) {
        opaque = Hexadecimal.text(SHA256.hash(data: content).prefix(16))
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

    /// `If-None-Match` of a read: `*`, or the tag of the form that would be sent, plain or coded. Compared weakly
    /// (RFC 9110 section 13.1.2), so that `W/` is ignored.
    func matchesNone(of head: RequestHead, isCoded: Bool) -> Bool {
        head.hasMember(of: .ifNoneMatch) { member in
            member.equals("*") || form(of: Self.strong(member)) == (isCoded ? .coded : .plain)
        }
    }

    /// `If-None-Match` of a write, where the tag of either form names the state.
    func matchesNone(of head: RequestHead) -> Bool {
        head.hasMember(of: .ifNoneMatch) { $0.equals("*") || form(of: Self.strong($0)) != nil }
    }

    /// `If-Match`: true without the field; weak tags never match. The tag of either form names the state.
    func satisfiesMatch(of head: RequestHead) -> Bool {
        !head.contains(.ifMatch) || head.hasMember(of: .ifMatch) { $0.equals("*") || form(of: $0) != nil }
    }

    private enum Form {
        case plain
        case coded
    }

    /// The tag without `W/`.
    private static func strong(_ member: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let isWeak = member.count > 2 && member[0] == UInt8(ascii: "W") && member[1] == UInt8(ascii: "/")
        return isWeak ? UnsafeRawBufferPointer(rebasing: member[2...]) : member
    }

    /// Which form of this state a tag stands for; `nil` for another state's. Ours hold no comma, so that one inside quotes
    /// can only be in a tag that does not match anyway.
    private func form(of member: UnsafeRawBufferPointer) -> Form? {
        var opaque = opaque
        return opaque.withUTF8 { opaque in
            guard member.count >= opaque.count + 2, member[0] == UInt8(ascii: "\"") else { return nil }
            for index in 0..<opaque.count where member[index + 1] != opaque[index] { return nil }
            let rest = UnsafeRawBufferPointer(rebasing: member[(opaque.count + 1)...])
            return rest.equals("\"") ? .plain : rest.equals("-gzip\"") ? .coded : nil
        }
    }
}
