import Cryptography
import DeviceSimulation
import SubGuardContract

extension IngestSigningKey {
    /// The field that signs a body at a time in seconds since 1970.
    func field(_ body: [UInt8], at seconds: Int64) -> String {
        let input = IngestSignature.input(seconds: seconds, bodyDigest: SHA256.hash(of: body))
        let signature = IngestSignature(key: name, seconds: seconds, code: HMACKey(secret).code(for: input))
        return "\(IngestSignature.fieldName): \(signature.text)\r\n"
    }
}

/// Makes the requests of one thread, for traffic at a rate.
struct RequestMaker {
    /// Reads of a page, and typical searches.
    private static let reads: [(route: ClientRoute, path: String)] = [
        (.catalogue, "/api/v1/catalogue?limit=100"), (.search, "/api/v1/catalogue/search?q=net&limit=10"),
        (.catalogue, "/api/v1/catalogue?limit=50&category=streaming"),
        (.search, "/api/v1/catalogue/search?q=spotfy&limit=10"),
    ]

    private let plan: LoadPlan
    var batches: BatchMaker
    private var made = 0

    init(_ plan: LoadPlan, thread: Int) {
        self.plan = plan
        batches = BatchMaker(plan, thread: thread)
    }

    /// The next request, with its batch if it is one. `now` in milliseconds since 1970.
    mutating func make(now: Int64) -> (request: ClientRequest, batch: MadeBatch?) {
        made += 1
        if plan.profile == .catalogue || plan.profile == .mixed && made.isMultiple(of: 2) {
            let (route, path) = Self.reads[made / 2 % Self.reads.count]
            return (ClientRequest(path: path, route: route), nil)
        }
        let batch = batches.make(now: now)
        var fields = batch.isCompressed ? "Content-Encoding: gzip\r\n" : ""
        if let signingKey = plan.signingKey { fields += signingKey.field(batch.body, at: now / 1000) }
        return (ClientRequest(method: "POST", path: "/api/v1/analytics", fields: fields, body: batch.body), batch)
    }
}
