import Cryptography
package import Foundation
package import SubGuardDomain
import WebAuthn

/// A passkey: signs in to the console as its token.
package struct Passkey: Sendable, Hashable {
    package let id: UUID
    package let tokenID: UUID
    package let name: String
    /// The host to which the browser has bound it.
    package let relyingParty: String
    package let createdAt: UTCInstant
    package let lastUsedAt: UTCInstant?

    /// Passkeys of one token.
    package static let maximumCount = 20
    /// A challenge can be answered for this time.
    package static let challengeMinutes = 5
}

/// A passkey with its token, for lists.
package struct ListedPasskey: Sendable, Hashable {
    package let passkey: Passkey
    package let token: AccessToken
}

/// This server as browsers know it (WebAuthn section 4).
package struct RelyingParty: Sendable, Hashable {
    /// Its host.
    package let id: String
    /// Scheme, host and non-default port; the browser states it, and it is compared exactly.
    package let origin: String

    package init(id: String, origin: String) {
        self.id = id
        self.origin = origin
    }
}

/// What a browser needs to make a passkey. Bytes are base64url.
package struct PasskeyCreation: Sendable, Hashable {
    package let challenge: String
    package let userHandle: String
    /// Ids of the credentials that the token already has here.
    package let excluded: [String]
}

/// What a browser sends to sign in.
package struct PasskeyAssertion: Sendable {
    package let credentialID: [UInt8]
    package let clientData: [UInt8]
    package let authenticatorData: [UInt8]
    package let signature: [UInt8]
    package let userHandle: [UInt8]

    package init(
        credentialID: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]
    ) {
        self.credentialID = credentialID
        self.clientData = clientData
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }
}

/// Why a passkey is refused; the raw value is for the log.
package enum PasskeyRefusal: String, Error, Sendable, CaseIterable {
    case malformed = "malformed passkey data"
    case type = "passkey data of another kind"
    case origin = "passkey of another origin"
    case relyingParty = "passkey of another host"
    case challenge = "unknown, used or expired passkey challenge"
    case userAbsent = "passkey without a present user"
    case signature = "wrong passkey signature"
    case unknown = "unknown passkey"
    case userHandle = "passkey of another user"
    case signCount = "passkey sign count stepped back"
    case token = "passkey of an expired or revoked token"
    /// At registration: the authenticator is registered already.
    case registered = "passkey is registered already"
    case tooMany = "too many passkeys"
    case openID = "passkey for a person of the identity provider"
}

/// The signature of a passkey.
enum PasskeySignature {
    /// Whether the key is one that signatures can be verified with.
    static func isUsable(_ key: COSEKey) -> Bool {
        switch key {
        case .es256(let x, let y): P256PublicKey(x: x, y: y) != nil
        case .rs256(let modulus, let exponent): RSAPublicKey(modulus: modulus, exponent: exponent) != nil
        }
    }

    static func isValid(_ signature: [UInt8], of bytes: [UInt8], by key: COSEKey) -> Bool {
        switch key {
        case .es256(let x, let y):
            P256PublicKey(x: x, y: y)?.isValid(derSignature: signature, of: bytes) ?? false
        case .rs256(let modulus, let exponent):
            RSAPublicKey(modulus: modulus, exponent: exponent)?.isValid(signature, of: bytes) ?? false
        }
    }
}
