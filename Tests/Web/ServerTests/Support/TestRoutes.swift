import HTTPServer
import HTTPTypes
import HTTPWire

/// The routes of ``TestApplication``.
enum TestRoutes {
    static func all(gate: Gate) -> [Route] { plain + elsewhere + typed + large + slow(gate) }

    static func text(_ text: String) -> Response { Response(status: .ok, body: .bytes(Array(text.utf8))) }

    struct Broken: Error {}

    private static let plain: [Route] = [
        Route(.get, "/") { _ in text("root") },
        Route(.get, "/hello") { _ in text("hello") },
        Route(.get, "/canary") { _ in text("canary") },
        Route(.get, "/guarded") { _ in text("guarded") },
        Route(.post, "/guarded") { _ in text("guarded") },
        Route(.get, "/id") { request in text(request.id) },
        Route(.get, "/query") { request in
            text(try request.queryItems().items.map { "\($0.name)=\($0.value)" }.joined(separator: "|"))
        },
        Route(.get, "/no-content") { _ in Response(status: .noContent, body: .bytes(Array("never sent".utf8))) },
        Route(.get, "/not-modified") { _ in
            Response(status: .notModified, fields: [.eTag: "\"12.34\""], body: .bytes(Array("never sent".utf8)))
        },
        Route(.get, "/rendered") { _ in
            var response = text("rendered")
            response.renderedFields = Array("X-Rendered: yes\r\n".utf8)
            return response
        },
        Route(.get, "/echo-field") { request in
            Response(status: .ok, fields: [.location: request.head.value(of: .userAgent) ?? ""])
        },
        Route(.get, "/broken") { _ in throw Broken() },
        Route(.get, "/refused") { _ in
            throw Refused(status: .unprocessableContent, text: "refused")
        },
    ]

    private static let elsewhere: [Route] = [
        Route(.get, "/blocking/hello", .blocking { _ in text("hello from a worker") }),
        Route(.get, "/blocking/broken", .blocking { _ in throw Broken() }),
        Route(.get, "/deferred/broken", .deferred { _, _ in throw Broken() }),
        Route(
            .get, "/deferred/twice",
            .deferred { _, reply in
                reply(.success(text("first")))
                reply(.success(text("second")))
            }),
    ]

    private static let typed: [Route] = [
        Route(.get, "/items/search") { _ in text("search") },
        Route(.get, "/items/{id:uuid}") { request in text("uuid \(try request.parameters.uuid())") },
        Route(.delete, "/items/{id:uuid}") { request in text("deleted \(try request.parameters.uuid())") },
        Route(.get, "/files/{name}") { request in text("file \(try request.parameters.text())") },
        Route(.get, "/both/{id:uuid}/{name}") { request in
            text("\(try request.parameters.uuid(0)) \(try request.parameters.text(1))")
        },
        Route(.get, "/mistaken/{name}") { request in text("\(try request.parameters.uuid())") },
    ]

    private static let large: [Route] = [
        Route(.post, "/echo", maximumBodyBytes: 2 * 1024 * 1024) { request in
            Response(status: .ok, body: .bytes(request.body))
        },
        Route(.post, "/small", maximumBodyBytes: 64) { request in Response(status: .ok, body: .bytes(request.body)) },
        Route(.get, "/large") { request in
            Response(status: .ok, body: .bytes(Pattern.bytes(try number("bytes", of: request))))
        },
        Route(
            .get, "/large/blocking",
            .blocking { request in
                Response(status: .ok, body: .bytes(Pattern.bytes(try number("bytes", of: request))))
            }),
        Route(.get, "/stream") { request in
            let source = PieceSource(
                pieces: try number("pieces", of: request), bytes: try number("bytes", of: request))
            return Response(status: .ok, body: .chunks(source))
        },
        Route(.get, "/stream/broken") { _ in
            Response(status: .ok, body: .chunks(PieceSource(pieces: 3, bytes: 5, breaksAfter: 2)))
        },
    ]

    private static func slow(_ gate: Gate) -> [Route] {
        [
            Route(
                .get, "/gate/worker",
                .blocking { _ in
                    gate.wait()
                    return text("through")
                }),
            Route(.get, "/gate/loop") { _ in
                gate.wait()
                return text("through")
            },
            Route(.get, "/gate/deferred", .deferred { _, reply in gate.park(reply) }),
        ]
    }

    private static func number(_ name: String, of request: Request) throws -> Int {
        Int(try request.queryItems()[name] ?? "") ?? 0
    }
}

extension Route {
    /// An immediate endpoint.
    init(
        _ method: RequestMethod, _ pattern: String, maximumBodyBytes: Int = 65_536,
        _ handler: @escaping @Sendable (Request) throws -> Response
    ) {
        self.init(method, pattern, maximumBodyBytes: maximumBodyBytes, .immediate(handler))
    }
}
