import HTTPServer
import HTTPTypes
import HTTPWire

/// Minimal routes for the table of conformance cases.
enum ConformanceRoutes {
    static let all: [Route] = [
        Route(.get, "/healthz") { _ in json(.ok, #"{"status":"ok"}"#) },
        Route(.get, "/api/v1/catalogue") { request in
            let known = request.head.value(of: .ifNoneMatch) == "*"
            var response = known ? Response(status: .notModified) : json(.ok, "{}")
            response.fields[.eTag] = "\"2024-02-29\""
            return response
        },
        // A body read with one octet too few or too many is not an array any more.
        Route(.post, "/api/v1/analytics", maximumBodyBytes: 1 << 20) { request in
            request.body.first == UInt8(ascii: "[") && request.body.last == UInt8(ascii: "]")
                ? json(.accepted, "{}") : json(.badRequest, "{}")
        },
    ]

    private static func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(status: status, fields: [.contentType: "application/json"], body: .bytes(Array(text.utf8)))
    }
}
