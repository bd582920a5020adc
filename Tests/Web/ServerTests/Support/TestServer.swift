import Foundation
import HTTPServer
import HTTPServerTLS
import TestKit

/// A server for one test, stopped when the value is released.
final class TestServer: Sendable {
    let application: TestApplication
    let server: HTTPServer
    private let speaksTLS: Bool

    /// All tests of this target use TLS with SUBGUARD_TEST_TLS=1: responses must not depend on it.
    static let speaksTLS = ProcessInfo.processInfo.environment["SUBGUARD_TEST_TLS"] == "1"
    private static let maker = Result { try CertificateMaker() }
    private static let certificate = Result {
        let pair = try maker.get().make()
        return TLSConfiguration(certificatePath: pair.certificate, keyPath: pair.key)
    }

    var port: Int { server.port }

    /// Uses the routes of ``TestRoutes`` and `extra`, or only `routes`.
    init(
        extra: [Route] = [], routes: [Route]? = nil, _ configure: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        if Self.speaksTLS { configuration.tls = try Self.certificate.get() }
        configure(&configuration)
        speaksTLS = configuration.tls != nil
        application = TestApplication(extra: extra, routes: routes)
        server = try HTTPServer(configuration: configuration, application: application)
    }

    deinit {
        application.gate.open()
        server.stop(deadline: .zero)
    }

    func connect(receiveBufferBytes: Int32? = nil) throws -> RawClient {
        try connector(receiveBufferBytes: receiveBufferBytes)()
    }

    /// Makes clients on other threads without keeping the server alive.
    func connector(
        timeoutSeconds: Double = 20, receiveBufferBytes: Int32? = nil
    ) -> @Sendable () throws -> RawClient {
        { [port, speaksTLS] in
            let client = try RawClient(
                port: port, timeoutSeconds: timeoutSeconds, receiveBufferBytes: receiveBufferBytes)
            if speaksTLS { try client.secure() }
            return client
        }
    }

    /// One request on a separate connection.
    func exchange(_ request: String) throws -> RawResponse { try connect().exchange(request) }

    /// `GET` on a separate connection.
    func get(_ target: String, _ fields: String...) throws -> RawResponse { try exchange(Self.get(target, fields)) }

    /// The text of a `GET` with further field lines.
    static func get(_ target: String, _ fields: String...) -> String { get(target, fields) }

    private static func get(_ target: String, _ fields: [String]) -> String {
        "GET \(target) HTTP/1.1\r\nHost: h\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    /// The text of a `POST` with a body of known length.
    static func post(_ target: String, _ body: String, _ fields: String...) -> String {
        "POST \(target) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n"
            + fields.map { "\($0)\r\n" }.joined() + "\r\n\(body)"
    }
}
