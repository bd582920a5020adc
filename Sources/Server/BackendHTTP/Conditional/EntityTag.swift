import Cryptography
import HTTPServer
import HTTPWire
import ServerAccess
import TextCoding

/// A strong entity tag of a resource's state; each content coding has its own tag (RFC 9110 section 8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// The tag without quotes and coding suffix.
    package let opaque: String
    /// Whether it names a revision, so that its weak form names it too; see ``revisionMatches(_:in:)``.
    private let isRevision: Bool

    /// The tag of a state with this content.
    init(content: [UInt8]) {
        opaque = Hexadecimal.text(SHA256.hash(of: content).prefix(16))
        isRevision = false
    }

    /// The tag of a row whose revision increases with every change.
    init(revision: Int64) {
        opaque = "r\(revision)"
        isRevision = true
    }

    /// The tag of a page that contains more than the row. It depends on the page's content; ``revisionMatches(_:in:)``
    /// still recognises the revision.
    init(revision: Int64, content: [UInt8]) {
        opaque = "r\(revision).\(EntityTag(content: content).opaque)"
        isRevision = true
    }

    /// Whether `If-Match` contains this revision, in the tag of the row or of a page with the row. True without the
    /// field.
    ///
    /// A proxy that compresses responses makes tags weak. A revision names one state whatever the form of its
    /// representation, so the weak tag of a revision names it too.
    static func revisionMatches(_ revision: Int64, in head: RequestHead) -> Bool {
        guard head.contains(.ifMatch) else { return true }
        let prefix = "\"r\(revision)".utf8
        return head.hasMember(of: .ifMatch) { member in
            guard !member.equals("*") else { return true }
            let member = strong(member)
            guard member.count > prefix.count, member.starts(with: prefix), member.last == UInt8(ascii: "\"") else {
                return false
            }
            return [UInt8(ascii: "\""), UInt8(ascii: "."), UInt8(ascii: "-")].contains(member[prefix.count])
        }
    }

    /// The revision of a row that satisfies `If-Match`, in the sense of ``revisionMatches(_:in:)``, and
    /// `If-None-Match`; nil without both fields, and `current` is then not called. Compare it again inside the
    /// transaction. Throws 412 and what `current` throws.
    static func matchedRevision(of request: Request, current: () throws -> Int64) throws -> Int64? {
        guard request.head.contains(.ifMatch) || request.head.contains(.ifNoneMatch) else { return nil }
        let revision = try current()
        guard revisionMatches(revision, in: request.head), !EntityTag(revision: revision).matchesNone(of: request.head)
        else { throw BackendError.preconditionFailed(currentRevision: revision) }
        return revision
    }

    var plain: String { "\"\(opaque)\"" }
    var gzip: String { "\"\(opaque)-gzip\"" }

    /// `If-None-Match` of a read: `*`, or the tag of the representation to be sent, plain or gzip. Weak comparison (RFC
    /// 9110 section 13.1.2): `W/` is ignored.
    func matchesNone(of head: RequestHead, isCoded: Bool) -> Bool {
        head.hasMember(of: .ifNoneMatch) { member in
            member.equals("*") || form(of: Self.strong(member)) == (isCoded ? .coded : .plain)
        }
    }

    /// `If-None-Match` of a write: the tag of either representation matches.
    func matchesNone(of head: RequestHead) -> Bool {
        head.hasMember(of: .ifNoneMatch) { $0.equals("*") || form(of: Self.strong($0)) != nil }
    }

    /// `If-Match`: true without the field. The tag of either representation matches. A weak tag matches only if it
    /// names a revision, or before a write, where every tag of ours stands for the state that is to be replaced.
    func satisfiesMatch(of head: RequestHead, isWrite: Bool = false) -> Bool {
        !head.contains(.ifMatch)
            || head.hasMember(of: .ifMatch) { member in
                member.equals("*") || form(of: isRevision || isWrite ? Self.strong(member) : member) != nil
            }
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

    /// The representation of this state that a tag identifies; nil for other states. Our tags contain no comma, so
    /// splitting a quoted tag at a comma never yields a false match.
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
