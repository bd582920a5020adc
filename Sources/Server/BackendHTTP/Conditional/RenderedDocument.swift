import Cryptography
package import HTTPServer
import HTTPTypes
import HTTPWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TextCoding
import ZlibCoding

/// A cacheable response, rendered once: plain and gzip bodies, both tags, and both 304 responses. A class, so that
/// passing it on costs one reference.
package final class RenderedDocument: Sendable {
    package let tag: EntityTag
    private let plain: Response
    /// Compressed at initialisation, or on first use for a single reader.
    private let coded = Once<Response?>()
    private let codedFields: [(String, String)]
    private let isCodable: Bool
    private let plainNotModified: Response
    private let gzipNotModified: Response
    /// Makes the same document with a byte order mark; nil unless it is CSV.
    private let makeMarked: (@Sendable () -> RenderedDocument)?
    /// Made on first use.
    private let marked = Once<RenderedDocument>()

    /// Smaller bodies are not compressed.
    private static let smallestCodedBody = 1024

    /// - Parameters:
    ///   - cacheControl: how long caches may store the response; nil for calls with credentials, for which
    ///     ``SubGuardApplication/finish(_:for:)`` adds `no-store`.
    ///   - isCodable: false if the body is already compressed.
    ///   - isForOneReader: compress only on demand. Shared documents are compressed on the worker that creates them,
    ///     because event loops must not block.
    package init(
        body: [UInt8], contentType: String, tag: EntityTag? = nil, cacheControl: String? = nil,
        more: [(String, String)] = [],
        isCodable: Bool = true, isForOneReader: Bool = false
    ) {
        let tag = tag ?? EntityTag(content: body)
        self.tag = tag
        if contentType.hasPrefix("text/csv"), !body.starts(with: [UInt8].byteOrderMark) {
            makeMarked = {
                RenderedDocument(
                    body: [UInt8].byteOrderMark + body, contentType: contentType, cacheControl: cacheControl,
                    more: more,
                    isForOneReader: true)
            }
        } else {
            makeMarked = nil
        }
        let caching = cacheControl.map { [("Cache-Control", $0)] } ?? []
        let shared = caching + [("Vary", "Accept-Encoding")] + more
        let content = [("Content-Type", contentType)]
        plain = Self.response(.ok, [("ETag", tag.plain)] + shared + content, .bytes(body))
        plainNotModified = Self.response(.notModified, [("ETag", tag.plain)] + shared, .none)
        gzipNotModified = Self.response(.notModified, [("ETag", tag.gzip)] + shared, .none)
        codedFields = [("ETag", tag.gzip)] + shared + content + [("Content-Encoding", "gzip")]
        self.isCodable = isCodable && body.count >= Self.smallestCodedBody
        if self.isCodable, !isForOneReader { _ = gzip() }
    }

    /// Whether this request gets the gzip representation.
    private func isCoded(for request: Request) -> Bool { isCodable && ContentCoding.acceptsGzip(request.head) }

    private func gzip() -> Response? {
        coded.value {
            guard case .bytes(let body) = plain.body, let bytes = Gzip.compress(body) else { return nil }
            return Self.response(.ok, codedFields, .bytes(bytes))
        }
    }

    /// The response to a request: 304 if `If-None-Match` contains the tag of the exact representation to be sent,
    /// because caches store one representation per tag. Throws 412 if `If-Match` does not match (RFC 9110 section
    /// 13.1.1).
    ///
    /// CSV begins with a byte order mark in the console and with `bom=true`.
    package func response(for request: Request) throws(HTTPFailure) -> Response {
        if let makeMarked, Self.wantsMark(request) {
            return try marked.value(makeMarked).response(for: request)
        }
        guard tag.satisfiesMatch(of: request.head) else {
            throw HTTPFailure(.preconditionFailed, "It is not what If-Match asks for.")
        }
        let isCoded = isCoded(for: request)
        if request.head.contains(.ifNoneMatch), tag.matchesNone(of: request.head, isCoded: isCoded) {
            return isCoded ? gzipNotModified : plainNotModified
        }
        return (isCoded ? gzip() : nil) ?? plain
    }

    private static func wantsMark(_ request: Request) -> Bool {
        guard !request.path.hasPrefix("/console/") else { return true }
        return (try? request.queryItems())?.items.contains { $0.name == "bom" && $0.value == "true" } ?? false
    }

    /// The uncoded response, for storing and repeating it.
    var plainResponse: Response { plain }

    /// The full response to a write, to which `If-None-Match` does not apply.
    func wholeResponse(for request: Request) -> Response { (isCoded(for: request) ? gzip() : nil) ?? plain }

    private static func response(
        _ status: HTTPResponse.Status, _ fields: [(String, String)], _ body: ResponseBody
    ) -> Response {
        var response = Response(status: status, body: body)
        response.renderedFields = Array(fields.map { "\($0): \($1)\r\n" }.joined().utf8)
        return response
    }
}

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
