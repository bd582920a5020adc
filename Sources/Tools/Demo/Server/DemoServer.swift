import Foundation
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server that the demo talks to, through its public calls only.
struct DemoServer: Sendable {
    private static let requestTimeoutSeconds = 30.0
    private static let pageSize = 500

    private let address: URL
    private let token: String
    private let session: URLSession
    private let waiting: PatientWaiting

    init(address: URL, token: String, waiting: PatientWaiting) {
        self.address = address
        self.token = token
        self.waiting = waiting
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.requestTimeoutSeconds
        session = URLSession(configuration: configuration)
    }

    /// Every item of the catalogue, page by page.
    func catalogue() async throws -> [CataloguePopularity.Item] {
        var items: [CataloguePopularity.Item] = []
        var cursor: String?
        repeat {
            var query = [URLQueryItem(name: "limit", value: "\(Self.pageSize)")]
            if let cursor { query.append(URLQueryItem(name: "cursor", value: cursor)) }
            let page = try await answer(to: request(.catalogue, query: query), of: .catalogue, expecting: 200)
            guard let listed = page["items"]?.arrayValue else { throw unreadable(.catalogue) }
            for item in listed {
                guard let item = item.objectValue, let slug = item["slug"]?.stringValue,
                    let id = item["id"]?.stringValue.flatMap({ UUID(strict: $0) })
                else { throw unreadable(.catalogue) }
                items.append(CataloguePopularity.Item(id: id, slug: slug))
            }
            cursor = page["next_cursor"]?.stringValue
        } while cursor != nil
        return items
    }

    func send(_ body: [UInt8]) async throws -> IngestAnswer {
        var request = request(.analytics)
        request.httpBody = Data(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let object = try await answer(to: request, of: .analytics, expecting: 202)
        guard let answer = IngestAnswer(wire: object) else { throw unreadable(.analytics) }
        return answer
    }

    func dashboard() async throws -> JSONObject {
        var request = request(.dashboard)
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return try await answer(to: request, of: .dashboard, expecting: 200)
    }

    private func request(_ route: APIOperation, query: [URLQueryItem] = []) -> URLRequest {
        var url = address.appendingPathComponent(String(route.path.dropFirst()))
        if !query.isEmpty { url.append(queryItems: query) }
        var request = URLRequest(url: url)
        request.httpMethod = route.method.rawValue
        return request
    }

    /// Sends until the server has time for it. Every call of the demo may be repeated: reading changes nothing, and an
    /// event counts once however often it is sent.
    private func answer(to request: URLRequest, of route: APIOperation, expecting status: Int) async throws
        -> JSONObject
    {
        let (data, response) = try await waiting.whileBusy(call: Self.name(route)) {
            try await exchange(request)
        }
        let object = (try? JSONValue.parse(Array(data)))?.objectValue
        guard response.statusCode == status else {
            let reason = object?["detail"]?.stringValue ?? "without a reason"
            throw DemoError.refused(call: Self.name(route), status: response.statusCode, reason: reason)
        }
        guard let object else { throw unreadable(route) }
        return object
    }

    private func exchange(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            let (data, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else {
                throw DemoError.unreachable(server: address.absoluteString, reason: "it does not speak HTTP")
            }
            return (data, response)
        } catch let error as URLError {
            throw DemoError.unreachable(server: address.absoluteString, reason: error.code.reason)
        }
    }

    private func unreadable(_ route: APIOperation) -> DemoError { .unreadableAnswer(call: Self.name(route)) }

    private static func name(_ route: APIOperation) -> String { "\(route.method.rawValue) \(route.path)" }
}

extension URLError.Code {
    fileprivate var reason: String {
        switch self {
        case .cannotConnectToHost: "nothing listens there"
        case .cannotFindHost, .dnsLookupFailed: "there is no such host"
        case .timedOut: "no answer came in time"
        case .networkConnectionLost: "the connection was cut"
        default: "network error \(rawValue)"
        }
    }
}
