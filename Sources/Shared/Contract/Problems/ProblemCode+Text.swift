public import SubGuardDomain

extension ProblemCode {
    /// The HTTP status of the problem.
    public var status: Int { entry.status }
    /// A short title, the same for every problem with this code (RFC 9457 section 3.1.3).
    public var title: String { entry.title }
    /// The cause and what a client should do, as shown on the page at `type`.
    public var explanation: String { entry.explanation }
    /// The path of the problem page, relative to the server.
    public var type: String { "/problems/\(rawValue)" }

    typealias Entry = (status: Int, title: String, explanation: String)

    var entry: Entry {
        switch self {
        case .malformedRequest:
            (
                400, "The request is malformed",
                """
                Its bytes do not follow RFC 9112 or could be read in two ways, and the connection is closed; or its \
                body is not of the coding or form that it claims, such as an envelope of Sentry.
                """
            )
        case .malformedPath:
            (400, "The path cannot be read", "Send a path without dot segments, percent-encoded as UTF-8.")
        case .malformedQuery: (400, "The query cannot be read", "Send the query percent-encoded as UTF-8.")
        case .malformedJSON:
            (400, "The body is not JSON", "Send one JSON document (RFC 8259) in UTF-8, without duplicate names.")
        case .unauthorized:
            (
                401, "Credentials are missing or not valid",
                "Send `Authorization: Bearer <token>` with a token that exists, has not expired and is not revoked."
            )
        case .forbidden:
            (
                403, "The credentials do not permit this",
                "Use a token of a role that holds the permission named, or the key and project of this server."
            )
        case .crossSite:
            (
                403, "The request comes from another site",
                """
                The browser says with `Sec-Fetch-Site` that a page of another origin sent it. Such a page cannot use \
                the API.
                """
            )
        case .notFound: (404, "Nothing is here", "Check the address, and the id in it.")
        case .methodNotAllowed:
            (405, "The method is not allowed here", "The `Allow` field lists the methods of this resource.")
        case .requestTimeout:
            (408, "The request did not come in time", "Send the head and the body without long pauses.")
        case .conflict: (409, "The request contradicts the present state", "Read the resource again and decide anew.")
        case .slugTaken: (409, "The slug belongs to another item", "Choose another slug, or change the other item.")
        case .idTaken: (409, "The id belongs to another item", "Choose another id, or leave it out.")
        case .roleInUse: (409, "Tokens still have the role", "Revoke the tokens of the role first, then remove it.")
        case .lastOwner:
            (
                409, "It is the last token of an owner",
                "Make another one without an expiry first, or revoke it with `subguardd token revoke`."
            )
        case .alreadyDecided:
            (409, "The suggestion is already decided", "Read it again. Reopen it to decide otherwise.")
        case .requestRunning:
            (409, "The first request still runs", "Wait, then send it again with the same `Idempotency-Key`.")
        case .answerLost:
            (
                409, "The answer was lost",
                "The request was carried out, but its response is gone. Look for the change in the audit log."
            )
        case .syncTokenExpired:
            (
                410, "The sync token is too old or unreadable",
                "Forget the local copy and the token, and read the catalogue from its first page."
            )
        case .purchaseTaken:
            (
                409, "The purchase belongs to another account",
                "Sign in with the account that bought it; its purchases name that account."
            )
        case .preconditionFailed:
            (412, "The resource has changed", "Read it again, and send `If-Match` with the new ETag.")
        case .bodyTooLarge: (413, "The body is too large", "Send less at once; limits are listed in docs/api.md.")
        case .uriTooLong: (414, "The request line is too long", "Shorten the query.")
        case .unsupportedMediaType:
            (
                415, "The media type is not supported",
                "Send one of the types named, usually `Content-Type: application/json`."
            )
        case .unsupportedContentCoding:
            (415, "The content coding is not supported", "Send the body plain, or coded as gzip, deflate or br.")
        case .expectationFailed: (417, "The expectation is not known", "Send no `Expect` other than `100-continue`.")
        case .validationFailed:
            (422, "The request breaks a rule", "`errors` names each value that is wrong, and why.")
        case .idempotencyKeyReused:
            (422, "The idempotency key was used before", "Use a new key for every different request.")
        case .invalidIdentityToken:
            (
                401, "The identity token is not accepted",
                "Get a new one from Apple, with a new nonce; each works once. The reason is not disclosed."
            )
        case .invalidRefreshToken:
            (401, "The refresh token is not accepted", "Forget it, and sign in with Apple again.")
        case .ingestSignatureRequired:
            (
                401, "The batch is not signed",
                "Send `SubGuard-Signature`, made with a key of this server; docs/api.md shows how."
            )
        case .ingestSignatureInvalid:
            (
                401, "The signature of the batch is not valid",
                "Sign the body as it is sent, after compression, with a key that the server still has."
            )
        case .ingestSignatureExpired:
            (
                401, "The time of the signature is too far from the server's",
                "Sign the body again, with the time in the `Date` field of this server's response."
            )
        case .invalidSignature:
            (
                400, "The signed message is not accepted",
                "Only what Apple signed for this app is. Why something was refused is in the server's log."
            )
        case .invalidTransaction:
            (
                422, "The signed transaction is not accepted",
                "Only what the App Store signed for this app is. Why something was refused is in the server's log."
            )
        case .rateLimited: (429, "Too many requests", "Wait for as many seconds as `Retry-After` says.")
        case .headerFieldsTooLarge: (431, "The header fields are too large", "Send fewer or shorter fields.")
        case .internalError:
            (
                500, "The server failed",
                "It is not your fault. The operator finds the cause in the log under the `request_id`."
            )
        case .methodNotImplemented:
            (501, "The method is not known", "Use a method that RFC 9110 defines for resources.")
        case .transferCodingNotImplemented:
            (501, "The transfer coding is not known", "Send `Transfer-Encoding: chunked` or a `Content-Length`.")
        case .signInNotConfigured:
            (
                404, "Sign in with Apple is not set up on this server",
                "Only premium needs an account. The operator enables sign-in with `SUBGUARD_APPLE_CLIENT_IDS`."
            )
        case .premiumNotConfigured:
            (
                404, "Purchases are not set up on this server",
                "The operator enables them with `SUBGUARD_APP_STORE_BUNDLE_ID`."
            )
        case .appleUnavailable:
            (503, "Apple's keys are unavailable", "Wait for as many seconds as `Retry-After` says.")
        case .notReady: (503, "The server is not ready", "The failing check is named. Try again later.")
        case .overloaded: (503, "The server has too much to do", "Wait for as many seconds as `Retry-After` says.")
        case .storageFull:
            (
                503, "The server has no room for more",
                "Keep the data and send it again after `Retry-After`. Reading goes on."
            )
        case .storageUnavailable:
            (
                503, "The server cannot write to its storage",
                "Keep the data and send it again after `Retry-After`. Reading goes on."
            )
        case .handlingTimeout: (503, "The response took too long", "Wait for as many seconds as `Retry-After` says.")
        case .versionNotSupported: (505, "The version of HTTP is not supported", "Speak HTTP/1.1.")
        }
    }
}
