import Crypto
import CryptoExtras
package import JSONWire
import TextCoding

/// A public RSA key of at least 2048 bits, of a set of keys (RFC 7517).
package struct SigningKey: Sendable {
    /// By which messages name it.
    package let id: String
    private let key: _RSA.Signing.PublicKey

    /// Nil for a key that cannot be one of Apple's: another type, use or algorithm, or too short.
    package init?(_ object: JSONObject) {
        guard object["kty"]?.stringValue == "RSA", let id = object["kid"]?.stringValue, !id.isEmpty,
            Self.isAbsent(object["use"], or: "sig"), Self.isAbsent(object["alg"], or: IdentityToken.algorithm),
            let modulus = object["n"]?.stringValue.flatMap(Base64URL.bytes(of:)), modulus.count <= 1024,
            let exponent = object["e"]?.stringValue.flatMap(Base64URL.bytes(of:)), (1...8).contains(exponent.count),
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
        else { return nil }
        self.id = id
        self.key = key
    }

    /// The keys of a set that can be used; nil when it is no set at all. Others stand in it by right and are passed over.
    package static func set(_ bytes: [UInt8]) -> [SigningKey]? {
        guard let keys = (try? JSONValue.parse(bytes))?.objectValue?["keys"]?.arrayValue else { return nil }
        return keys.compactMap { $0.objectValue.flatMap(SigningKey.init) }
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256, which RS256 is (RFC 7518 section 3.3).
    package func signed(_ token: SignedToken) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
        return key.isValidSignature(
            signature, for: SHA256.hash(data: token.signingInput), padding: .insecurePKCS1v1_5)
    }

    private static func isAbsent(_ value: JSONValue?, or word: String) -> Bool {
        value == nil || value?.stringValue == word
    }
}
