/// The closed set of errors returned to clients. The raw value is the `code` of a problem and the last part of its
/// `type`; its meaning never changes.
public enum ProblemCode: String, Sendable, CaseIterable {
    /// 400: the request is not valid HTTP/1.1, or the body is not of the form that it claims.
    case malformedRequest = "malformed_request"
    /// 400: the path has dot segments, or is not percent-encoded UTF-8.
    case malformedPath = "malformed_path"
    /// 400: the query is not percent-encoded UTF-8, or contains `%00`.
    case malformedQuery = "malformed_query"
    /// 400: the body is not one JSON document in UTF-8, or an object has two members of one name.
    case malformedJSON = "malformed_json"
    /// 401: the access token is missing, unknown, expired or revoked.
    case unauthorized
    /// 403: the role of the token lacks the permission, or the key of an SDK is not this server's.
    case forbidden
    /// 403: a browser sent the request from a page of another origin.
    case crossSite = "cross_site"
    /// 404: nothing is at this address, or the object in it does not exist.
    case notFound = "not_found"
    /// 405: the address does not support the method; `Allow` lists those it supports.
    case methodNotAllowed = "method_not_allowed"
    /// 408: the request did not arrive in time.
    case requestTimeout = "request_timeout"
    /// 409: the request contradicts the present state; read it again before another try.
    case conflict
    /// 409: another catalogue item has the slug.
    case slugTaken = "slug_taken"
    /// 409: another catalogue item has, or had, the id.
    case idTaken = "id_taken"
    /// 409: valid tokens still have the role that is to be removed.
    case roleInUse = "role_in_use"
    /// 409: the last token of an owner cannot be revoked by a request.
    case lastOwner = "last_owner"
    /// 409: the suggestion was approved or rejected before.
    case alreadyDecided = "already_decided"
    /// 409: the first request with the same `Idempotency-Key` is still running.
    case requestRunning = "request_running"
    /// 409: the first request with the same `Idempotency-Key` was carried out, but its response is lost.
    case answerLost = "answer_lost"
    /// 410: the sync token is too old or unreadable; the catalogue must be fetched anew.
    case syncTokenExpired = "sync_token_expired"
    /// 409: the purchase names another account.
    case purchaseTaken = "purchase_taken"
    /// 412: the resource has changed since the revision in `If-Match`.
    case preconditionFailed = "precondition_failed"
    /// 413: the body, as sent or inflated, is too large, or has too many entries.
    case bodyTooLarge = "body_too_large"
    /// 414: the request line is too long.
    case uriTooLong = "uri_too_long"
    /// 415: the call does not accept the `Content-Type` of the body.
    case unsupportedMediaType = "unsupported_media_type"
    /// 415: the `Content-Encoding` of the body is not gzip, deflate or br.
    case unsupportedContentCoding = "unsupported_content_coding"
    /// 417: `Expect` has a value other than `100-continue`.
    case expectationFailed = "expectation_failed"
    /// 422: values break rules; `errors` lists each one with its ``FaultCode``.
    case validationFailed = "validation_failed"
    /// 422: another request was sent with the same `Idempotency-Key`.
    case idempotencyKeyReused = "idempotency_key_reused"
    /// 401: Apple's identity token is not valid here, or was used before; the reason is not disclosed.
    case invalidIdentityToken = "invalid_identity_token"
    /// 401: the refresh token is not accepted; the user must sign in again.
    case invalidRefreshToken = "invalid_refresh_token"
    /// 401: the server accepts signed batches only, and `SubGuard-Signature` is missing.
    case ingestSignatureRequired = "ingest_signature_required"
    /// 401: the signature does not match the body as sent, or its key is unknown to the server.
    case ingestSignatureInvalid = "ingest_signature_invalid"
    /// 401: the time of the signature is too far from the server's clock.
    case ingestSignatureExpired = "ingest_signature_expired"
    /// 400: the notification was not signed by Apple for this app.
    case invalidSignature = "invalid_signature"
    /// 422: the transaction was not signed by the App Store for this app, or gives no premium.
    case invalidTransaction = "invalid_transaction"
    /// 429: too many requests; `Retry-After` says how many seconds to wait.
    case rateLimited = "rate_limited"
    /// 431: the header fields are too large.
    case headerFieldsTooLarge = "header_fields_too_large"
    /// 500: the server failed; its log has the cause under the `request_id`.
    case internalError = "internal_error"
    /// 501: the server does not implement the HTTP method at any address.
    case methodNotImplemented = "method_not_implemented"
    /// 501: `Transfer-Encoding` is not `chunked`.
    case transferCodingNotImplemented = "transfer_coding_not_implemented"
    /// 404: the server does not offer Sign in with Apple.
    case signInNotConfigured = "sign_in_not_configured"
    /// 404: the server does not verify purchases.
    case premiumNotConfigured = "premium_not_configured"
    /// 503: the server could not fetch Apple's keys; `Retry-After` says how many seconds to wait.
    case appleUnavailable = "apple_unavailable"
    /// 503: a check of readiness failed; the detail names it.
    case notReady = "not_ready"
    /// 503: the server is overloaded or shuts down; `Retry-After` says how many seconds to wait.
    case overloaded
    /// 503: the server has no space left and stored nothing; keep the data and send it again later.
    case storageFull = "storage_full"
    /// 503: the server cannot write to its storage; keep the data and send it again later.
    case storageUnavailable = "storage_unavailable"
    /// 503: the response was not ready in time; the request may have been carried out.
    case handlingTimeout = "handling_timeout"
    /// 505: the server supports HTTP/1.1 and HTTP/1.0 only.
    case versionNotSupported = "version_not_supported"
}
