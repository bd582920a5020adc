import EventLog
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// `POST /api/v1/analytics`: parses on a worker, responds once the batch is on disk.
struct AnalyticsRoutes: Sendable {
    let ingest: EventIngest
    let admission: IngestAdmission
    let now: @Sendable () -> UTCInstant

    /// 1,000 events with every property are about 600 KB.
    private static let maximumBodyBytes = 1 << 20
    private static let maximumInflatedBytes = 4 << 20

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .analytics, allowance: .write, maximumBodyBytes: Self.maximumBodyBytes,
                admission: { try admission.signatures.requireForm($0) }, .deferred { try submit($0, $1) })
        ]
    }

    private func submit(_ request: Request, _ reply: Reply) throws {
        let signer = try admission.signatures.signer(of: request)
        let body = try ContentCoding.decodedBody(of: request, maximumBytes: Self.maximumInflatedBytes)
        var batch = try EventParser.parse(body, receivedAt: now())
        batch.signer = signer
        try admission.admit(batch, of: request)
        let sentBytes = request.body.count
        ingest.submit(batch) { result in reply(result.map { Self.response($0, sentBytes: sentBytes) }) }
    }

    /// One rejection, up to 180 bytes, per 10 bytes of the request. Useful events are longer than that even with gzip,
    /// so the limit only affects requests crafted for a large response.
    private static func maximumRejections(sentBytes: Int) -> Int { max(FaultList.maximumFaults, sentBytes / 10) }

    private static func response(_ receipt: IngestReceipt, sentBytes: Int) -> Response {
        let named = receipt.rejected.prefix(maximumRejections(sentBytes: sentBytes))
        return EventReceipt(
            accepted: receipt.accepted, duplicates: receipt.duplicates,
            rejected: named.map { rejected in
                EventReceipt.Rejection(index: rejected.index, code: rejected.code.rawValue, detail: rejected.detail)
            }, omittedRejections: receipt.rejected.count - named.count
        ).response(.accepted)
    }
}

/// `POST /api/v1/analytics/erasure`: responds once the request is on disk; a job executes it.
struct AnalyticsErasureRoutes: Sendable {
    let log: EventLog
    let limits: ClientLimits

    private static let maximumBodyBytes = 1024

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .analyticsErasure, allowance: .account, maximumBodyBytes: Self.maximumBodyBytes,
                .blocking { try erase($0) })
        ]
    }

    private func erase(_ request: Request) throws -> Response {
        let body = try AnalyticsErasure(body: request, maximumBytes: Self.maximumBodyBytes)
        guard let user = Array(body.userID.utf8).withUnsafeBytes({ UserHash(hexadecimal: $0) }) else {
            throw HTTPFailure.invalid("#/user_id", .invalidUserID, "Must be 64 lower-case hexadecimal digits.")
        }
        try limits.take(.erasure, for: request)
        try log.requestErasure(of: user)
        return .empty(.accepted)
    }
}

/// `POST /batch/`: events of unmodified PostHog SDKs; responds once they are on disk.
struct PostHogRoutes: Sendable {
    let ingest: EventIngest
    let admission: IngestAdmission
    /// Empty if batches are not accepted.
    let key: String
    let ids: DerivedEventIDs
    let now: @Sendable () -> UTCInstant

    /// SDKs send at most 5 MB per request, usually with gzip.
    private static let maximumBodyBytes = 6 << 20
    /// Number of decompressed bytes searched for the key before the rest is decompressed. SDKs that send the key first
    /// have it within the first 100 bytes.
    private static let keyPrefixBytes = 4096

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .postHogBatch, allowance: .write, maximumBodyBytes: Self.maximumBodyBytes,
                admission: { try admission.signatures.requireForm($0) }, .deferred { try submit($0, $1) })
        ]
    }

    private func submit(_ request: Request, _ reply: Reply) throws {
        guard !key.isEmpty else {
            throw HTTPFailure(.notFound, "This server takes no PostHog batches: ingest_posthog_key is not set.")
        }
        let signer = try admission.signatures.signer(of: request)
        let body = try ContentCoding.decodedBody(
            of: request, maximumBytes: Self.maximumBodyBytes, prefixCount: Self.keyPrefixBytes
        ) { prefix in
            guard let given = PostHogBatchParser.key(inPrefix: prefix), given != key else { return }
            throw HTTPFailure(PostHogBatchParser.Failure.wrongKey)
        }
        var batch: EventBatch
        do throws(PostHogBatchParser.Failure) {
            batch = try PostHogBatchParser.parse(body, key: key, ids: ids, receivedAt: now())
        } catch {
            throw HTTPFailure(error)
        }
        batch.signer = signer
        try admission.admit(batch, of: request)
        ingest.submit(batch) { result in reply(result.map { _ in Self.accepted }) }
    }

    private static let accepted = PostHogReceipt().response(.ok)
}

extension HTTPFailure {
    fileprivate init(_ failure: PostHogBatchParser.Failure) {
        switch failure {
        case .malformed(let detail): self.init(.malformedJSON, Sentence(pattern: detail))
        case .notAnObject: self = .invalid("#", .invalidType, "The body must be an object with api_key and batch.")
        case .noBatch: self = .invalid("#/batch", .required, "Must be given.")
        case .wrongBatch: self = .invalid("#/batch", .invalidType, "Must be an array of events.")
        case .wrongKey:
            self.init(
                .unauthorized, "The api_key is missing or not this server's.",
                fields: [.wwwAuthenticate: "ApiKey realm=\"subguard\""])
        case .tooManyEvents:
            self.init(.bodyTooLarge, "A batch holds at most \(PostHogBatchParser.maximumEvents) events.")
        }
    }
}
