import Cryptography
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL
import TextCoding

/// The requirements for Apple's identity tokens.
package struct AppleIdentity: Sendable {
    /// The apps, by their bundle or services id; empty when Sign in with Apple is not set up.
    package let clientIDs: Set<String>
    let keys: SigningKeyCache

    package init(clientIDs: Set<String>, keys: SigningKeyCache) {
        self.clientIDs = clientIDs
        self.keys = keys
    }

    static let issuer = "https://appleid.apple.com"
    /// Maximum difference between Apple's clock and ours.
    static let leewaySeconds: Int64 = 60

    /// Returns the payload of a currently valid token that Apple signed for one of the apps. Throws
    /// ``SignatureRefusal`` and ``SigningKeyCache/Failure``.
    func payload(of text: String, at now: UTCInstant) throws -> JSONObject {
        guard let token = SignedToken(text) else { throw SignatureRefusal("not a signed token") }
        guard token.algorithm == IdentityToken.algorithm else { throw SignatureRefusal("another algorithm") }
        guard let keyID = token.header["kid"]?.stringValue, (1...128).contains(keyID.utf8.count) else {
            throw SignatureRefusal("names no key")
        }
        // Cheap checks first, so that an invalid token triggers no fetch of keys.
        try check(token.payload, at: now)
        let key = try keys.signingKey(keyID)
        guard key.signed(token) else { throw SignatureRefusal("wrong signature") }
        return token.payload
    }

    private func check(_ claims: JSONObject, at now: UTCInstant) throws(SignatureRefusal) {
        guard claims["iss"]?.stringValue == Self.issuer else { throw SignatureRefusal("another issuer") }
        guard let audience = claims.audience, audience.contains(where: clientIDs.contains) else {
            throw SignatureRefusal("for another app")
        }
        guard let issued = claims["iat"]?.wholeSeconds, issued <= now.adding(seconds: Self.leewaySeconds) else {
            throw SignatureRefusal("issued in the future")
        }
        guard let expires = claims["exp"]?.wholeSeconds, expires > now.adding(seconds: -Self.leewaySeconds) else {
            throw SignatureRefusal("expired")
        }
    }
}

/// A verified identity token: the person, and proofs that may be used only once.
struct IdentityToken {
    static let algorithm = "RS256"

    let subject: String
    let expiresAt: UTCInstant
    /// Hashes of the token and of the nonce.
    let proofs: [[UInt8]]

    /// Throws ``SignatureRefusal`` and ``SigningKeyCache/Failure``.
    init(_ text: String, nonce: String, identity: AppleIdentity, at now: UTCInstant) throws {
        let claims = try identity.payload(of: text, at: now)
        let digest = SHA256.hash(of: nonce.utf8)
        guard claims.hasNonce(Hexadecimal.text(digest)) else { throw SignatureRefusal("another nonce") }
        guard let subject = claims["sub"]?.stringValue, (1...256).contains(subject.utf8.count) else {
            throw SignatureRefusal("names no user")
        }
        self.subject = subject
        expiresAt = claims["exp"]?.wholeSeconds ?? now
        // Only the signed part is hashed, because a signature has several encodings.
        let signed = text.utf8.prefix(upTo: text.utf8.lastIndex(of: UInt8(ascii: ".")) ?? text.utf8.endIndex)
        proofs = [
            SpentProofs.hash("identity_token", Array(signed)), SpentProofs.hash("nonce", Array(nonce.utf8)),
        ]
    }
}

/// Records values that may be used once, across all servers of a database, by primary key.
enum SpentProofs {
    /// `kind` separates the hashes of nonces from those of tokens.
    static func hash(_ kind: StaticString, _ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(kind.withUTF8Buffer { Array($0) } + [0])
        hash.update(bytes)
        return hash.finish()
    }

    /// Returns false if it was used before.
    static func spend(
        _ proof: [UInt8], until expiresAt: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Bool {
        try transaction.execute(
            "INSERT INTO spent_proofs (proof_hash, expires_at) VALUES (?, ?) ON CONFLICT (proof_hash) DO NOTHING",
            [.blob(proof), .instant(expiresAt)]) == 1
    }
}
