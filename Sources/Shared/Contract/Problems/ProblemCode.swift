/// The closed set of errors returned to clients. The raw value is the `code` of a problem and the last part of its
/// `type`; its meaning never changes.
public enum ProblemCode: String, Sendable, CaseIterable {
    case malformedRequest = "malformed_request"
    case malformedPath = "malformed_path"
    case malformedQuery = "malformed_query"
    case malformedJSON = "malformed_json"
    case unauthorized
    case forbidden
    case crossSite = "cross_site"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case requestTimeout = "request_timeout"
    case conflict
    case slugTaken = "slug_taken"
    case idTaken = "id_taken"
    case roleInUse = "role_in_use"
    case lastOwner = "last_owner"
    case alreadyDecided = "already_decided"
    case requestRunning = "request_running"
    case answerLost = "answer_lost"
    case syncTokenExpired = "sync_token_expired"
    case purchaseTaken = "purchase_taken"
    case preconditionFailed = "precondition_failed"
    case bodyTooLarge = "body_too_large"
    case uriTooLong = "uri_too_long"
    case unsupportedMediaType = "unsupported_media_type"
    case unsupportedContentCoding = "unsupported_content_coding"
    case expectationFailed = "expectation_failed"
    case validationFailed = "validation_failed"
    case idempotencyKeyReused = "idempotency_key_reused"
    case invalidIdentityToken = "invalid_identity_token"
    case invalidRefreshToken = "invalid_refresh_token"
    case ingestSignatureRequired = "ingest_signature_required"
    case ingestSignatureInvalid = "ingest_signature_invalid"
    case ingestSignatureExpired = "ingest_signature_expired"
    case invalidSignature = "invalid_signature"
    case invalidTransaction = "invalid_transaction"
    case rateLimited = "rate_limited"
    case headerFieldsTooLarge = "header_fields_too_large"
    case internalError = "internal_error"
    case methodNotImplemented = "method_not_implemented"
    case transferCodingNotImplemented = "transfer_coding_not_implemented"
    case signInNotConfigured = "sign_in_not_configured"
    case premiumNotConfigured = "premium_not_configured"
    case appleUnavailable = "apple_unavailable"
    case notReady = "not_ready"
    case overloaded
    case storageFull = "storage_full"
    case storageUnavailable = "storage_unavailable"
    case handlingTimeout = "handling_timeout"
    case versionNotSupported = "version_not_supported"

    /// The HTTP status of the problem.
    public var status: Int { entry.status }
    /// A short title, the same for every problem with this code (RFC 9457 section 3.1.3).
    public var title: String { entry.title }
    /// The cause and what a client should do, as shown on the page at `type`.
    public var explanation: String { entry.explanation }
    /// The path of the problem page, relative to the server.
    public var type: String { "/problems/\(rawValue)" }
}
