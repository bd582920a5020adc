import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardContract
import SubGuardDomain

/// Reads the bearer token of a request (RFC 6750), and rejects requests without a valid one.
struct BearerCredentials: Sendable {
    let limiter: RateLimiter
    let address: ClientAddress
    var realm = "subguard"

    /// The challenge of a 401 for a token that is not valid.
    static func invalidToken(realm: String = "subguard") -> String {
        "Bearer realm=\"\(realm)\", error=\"invalid_token\""
    }

    /// The text of the token. Throws 400, 401 or 429; `refused` gets the reason if there are credentials.
    func token(of request: Request, refused: (String) -> Void = { _ in }) throws -> String {
        let values = request.head.values(of: .authorization)
        guard let value = values.first else { throw unauthorized("Credentials are missing.") }
        guard values.count == 1 else {
            // A proxy may have checked another value than this server would (RFC 9110 section 5.3: not a list field).
            refused("several credentials")
            throw HTTPFailure(.malformedRequest, "Authorization must be sent once.")
        }
        // The scheme is case-insensitive and followed by one or more spaces (RFC 9110 sections 11.1 and 11.4).
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            refused("no bearer token")
            try countFailure(of: request)
            throw unauthorized("The credentials must be of the scheme Bearer.")
        }
        return String(parts[1])
    }

    /// The 401 for a token that is not valid. Throws 429.
    func invalidToken(
        _ request: Request, _ detail: Sentence = "The token is unknown, expired or revoked."
    ) throws -> HTTPFailure {
        try countFailure(of: request)
        return HTTPFailure(.unauthorized, detail, fields: [.wwwAuthenticate: Self.invalidToken(realm: realm)])
    }

    /// Counts only failures, so that valid tokens at the same address are not locked out. Throws 429.
    private func countFailure(of request: Request) throws {
        if let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed {
            throw state.failure
        }
    }

    private func unauthorized(_ detail: Sentence) -> HTTPFailure {
        HTTPFailure(.unauthorized, detail, fields: [.wwwAuthenticate: "Bearer realm=\"\(realm)\""])
    }
}
