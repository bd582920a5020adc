package import HTTPServer
import HTTPTypes
import HTTPWire
package import JSONWire
import Publication
import SubGuardContract
import SubGuardDomain
import TextCoding

extension WireObject {
    /// Reads the request body. Throws 400, 413 or 415 if it is not a JSON object, and 422 with all faults if it is
    /// invalid.
    package init(body request: Request, maximumBytes: Int = 65_536) throws(HTTPFailure) {
        try self.init(body: try RequestBody.object(request, maximumBytes: maximumBytes))
    }

    /// Reads a body that is already parsed. Throws 422 with all faults.
    package init(body object: JSONObject) throws(HTTPFailure) {
        do throws(FaultList) {
            try self.init(object)
        } catch {
            throw .invalid(error)
        }
    }

    /// Reads the query. Throws 400 if it cannot be decoded, and 422 with all faults: unknown or repeated parameters and
    /// invalid values.
    init(query request: Request) throws(HTTPFailure) {
        let items: QueryItems
        do throws(WireError) {
            items = try request.queryItems()
        } catch {
            throw HTTPFailure(error)
        }
        do throws(FaultList) {
            try self.init(texts: items.items.map { ($0.name, $0.value) })
        } catch {
            throw .invalid(error)
        }
    }

    /// The object as an uncacheable response.
    func response(_ status: HTTPResponse.Status) -> Response {
        Response(
            status: status, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: .bytes(json()))
    }

    /// The object as a response with an entity tag.
    ///
    /// - Parameters:
    ///   - revision: the revision for `If-Match` of a change; the tag also depends on the content.
    ///   - next: the cursor of the next page, for `Link`.
    ///   - capacity: the expected size of the body in bytes.
    package func document(
        revision: Int64? = nil, next: String? = nil, of request: Request? = nil, capacity: Int = 1024
    ) -> RenderedDocument {
        let body = json(capacity: capacity)
        return RenderedDocument(
            body: body, contentType: "application/json",
            tag: revision.map { EntityTag(revision: $0, content: body) },
            more: request.map { PageLink.fields($0, next: next) } ?? [], isForOneReader: true)
    }
}

extension Response {
    /// An uncacheable response without a body.
    static func empty(_ status: HTTPResponse.Status) -> Response {
        Response(status: status, fields: [.cacheControl: "no-store"], body: .bytes([]))
    }
}

extension ListPage {
    /// The page as a response with a `Link` to the next page.
    func response(to request: Request) throws -> Response {
        try document(next: nextCursor, of: request, capacity: 256 + items.count * 400).response(for: request)
    }
}

/// The `Link` header field with the next page of a list (RFC 8288), which repeats `next_cursor` of the body.
enum PageLink {
    /// Empty on the last page; otherwise one field with the requested URL and the new cursor.
    static func fields(_ request: Request, next cursor: String?) -> [(String, String)] {
        guard let cursor else { return [] }
        let kept = (try? request.queryItems())?.items.filter { $0.name != "cursor" } ?? []
        let query = PercentCoding.encode(pairs: kept.map { ($0.name, $0.value) } + [("cursor", cursor)])
        return [
            ("Link", "<\(PublishedPath.of(PercentCoding.encode(request.path, keeping: "/")))?\(query)>; rel=\"next\"")
        ]
    }
}

/// Reads JSON bodies: content coding and syntax. ``HeadRules`` has checked the media type.
enum RequestBody {
    /// Maximum number of values in a body that is parsed into a tree. The largest body of our clients, a list of roles,
    /// has about 600.
    private static let maximumValues = 20_000

    /// Parses a small JSON body, which must be an object, into a tree. Throws 400, 413, 415, 422.
    static func object(_ request: Request, maximumBytes: Int) throws(HTTPFailure) -> JSONObject {
        try object(in: try ContentCoding.decodedBody(of: request, maximumBytes: maximumBytes))
    }

    static func object(in bytes: [UInt8]) throws(HTTPFailure) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes, maximumValues: maximumValues)
        } catch {
            throw HTTPFailure(error)
        }
        guard let object = value.objectValue else {
            throw HTTPFailure.invalid("#", .invalidType, "The body must be an object.")
        }
        return object
    }
}
