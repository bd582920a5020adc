import Glibc
import HTTPTypes
import HTTPWire

/// Redirects every plain request to the same URL with TLS (308, so that a POST stays a POST).
package struct HTTPSRedirect: HTTPApplication {
    package let routes = RouteTable([])
    /// The TLS port.
    private let port: Int

    package init(port: Int) { self.port = port }

    /// The configuration of its listener: small, so that load on it does not affect the main one.
    package static func configuration(host: String, port: Int) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.loops = 1
        configuration.workers = 1
        configuration.connections.inAll = 1024
        configuration.deadlines.idle = .seconds(5)
        return configuration
    }

    package func intercept(_ request: Request) -> Response? { nil }

    /// There are no routes, so every readable request arrives here as not found.
    package func response(for error: any Error, request: Request) -> Response {
        guard let failure = error as? WireError else { return Self.refusal(.internalServerError, "Failed.") }
        guard failure.status == .notFound else { return Self.refusal(failure.status, failure.detail) }
        guard let name = request.head.host.flatMap(Self.name(inHost:)) else {
            return Self.refusal(.badRequest, "The Host field names no host.")
        }
        let authority = port == 443 ? name : "\(name):\(port)"
        let target = request.head.withTarget { String(decoding: $0, as: UTF8.self) }
        // An absolute target may have no path.
        let path = target.hasPrefix("/") ? target : "/\(target)"
        return Response(status: .permanentRedirect, fields: [.location: "https://\(authority)\(path)"])
    }

    package func finish(_ response: inout Response, for request: Request) {}
    package func observe(_ record: RequestRecord, request: Request) {}
    package func observe(connections change: Int) {}
    package func observe(_ shortage: ConnectionShortage) {}
    package func observe(_ shortage: MemoryShortage) {}

    /// The name in a `Host` field without its port. Stricter than RFC 3986, which allows characters that no host name
    /// has.
    static func name(inHost host: String) -> String? {
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let address = host[..<end].dropFirst()
            guard address.contains(":"), SocketAddress(numeric: String(address)) != nil else { return nil }
            return String(host[...end])
        }
        let name = host.prefix { $0 != ":" }
        let isName = name.utf8.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isName, (1...253).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-") else {
            return nil
        }
        return String(name)
    }

    private static func refusal(_ status: HTTPResponse.Status, _ detail: String) -> Response {
        Response(
            status: status, fields: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Array("\(detail)\n".utf8))
        )
    }
}
