import Glibc
package import JSONWire
package import SubGuardContract
import SubGuardDomain

/// Single blocking calls beside the load, each on its own connection.
package struct ServerCalls: Sendable {
    /// A quota per minute is replenished after at most a minute.
    private static let maximumTries = 20
    private static let maximumSeconds = 120

    private let endpoint: Endpoint
    private let token: String
    private let timeout: Duration
    private let wait: @Sendable (_ seconds: Int) -> Void

    /// - Parameters:
    ///   - token: requires the permission `metrics.read`; for other records than events, those of their calls.
    ///   - timeout: of each request.
    ///   - wait: waits for the given number of seconds, as requested by the server.
    package init(
        _ endpoint: Endpoint, token: String, timeout: Duration,
        wait: @escaping @Sendable (_ seconds: Int) -> Void = { _ = sleep(UInt32($0)) }
    ) {
        self.endpoint = endpoint
        self.token = token
        self.timeout = timeout
        self.wait = wait
    }

    package func dashboard() throws(LoadError) -> JSONObject {
        try object("GET", "/api/v1/admin/dashboard", fields: authorization, expecting: [200])
    }

    /// Reads every item of the catalogue, page by page.
    package func catalogue() throws(LoadError) -> [CataloguePopularity.Item] {
        var items: [CataloguePopularity.Item] = []
        var cursor: String?
        repeat {
            let path = "/api/v1/catalogue?limit=500" + (cursor.map { "&cursor=" + $0 } ?? "")
            let object = try object("GET", path, expecting: [200])
            guard let page = try? CataloguePage(object, unknown: .ignored) else {
                throw .unreadable("the answer to GET /api/v1/catalogue is not a page of a catalogue")
            }
            items += page.items.map { CataloguePopularity.Item(id: $0.id, slug: $0.slug) }
            cursor = page.nextCursor
        } while cursor != nil
        return items
    }

    /// Sends a batch of events.
    package func send(_ body: [UInt8]) throws(LoadError) -> EventReceipt {
        let object = try object("POST", "/api/v1/analytics", body: body, expecting: [202])
        guard let answer = try? EventReceipt(object, unknown: .ignored) else {
            throw .unreadable("the answer to POST /api/v1/analytics does not have the form of the contract")
        }
        return answer
    }

    /// Sends a record as the owner of the token. Throws if the status is not one of `expected`.
    package func send(
        _ method: String, _ path: String, _ body: [UInt8], type: String = "application/json", expecting expected: [Int]
    ) throws(LoadError) {
        _ = try object(method, path, fields: authorization, body: body, type: type, expecting: expected)
    }

    private var authorization: String { "Authorization: Bearer \(token)\r\n" }

    /// All these calls can be repeated: reading changes nothing, and what is sent again is known by its id.
    private func object(
        _ method: String, _ path: String, fields: String = "", body: [UInt8]? = nil, type: String = "application/json",
        expecting expected: [Int]
    ) throws(LoadError) -> JSONObject {
        let call = "\(method) \(path)"
        var head = "\(call) HTTP/1.1\r\nHost: \(endpoint.target.authority)\r\n"
        head += "User-Agent: subguard-load\r\n\(fields)"
        if let body { head += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
        let request = Array((head + "\r\n").utf8) + (body ?? [])
        let answer = try Self.whenFree(call: call, wait) { () throws(LoadError) in try exchange(request) }
        let object = (try? JSONValue.parse(answer.body))?.objectValue
        guard expected.contains(answer.status), let object else {
            let reason = object?["detail"]?.stringValue ?? "without a reason"
            throw .unreadable("\(call) was answered \(answer.status): \(reason)")
        }
        return object
    }

    /// Repeats a call that returns 429 or 503, after the seconds in `Retry-After`: 1 if it is missing or not a number,
    /// at most 120.
    package static func whenFree(
        call: String, _ wait: (_ seconds: Int) -> Void, _ exchange: () throws(LoadError) -> Answer
    ) throws(LoadError) -> Answer {
        for _ in 1..<maximumTries {
            let answer = try exchange()
            guard [429, 503].contains(answer.status) else { return answer }
            wait(min(max(answer.retryAfter ?? 1, 1), maximumSeconds))
        }
        let answer = try exchange()
        guard [429, 503].contains(answer.status) else { return answer }
        throw .unreadable("\(call) was answered \(answer.status) \(maximumTries) times; giving up")
    }

    private func exchange(_ request: [UInt8]) throws(LoadError) -> Answer {
        let start = LoadClock.now()
        let pool = try ConnectionPool([endpoint], timeout: timeout.nanoseconds)
        var result: Result<Answer, LoadConnection.Failure>?
        pool.handle = { [unowned pool] number, event in
            switch event {
            case .connected: pool.send(number, MadeRequest(bytes: request), dueAt: start)
            case .sent: break
            case .answer(let answer, _): result = .success(answer)
            case .failed(let fault, _): result = .failure(.init(fault: fault))
            }
        }
        pool.open(0)
        while result == nil {
            pool.wait(until: LoadClock.now() + 100_000_000)
            pool.expire(LoadClock.now())
        }
        switch result {
        case .success(let answer)?: return answer
        case .failure(let failure)? where failure.fault != .connect: throw .noAnswer(failure.fault)
        default: throw .cannotConnect(endpoint.target.authority)
        }
    }
}
