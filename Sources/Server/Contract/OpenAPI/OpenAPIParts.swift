import JSONWire
import SubGuardContract
import SubGuardDomain

/// The parts of the document shared by all operations.
enum OpenAPIParts {
    static let securitySchemes: JSONValue = [
        "AccessToken": [
            "type": "http", "scheme": "bearer", "bearerFormat": "sgt_ and 43 characters of base64url",
            "description": "Created with `subguardd token create --role ROLE --name NAME`, shown once.",
        ],
        "SessionToken": [
            "type": "http", "scheme": "bearer", "bearerFormat": "sga_ and 43 characters of base64url",
            "description": "The `access_token` from signing in or refreshing.",
        ],
    ]

    static let parameters: JSONObject = [
        "IfNoneMatch": [
            "name": "If-None-Match", "in": "header",
            "description":
                "The `ETag` of the response that the client has stored. While it is current, the status is 304.",
            "schema": ["type": "string"],
        ],
        "IfMatch": [
            "name": "If-Match", "in": "header",
            "description":
                "The `ETag` of the object that the change is based on. If it has changed since, the status is 412.",
            "schema": ["type": "string"],
        ],
        "IdempotencyKey": [
            "name": "Idempotency-Key", "in": "header",
            "description": """
            1 to 255 visible ASCII characters. For 24 hours, the same key with the same request returns the first \
            response again, with `Idempotency-Replayed: true`, and changes nothing.
            """,
            "schema": ["type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"],
        ],
        "IngestSignature": [
            "name": "SubGuard-Signature", "in": "header",
            "description": """
            `key=NAME, t=SECONDS, v1=HEX`: HMAC-SHA-256 of the time in seconds since 1970, a dot and the SHA-256 of \
            the body as sent, in lower-case hexadecimal digits. Ignored while `ingest_signatures` is `off`.
            """, "schema": ["type": "string", "maxLength": 300],
            "example": "key=ios-1.4, t=1795168800, v1=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        ],
        "SentryKey": [
            "name": "sentry_key", "in": "query",
            "description": "The key of the DSN, for clients that cannot set fields.",
            "schema": ["type": "string", "minLength": 1, "maxLength": 128],
        ],
        "SentryAuth": [
            "name": "X-Sentry-Auth", "in": "header", "description": "`Sentry sentry_key=<key>, sentry_version=7`.",
            "schema": ["type": "string"],
        ],
    ]

    /// The header fields of problems with this status, besides those of every problem.
    static func headers(of status: Int) -> [APIOperation.Header] {
        switch status {
        case 401: [.rateLimit, .rateLimitPolicy, .wwwAuthenticate]
        case 415: [.rateLimit, .rateLimitPolicy, .accept, .acceptEncoding]
        case 429: [.rateLimit, .rateLimitPolicy, .retryAfter]
        case 503: [.rateLimit, .rateLimitPolicy, .retryAfter]
        default: [.rateLimit, .rateLimitPolicy]
        }
    }

    /// An example problem. Its detail is the explanation of the code; real problems describe their own case.
    static func example(of code: ProblemCode) -> JSONValue {
        let problem = Problem(
            code: code, detail: code.explanation, requestID: "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e",
            errors: code == .validationFailed
                ? [Fault("#/name", .required, "Must be given.")] : [])
        return (try? JSONValue.parse(problem.json())) ?? .null
    }
}
