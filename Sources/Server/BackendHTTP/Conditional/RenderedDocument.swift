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
