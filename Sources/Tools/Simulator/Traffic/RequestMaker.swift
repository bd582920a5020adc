import Cryptography
import SubGuardContract

/// A request as sent.
struct MadeRequest {
    /// Head and body.
    let bytes: [UInt8]
    var route = LoadRoute.analytics
    /// Nil for anything but a batch of traffic at a rate.
    var batch: MadeBatch?

    /// - Parameter fields: further header fields, each with its line break.
    init(
        _ method: String, _ path: String, to target: LoadTarget, agent: String = "subguard-load", fields: String = "",
        type: String = "application/json", body: [UInt8]? = nil
    ) {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(target.authority)\r\nUser-Agent: \(agent)\r\n\(fields)"
        if let body { head += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
        bytes = Array((head + "\r\n").utf8) + (body ?? [])
    }

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
    private var batches: BatchMaker
    private var made = 0

    init(_ plan: LoadPlan, thread: Int) {
        profile = plan.profile
        signingKey = plan.signingKey
        batches = BatchMaker(plan, thread: thread)
    }

    /// The next request for a server. `now` in milliseconds since 1970.
    mutating func make(now: Int64, for target: LoadTarget) -> MadeRequest {
        made += 1
        if profile == .catalogue || profile == .mixed && made.isMultiple(of: 2) {
            let (route, path) = Self.reads[made / 2 % Self.reads.count]
            var request = MadeRequest("GET", path, to: target)
            request.route = route
            return request
        }
        let batch = batches.make(now: now)
        var fields = batch.isCompressed ? "Content-Encoding: gzip\r\n" : ""
        if let signingKey { fields += signingKey.field(batch.body, at: now / 1000) }
        var request = MadeRequest("POST", "/api/v1/analytics", to: target, fields: fields, body: batch.body)
        request.batch = batch
        return request
    }

    /// Allows repeating the ids of a batch that the server has accepted.
    mutating func remember(_ batch: MadeBatch) { batches.remember(batch) }
}
