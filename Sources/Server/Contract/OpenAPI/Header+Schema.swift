import JSONWire
import SubGuardContract

extension APIOperation.Header {
    /// The OpenAPI header object.
    var schema: JSONObject {
        switch self {
        case .requestID:
            Self.text(
                "The request's own `X-Request-Id` when it is 1 to 128 visible ASCII characters, else one that the "
                    + "server makes.", "^[!-~]{1,128}$", "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e", required: true)
        case .etag:
            Self.text(
                "A strong validator of this body in this content coding.", #"^"[!#-~]+"$"#,
                #""5b1f0c2e9d7a4836b0f1e2d3c4b5a697""#, required: true)
        case .itemETag:
            Self.text(
                "The revision of the item; send it back in `If-Match`. The tag of any coding names the same revision.",
                #"^"r[0-9]+(?:-gzip)?"$"#, #""r1204""#, required: true)
        case .vary: Self.text("Request fields that select the response.", nil, "Accept-Encoding")
        case .cacheControl:
            Self.text(
                "How long caches may keep the response.", nil, "public, max-age=300, stale-if-error=86400")
        case .location:
            [
                "description": "The address of the item.", "required": true,
                "schema": [
                    "type": "string", "format": "uri-reference",
                    "pattern":
                        "^/api/v1/(?:[a-z]+/)+[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
                ], "example": "/api/v1/catalogue/01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b",
            ]
        case .retryAfter:
            [
                "description": "Seconds to wait before the next attempt.", "required": true,
                "schema": ["type": "integer", "minimum": 1], "example": 5,
            ]
        case .rateLimit:
            Self.text(
                "What remains: `r` requests, and `t` seconds until the allowance is full again or, in a 429, until the "
                    + "next request is allowed.", #"^"[a-z]+";r=[0-9]+;t=[0-9]+$"#, #""read";r=5999;t=1"#)
        case .rateLimitPolicy:
            Self.text(
                "The allowance: `q` requests within `w` seconds, per client address.",
                #"^"[a-z]+";q=[0-9]+;w=[0-9]+$"#, #""read";q=6000;w=60"#)
        case .acceptEncoding: Self.text("The content codings that a body may have.", nil, "gzip, deflate, br")
        case .wwwAuthenticate:
            Self.text(
                "How to authenticate (RFC 9110).", #"^(?:Bearer|SubGuard-Signature|ApiKey) realm="subguard""#,
                #"Bearer realm="subguard""#, required: true)
        case .link:
            Self.text(
                #"The next page, as `<address>; rel="next"`; absent on the last one."#, #"^<.+>; rel="next"$"#,
                #"</api/v1/admin/catalogue?limit=50&cursor=AbC>; rel="next""#)
        case .contentDisposition:
            Self.text(
                "Suggests a file name for saving; figures have it with CSV only.", nil,
                #"attachment; filename="catalogue.csv""#)
        case .accept: Self.text("The content types that the body may have.", nil, "application/json")
        case .idempotencyReplayed:
            Self.text("Present when this is the response to an earlier request under the same key.", "^true$", "true")
        case .figuresComplete:
            Self.text("`complete` of the JSON, with CSV only.", "^(?:true|false)$", "true")
        case .figuresCountedUntil:
            Self.text("`counted_until` of the JSON, with CSV only.", nil, "2026-11-22T10:00:00Z")
        case .contentTypeOptions: Self.text("Browsers must not guess another type.", "^nosniff$", "nosniff")
        }
    }

    private static func text(
        _ description: String, _ pattern: String?, _ example: String, required: Bool = false
    ) -> JSONObject {
        var header: JSONObject = ["description": .string(description)]
        if required { header.set("required", true) }
        header.set(
            "schema", pattern.map { ["type": "string", "pattern": .string($0)] } ?? ["type": "string", "minLength": 1])
        header.set("example", .string(example))
        return header
    }
}
