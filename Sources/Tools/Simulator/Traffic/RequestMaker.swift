import Cryptography
import SubGuardContract

/// A request as sent.
struct MadeRequest {
    /// Head and body.
    var bytes: [UInt8] = []
    var route = LoadRoute.analytics
    /// Nil for anything but a batch of traffic at a rate.
    var batch: MadeBatch?

    var eventCount: Int { batch?.expected.total ?? 0 }
}

extension IngestSigningKey {
    /// The field that signs a body at a time in seconds since 1970.
    package func field(_ body: [UInt8], at seconds: Int64) -> String {
        let input = IngestSignature.input(seconds: seconds, bodyDigest: SHA256.hash(of: body))
        let signature = IngestSignature(key: name, seconds: seconds, code: HMACKey(secret).code(for: input))
        return "\(IngestSignature.fieldName): \(signature.text)\r\n"
    }
}

/// Makes the requests of one thread.
struct RequestMaker {
    /// Reads of a page, and typical searches.
    private static let reads: [(route: LoadRoute, path: String)] = [
        (.catalogue, "/api/v1/catalogue?limit=100"), (.search, "/api/v1/catalogue/search?q=net&limit=10"),
        (.catalogue, "/api/v1/catalogue?limit=50&category=streaming"),
        (.search, "/api/v1/catalogue/search?q=spotfy&limit=10"),
    ]

    private let profile: LoadPlan.Profile
    private let signingKey: IngestSigningKey?
    /// What is the same in each request to a server.
    private let common: [String]
    private var batches: BatchMaker
    private var made = 0
    private var spares: [MadeRequest] = []

    init(_ plan: LoadPlan, _ targets: [LoadTarget], thread: Int) {
        profile = plan.profile
        signingKey = plan.signingKey
        batches = BatchMaker(plan, thread: thread)
        common = targets.map { " HTTP/1.1\r\nHost: \($0.authority)\r\nUser-Agent: subguard-load\r\n" }
    }

    /// The next request, for the server of this number. `now` in milliseconds since 1970.
    mutating func make(now: Int64, server: Int) -> MadeRequest {
        made += 1
        var request = spares.popLast() ?? MadeRequest()
        request.bytes.removeAll(keepingCapacity: true)
        if profile == .catalogue || profile == .mixed && made.isMultiple(of: 2) {
            let (route, path) = Self.reads[made / 2 % Self.reads.count]
            request.batch = nil
            request.route = route
            request.bytes.append(contentsOf: "GET \(path)\(common[server])\r\n".utf8)
            return request
        }
        // Moved out of the request, so that its memory is uniquely referenced and reused.
        let spare = request.batch.take() ?? MadeBatch()
        let batch = batches.make(now: now, spare: spare)
        var head = "POST /api/v1/analytics\(common[server])"
        head += "Content-Type: application/json\r\nContent-Length: \(batch.body.count)\r\n"
        if let signingKey { head += signingKey.field(batch.body, at: now / 1000) }
        if batch.isCompressed { head += "Content-Encoding: gzip\r\n" }
        request.route = .analytics
        request.bytes.append(contentsOf: (head + "\r\n").utf8)
        request.bytes.append(contentsOf: batch.body)
        request.batch = batch
        return request
    }

    /// Releases a finished request; `isTaken` if the server has accepted its batch.
    mutating func finish(_ request: MadeRequest, isTaken: Bool) {
        if isTaken, let batch = request.batch { batches.remember(batch) }
        spares.append(request)
    }
}
