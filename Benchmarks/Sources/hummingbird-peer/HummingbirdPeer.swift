// The usual way to build our most frequent responses in Swift: Hummingbird on SwiftNIO, GRDB on the same SQLite file,
// JSONEncoder. Where there is a choice, the faster option is used: see docs/performance.md.
//
// Usage: hummingbird-peer PORT SQLITE-FILE [EVENTS-FILE]      (the last one enables analytics, stored in that file)

import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

@main
struct HummingbirdPeer {
    private static let largestPage = 500

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard (3...4).contains(arguments.count), let port = Int(arguments[1]) else { exit(64) }
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let store = try DatabasePool(path: arguments[2], configuration: configuration)
        let healthy = ByteBuffer(string: #"{"status":"ok"}"#)
        let router = Router()
        router.get("healthz") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: healthy))
        }
        router.get("api/v1/catalogue") { request, _ in
            let limit = request.uri.queryParameters.get("limit", as: Int.self) ?? 50
            guard (1...largestPage).contains(limit) else { throw HTTPError(.unprocessableContent) }
            return try await store.read { try CataloguePage.load($0, limit: limit) }
        }
        if arguments.count == 4 {
            let events = EventRoute(store: try EventStore(path: arguments[3]))
            router.post("api/v1/analytics") { request, _ in try await events.answer(request) }
        }
        var logger = Logger(label: "hummingbird-peer")
        logger.logLevel = .critical
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        try await application.runService()
    }
}
