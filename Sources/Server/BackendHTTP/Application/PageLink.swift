import HTTPServer
import HTTPWire
import TextCoding

/// The `Link` header field with the next page of a list (RFC 8288), which repeats `next_cursor` of the body.
enum PageLink {
    /// Empty on the last page; otherwise one field with the requested URL and the new cursor.
    static func fields(_ request: Request, next cursor: String?) -> [(String, String)] {
        guard let cursor else { return [] }
        let kept = (try? request.queryItems())?.items.filter { $0.name != "cursor" } ?? []
        let query = (kept.map { ($0.name, $0.value) } + [("cursor", cursor)])
            .map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        return [
            ("Link", "<\(PublishedPath.of(PercentCoding.encode(request.path, keeping: "/")))?\(query)>; rel=\"next\"")
        ]
    }
}
