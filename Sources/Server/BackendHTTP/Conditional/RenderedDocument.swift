import Backend
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardContract

/// A cacheable answer, made once: plain and gzip bodies, both tags, and the answers for who has it already. An object,
/// so that handing it out costs one reference.
final class RenderedDocument: Sendable {
    let tag: EntityTag
    private let plain: Response
    /// Made at once, or when its one reader takes it.
    private let coded = Once<Response?>()
    private let codedFields: [(String, String)]
    private let isCodable: Bool
    private let plainNotModified: Response
    private let gzipNotModified: Response

    /// Smaller bodies are not compressed.
    private static let smallestCodedBody = 1024

    /// - Parameters:
    ///   - cacheControl: how long caches may keep the answer; `nil` for answers to calls with credentials, for which
    ///     ``SubGuardApplication/finish(_:for:)`` sends `no-store`.
    ///   - isCodable: false for bodies that are compressed by themselves.
    ///   - isForOneReader: the coding is made only if that reader takes it; a document for many is made on a worker and
    ///     handed out on event loops, where nothing may take its time.
    init(
        body: [UInt8], contentType: String, tag: EntityTag? = nil, cacheControl: String? = nil,
        more: [(String, String)] = [],
        isCodable: Bool = true, isForOneReader: Bool = false
    ) {
        let tag = tag ?? EntityTag(content: body)
        self.tag = tag
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

    /// Whether the coded form is the one for this request.
    private func isCoded(for request: Request) -> Bool { isCodable && ContentCoding.acceptsGzip(request.head) }

    private func gzip() -> Response? {
        coded.value {
            guard case .bytes(let body) = plain.body, let bytes = Gzip.compress(body) else { return nil }
            return Self.response(.ok, codedFields, .bytes(bytes))
        }
    }

    /// What this request gets of it: 304 when `If-None-Match` names the very form that would be sent, since a cache
    /// holds one form under each tag. Throws 412 where `If-Match` asks for another state (RFC 9110 section 13.1.1).
    func response(for request: Request) throws(HTTPFailure) -> Response {
        guard tag.satisfiesMatch(of: request.head) else {
            throw HTTPFailure(.preconditionFailed, "It is not what If-Match asks for.")
        }
        let isCoded = isCoded(for: request)
        if request.head.contains(.ifNoneMatch), tag.matchesNone(of: request.head, isCoded: isCoded) {
            return isCoded ? gzipNotModified : plainNotModified
        }
        return (isCoded ? gzip() : nil) ?? plain
    }

    /// The whole document without a coding: an answer that is kept and given again, to whomever.
    var plainResponse: Response { plain }

    /// The whole document whatever the client has: the answer to a write, which `If-None-Match` does not concern.
    func wholeResponse(for request: Request) -> Response { (isCoded(for: request) ? gzip() : nil) ?? plain }

    private static func response(
        _ status: HTTPResponse.Status, _ fields: [(String, String)], _ body: ResponseBody
    ) -> Response {
        var response = Response(status: status, body: body)
        response.renderedFields = Array(fields.map { "\($0): \($1)\r\n" }.joined().utf8)
        return response
    }
}
