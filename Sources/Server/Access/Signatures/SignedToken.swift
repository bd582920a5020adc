import Cryptography
package import JSONWire
package import SubGuardDomain
import TextCoding

/// A signed message in the compact form of RFC 7515: three parts in base64url, header, payload, signature. Nothing in
/// it may be trusted before its signature is verified.
package struct SignedToken: Sendable {
    package let header: JSONObject
    package let payload: JSONObject
    /// The signed bytes: the first two parts with the dot between them, as sent.
    package let signingInput: [UInt8]
    package let signature: [UInt8]

    /// Nil unless there are three parts in strict base64url, of which the first two are JSON objects without repeated
    /// names. Also nil if the header has an extension (`crit`), an unencoded payload (`b64`) or no algorithm.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Self.object(parts[0]), let payload = Self.object(parts[1]),
            let signature = Base64URL.bytes(of: parts[2]), !signature.isEmpty,
            header["crit"] == nil, header["b64"] == nil, header["alg"]?.stringValue != nil
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInput = Array("\(parts[0]).\(parts[1])".utf8)
    }

    package var algorithm: String { header["alg"]?.stringValue ?? "" }

    private static func object(_ part: String) -> JSONObject? {
        guard let bytes = Base64URL.bytes(of: part) else { return nil }
        return (try? JSONValue.parse(bytes))?.objectValue
    }
}

extension JSONObject {
    /// Whom a token is for: the claim `aud`, a text or a list of them; nil without it.
    package var audience: [String]? {
        self["aud"]?.stringValue.map { [$0] } ?? self["aud"]?.arrayValue?.compactMap(\.stringValue)
    }

    /// Whether the claim `nonce` is this text, compared in constant time.
    package func hasNonce(_ nonce: String) -> Bool {
        self["nonce"]?.stringValue.map { ConstantTime.areEqual($0.utf8, nonce.utf8) } ?? false
    }
}

/// Why a signed message is rejected. For the log only, so that senders of forged messages learn nothing.
package struct SignatureRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// A few fixed words, never a part of the message.
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension JSONValue {
    /// Seconds since 1970, truncated; nil unless a number in the range of instants.
    package var wholeSeconds: UTCInstant? {
        guard let seconds = doubleValue, abs(seconds) < 1e11 else { return nil }
        return UTCInstant(secondsSinceEpoch: Int64(seconds.rounded(.down)))
    }

    /// Milliseconds since 1970, truncated; nil unless a number in the range of instants.
    package var wholeMilliseconds: UTCInstant? {
        guard let milliseconds = doubleValue, abs(milliseconds) < 1e14 else { return nil }
        return UTCInstant(millisecondsSinceEpoch: Int64(milliseconds.rounded(.down)))
    }
}
