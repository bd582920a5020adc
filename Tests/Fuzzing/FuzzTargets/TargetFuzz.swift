import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import TextCoding

/// Input: one byte for the method, then a request target.
enum TargetFuzz {
    private static let routes = RouteTable([
        route(.get, "/"), route(.get, "/healthz"), route(.get, "/api/v1/catalogue"),
        route(.get, "/api/v1/catalogue/search"), route(.get, "/api/v1/catalogue/{id:uuid}"),
        route(.patch, "/api/v1/catalogue/{id:uuid}"), route(.get, "/logos/{file}"), route(.post, "/batch/"),
        route(.post, "/ingest/api/{project}/envelope/"), route(.delete, "/{first}/{second}"),
    ])

    private static func route(_ method: RequestMethod, _ pattern: String) -> Route {
        Route(method, pattern, .immediate { _ in Response(status: .ok) })
    }

    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard let first = input.first, let method = RequestMethod(rawValue: first & 7) else { return }
        let line = Array("\(method.name) ".utf8) + input.dropFirst() + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        var parser = RequestParser(limits: HTTPLimits())
        var head = RequestHead()
        guard (try? line.withUnsafeBytes { try parser.next($0, head: &head) })?.event == .head else { return }
        _ = try HeadFacts(head)
        try check(routes.match(head), head, head.withPath { Array($0) })
        _ = head.withQuery { QueryItems($0) }
    }

    private static func check(
        _ match: RouteTable.Match, _ head: RequestHead, _ path: [UInt8]
    ) throws(BrokenPromise) {
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentCoding.decode($0) }
        let isDotted = segments.contains { $0 == "." || $0 == ".." }
        switch match {
        case .route(let index, let parameters):
            let route = routes.routes[index]
            try hold(!isDotted, "a route for a path with dot segments")
            try hold(route.method == (head.method == .head ? .get : head.method), "a route of another method")
            try hold(isPath(segments, of: route, parameters), "a route whose pattern is not the path")
        case .otherMethods(let allow):
            try hold(!isDotted && allow.contains("OPTIONS"), "methods of a path that is none")
            let isAllowed = allow.split(separator: ", ").contains { $0 == head.method.name }
            try hold(!isAllowed || head.method == .options, "refused, and allowed in the same breath")
        case .none: try hold(!isDotted, "dot segments that are merely not found")
        case .malformed: try hold(isDotted || segments.contains(nil), "a good path that is called malformed")
        }
    }

    /// Whether the route's pattern with these parameters gives this path. Ids match in either case, and a slash at the
    /// pattern's end may be left out.
    private static func isPath(_ segments: [String?], of route: Route, _ parameters: PathParameters) -> Bool {
        let parts = route.pattern.description.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let segments = parts.last == "" && segments.count == parts.count - 1 ? segments + [""] : segments
        guard parts.count == segments.count else { return false }
        var position = 0
        for (part, segment) in zip(parts, segments) {
            if part.hasPrefix("{") {
                let text = try? parameters.text(position)
                let id = try? parameters.uuid(position).uuidString.lowercased()
                guard let found = text ?? id, found == (text == nil ? segment?.lowercased() : segment) else {
                    return false
                }
                position += 1
            } else if segment != String(part) {
                return false
            }
        }
        return true
    }
}
