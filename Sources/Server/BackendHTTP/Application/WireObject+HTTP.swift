import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import SubGuardContract
import SubGuardDomain

extension WireObject {
    /// Reads the body of a request. Throws 400, 413 and 415 for a body that is no JSON object, 422 with every fault for one
    /// that is not this object.
    init(body request: Request, maximumBytes: Int = 65_536) throws(HTTPFailure) {
        let object = try RequestBody.object(request, maximumBytes: maximumBytes)
        do throws(FaultList) {
            try self.init(object)
        } catch {
            throw .invalid(error)
        }
    }

    /// Reads the query of a request. Throws 400 for one that cannot be decoded, 422 with every fault: unknown and repeated
    /// parameters, and values that their parameters do not take.
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

    /// The object as an answer that no cache keeps.
    func response(_ status: HTTPResponse.Status) -> Response {
        Response(
            status: status, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: .bytes(json()))
    }

    /// The object as an answer with tags.
    ///
    /// - Parameters:
    ///   - revision: what `If-Match` of a change names; the tag also changes with the content.
    ///   - next: the cursor of the next page, for `Link`.
    func document(revision: Int64? = nil, next: String? = nil, of request: Request? = nil) -> RenderedDocument {
        let body = json(capacity: 1024)
        return RenderedDocument(
            body: body, contentType: "application/json",
            tag: revision.map { EntityTag(revision: $0, content: body) },
            more: request.map { PageLink.fields($0, next: next) } ?? [], isForOneReader: true)
    }
}

extension Response {
    /// An answer without a body that no cache keeps.
    static func empty(_ status: HTTPResponse.Status) -> Response {
        Response(status: status, fields: [.cacheControl: "no-store"], body: .bytes([]))
    }
}

extension ListPage {
    /// The page as an answer with `Link` to the next one.
    func response(to request: Request) throws -> Response {
        try document(next: nextCursor, of: request).response(for: request)
    }
}
