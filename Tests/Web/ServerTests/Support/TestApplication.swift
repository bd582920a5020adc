import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// A small application that describes in its responses what it received, and counts calls.
final class TestApplication: HTTPApplication {
    let routes: RouteTable
    let gate = Gate()
    private let asked = Mutex<[String: Int]>([:])
    private let records = Mutex<[Seen]>([])
    private let open = Mutex(0)
    private let shortages = Mutex<[ConnectionShortage: Int]>([:])
    private let memoryShortages = Mutex<[MemoryShortage: Int]>([:])

    struct Seen: Equatable {
        var route: String?
        var headWasRead: Bool
        var status: Int
        var bodyBytesOut: Int
    }

    init(extra: [Route] = [], routes: [Route]? = nil) {
        self.routes = RouteTable(routes ?? TestRoutes.all(gate: gate) + extra)
    }

    /// How often a route answered this path.
    func timesAsked(_ path: String) -> Int { asked.withLock { $0[path] ?? 0 } }

    var observed: [Seen] { records.withLock { $0 } }

    var openConnections: Int { open.withLock { $0 } }

    func intercept(_ request: Request) -> Response? {
        guard let index = request.route, routes.routes[index].pattern.description == "/guarded",
            !request.head.contains(.authorization)
        else { return nil }
        return Response(
            status: .unauthorized, fields: [.wwwAuthenticate: "Bearer"], body: .bytes(Array("who are you".utf8)))
    }

    func response(for error: any Error, request: Request) -> Response {
        if let refused = error as? Refused {
            return Response(status: refused.status, body: .bytes(Array(refused.text.utf8)))
        }
        guard let failure = error as? WireError else {
            return Response(status: .internalServerError, body: .bytes(Array("internal_error".utf8)))
        }
        return Response(status: failure.status, fields: failure.fields, body: .bytes(Array("\(failure.code)".utf8)))
    }

    func finish(_ response: inout Response, for request: Request) {
        asked.withLock { $0[request.path, default: 0] += 1 }
        response.fields[.server] = "test"
    }

    func observe(_ record: RequestRecord, request: Request) {
        let seen = Seen(
            route: record.route.map { routes.routes[$0].pattern.description }, headWasRead: record.headWasRead,
            status: record.status, bodyBytesOut: record.bodyBytesOut)
        records.withLock { $0.append(seen) }
    }

    func observe(connections change: Int) { open.withLock { $0 += change } }

    func observe(_ shortage: ConnectionShortage) { shortages.withLock { $0[shortage, default: 0] += 1 } }

    func observe(_ shortage: MemoryShortage) { memoryShortages.withLock { $0[shortage, default: 0] += 1 } }

    func times(_ shortage: MemoryShortage) -> Int { memoryShortages.withLock { $0[shortage] ?? 0 } }

    func times(_ shortage: ConnectionShortage) -> Int { shortages.withLock { $0[shortage] ?? 0 } }
}

/// An error of a handler, with its response.
struct Refused: Error {
    let status: HTTPResponse.Status
    let text: String
}
