package import HTTPWire
import TextCoding

/// All routes, found first by path and then by method, to distinguish a wrong method from a wrong address.
package struct RouteTable: Sendable {
    package enum Match {
        case route(Int, PathParameters)
        /// The path exists for other methods: the value of `Allow`.
        case otherMethods(allow: String)
        case none
        /// The path is invalid: dot segments, NUL, octets that are not UTF-8.
        case malformed
    }

    package let routes: [Route]
    /// Indices into ``routes`` by number of segments, literal patterns first.
    private let byCount: [[Int]]
    private let literalPaths: LiteralPaths

    /// `serving` contains the indices of the routes to include, all by default. Other routes keep their indices in
    /// ``routes``.
    package init(_ routes: [Route], serving: [Int]? = nil) {
        self.routes = routes
        let served = serving ?? Array(routes.indices)
        let deepest = routes.map(\.pattern.segments.count).max() ?? 0
        byCount = (0...deepest).map { count in
            served.filter { routes[$0].pattern.counts.contains(count) }
                .sorted { routes[$0].pattern.holes < routes[$1].pattern.holes }
        }
        literalPaths = LiteralPaths(routes, serving: served)
    }

    /// HEAD matches the route of GET.
    package func match(_ head: RequestHead) -> Match {
        let wanted = head.method == .head ? .get : head.method
        return head.withPath { path in
            if let index = literalPaths.route(wanted, path) { return .route(index, PathParameters()) }
            return search(path, for: wanted)
        }
    }

    /// The index of the route of that method at a request's path, whatever the request's own method.
    package func route(_ method: RequestMethod, of head: RequestHead) -> Int? {
        head.withPath { path in
            if let index = literalPaths.route(method, path) { return index }
            guard case .route(let index, _) = search(path, for: method) else { return nil }
            return index
        }
    }

    /// For paths with parameters, and for unknown ones.
    private func search(_ path: UnsafeRawBufferPointer, for wanted: RequestMethod) -> Match {
        let parts = Self.segments(of: path)
        guard parts.allSatisfy(Self.isSegment) else { return .malformed }
        guard parts.count < byCount.count else { return .none }
        var parameters = PathParameters()
        var others: [RequestMethod] = []
        for index in byCount[parts.count] where routes[index].pattern.matches(parts, into: &parameters) {
            if routes[index].method == wanted { return .route(index, parameters) }
            others.append(routes[index].method)
        }
        return others.isEmpty ? .none : .otherMethods(allow: Self.allow(others))
    }

    /// The segments between slashes, as slices of `path` itself; `split` may return copies with offsets from 0.
    private static func segments(of path: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        var segments: [UnsafeRawBufferPointer] = []
        var start = 1
        while start <= path.count {
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
            segments.append(UnsafeRawBufferPointer(rebasing: path[start..<end]))
            start = end + 1
        }
        return segments
    }

    private static func allow(_ methods: [RequestMethod]) -> String {
        var names = Set(methods.map(\.name))
        if methods.contains(.get) { names.insert(RequestMethod.head.name) }
        names.insert(RequestMethod.options.name)
        return names.sorted().joined(separator: ", ")
    }

    /// Dot segments are rejected instead of resolved: our clients send none, and two programs that resolve them
    /// differently allow paths to bypass a proxy's checks.
    private static func isSegment(_ part: UnsafeRawBufferPointer) -> Bool {
        guard part.contains(UInt8(ascii: "%")) || part.first == UInt8(ascii: ".") else { return true }
        guard let decoded = PercentCoding.decode(part) else { return false }
        return decoded != "." && decoded != ".."
    }
}
