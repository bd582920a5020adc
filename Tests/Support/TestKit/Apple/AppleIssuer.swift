import Cryptography
package import Foundation

/// Signs identity tokens and account notifications like Apple, with a test key.
package struct AppleIssuer: Sendable {
    package let keyID: String
    private let key: TestKey

    package init(keyID: String) throws {
        self.keyID = keyID
        key = try TestKey(.rsa2048)
    }

    /// The members of a key in a JWK set (RFC 7517).
    package func publicKey(_ changes: [String: String] = [:]) throws -> String {
        let numbers = try key.numbers()
        let members = [
            "kty": "RSA", "kid": keyID, "use": "sig", "alg": "RS256",
            "n": Base64URLText.encode(Data(numbers.modulus)), "e": Base64URLText.encode(Data(numbers.exponent)),
        ].merging(changes) { $1 }
        return Self.json(members.mapValues { "\"\($0)\"" })
    }

    /// A JWK set.
    package static func keySet(_ keys: [String]) -> String { #"{"keys":["# + keys.joined(separator: ",") + "]}" }

    /// The claims of a token; values are JSON.
    package static func claims(
        subject: String = "001234.0a1b2c3d.0123", audience: String = "app.example.subguard", nonce: String,
        issuedAt: Int64, changes: [String: String?] = [:]
    ) -> [String: String] {
        var claims = [
            "iss": "\"https://appleid.apple.com\"", "aud": "\"\(audience)\"", "sub": "\"\(subject)\"",
            "iat": "\(issuedAt)", "exp": "\(issuedAt + 600)", "nonce": "\"\(nonceClaim(nonce))\"",
            "nonce_supported": "true", "email": "\"zoe@example.org\"", "email_verified": "\"true\"",
            "is_private_email": "false", "auth_time": "\(issuedAt)",
        ]
        for (name, value) in changes { claims[name] = value }
        return claims
    }

    package static func nonceClaim(_ nonce: String) -> String {
        SHA256.hash(of: nonce.utf8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    package func token(_ claims: [String: String], header: [String: String?] = [:]) throws -> String {
        var members: [String: String] = ["alg": "\"RS256\"", "kid": "\"\(keyID)\""]
        for (name, value) in header { members[name] = value }
        let input = "\(Self.part(members)).\(Self.part(claims))"
        return "\(input).\(Base64URLText.encode(Data(try key.signature(of: Array(input.utf8)))))"
    }

    package static func part(_ members: [String: String]) -> String {
        Base64URLText.encode(Data(json(members).utf8))
    }

    static func json(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}

/// The URL-safe alphabet without padding, implemented with Foundation independently of the server's code.
package enum Base64URLText {
    package static func encode(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
