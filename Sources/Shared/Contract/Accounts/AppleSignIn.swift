package import JSONWire
package import SubGuardDomain

/// The body of `POST /api/v1/auth/apple`.
public struct AppleSignIn: Sendable, Hashable {
    /// What Sign in with Apple gave to the app: a JWT, signed by Apple.
    public let identityToken: String
    /// The raw nonce. Its SHA-256, in hexadecimal digits, is what the app put into the request to Apple.
    public let nonce: String

    public init(identityToken: String, nonce: String) {
        self.identityToken = identityToken
        self.nonce = nonce
    }

    /// Throws ``FaultList`` with every fault.
    package init(_ object: JSONObject) throws(FaultList) {
        var fields = FieldReader(object, known: ["identity_token", "nonce"], unknown: .refused)
        let token = fields.string("identity_token", maximumBytes: WireLimits.identityTokenBytes)
        let nonce = fields.string("nonce", maximumBytes: WireLimits.nonceBytes)
        guard fields.faults.isEmpty, let token, let nonce else { throw fields.faults }
        self.init(identityToken: token, nonce: nonce)
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("identity_token", identityToken)
        writer.field("nonce", nonce)
        writer.endObject()
    }
}
