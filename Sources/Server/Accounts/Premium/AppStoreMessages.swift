import Cryptography
import Foundation
import JSONWire
import ServerAccess
package import SubGuardDomain

/// Verifies signed messages of the App Store (StoreKit 2, App Store Server Notifications 2): ES256, a chain of three
/// certificates to one of the roots, for our app and environment.
package final class AppStoreMessages: Sendable {
    /// The requirements for a message besides a valid signature.
    package struct Rules: Sendable {
        /// The bundle id of the app; empty when purchases are not set up.
        package var bundleID: String
        /// Xcode's messages are unsigned and always rejected.
        package var environments: Set<PurchaseEnvironment>
        /// Apple's numeric id of the app, contained in Production notifications; nil to accept any.
        package var appID: Int64?
        /// Products that give premium; empty for all products of the app.
        package var productIDs: Set<String>

        package init(
            bundleID: String, environments: Set<PurchaseEnvironment>, appID: Int64? = nil, productIDs: Set<String> = []
        ) {
            self.bundleID = bundleID
            self.environments = environments
            self.appID = appID
            self.productIDs = productIDs
        }
    }

    package let rules: Rules
    private let chains: AppStoreChainVerifier
    private let now: @Sendable () -> UTCInstant

    /// Maximum time by which Apple's clock may be ahead of ours.
    private static let leewayMilliseconds: Int64 = 300_000
    /// Apple's certificates have about 1 KiB.
    private static let maximumCertificateBytes = 8192

    package init(rules: Rules, roots: AppStoreRoots, now: @escaping @Sendable () -> UTCInstant) {
        self.rules = rules
        self.now = now
        chains = AppStoreChainVerifier(roots: roots, now: now)
    }

    /// Returns the payload of a message signed by the App Store, and the time of its signature. Does not check the
    /// intended app. Blocks while certificates are verified. Throws ``SignatureRefusal``.
    func open(_ text: String) throws(SignatureRefusal) -> (payload: JSONObject, signedAt: UTCInstant) {
        guard let token = SignedToken(text) else { throw SignatureRefusal("not a signed message") }
        guard token.algorithm == "ES256" else { throw SignatureRefusal("another algorithm") }
        let chain = try Self.chain(of: token)
        guard let signedAt = token.payload["signedDate"]?.wholeMilliseconds,
            signedAt <= now().adding(milliseconds: Self.leewayMilliseconds)
        else { throw SignatureRefusal("signed in the future, or without a date") }
        let key = try chains.key(of: chain, at: signedAt)
        guard key.isValid(rawSignature: token.signature, of: token.signingInput) else {
            throw SignatureRefusal("wrong signature")
        }
        return (token.payload, signedAt)
    }

    private static func chain(of token: SignedToken) throws(SignatureRefusal) -> [[UInt8]] {
        guard let texts = token.header["x5c"]?.arrayValue, texts.count == 3 else {
            throw SignatureRefusal("not three certificates")
        }
        // Standard base64 (RFC 7515 section 4.1.6) in its canonical form.
        let chain = texts.compactMap { text -> [UInt8]? in
            guard let text = text.stringValue, let data = Data(base64Encoded: text), !data.isEmpty,
                data.count <= maximumCertificateBytes, data.base64EncodedString() == text
            else { return nil }
            return Array(data)
        }
        guard chain.count == 3 else { throw SignatureRefusal("not certificates") }
        return chain
    }

    /// Returns the environment of a message. Throws unless it is one of ours and the message is for our app; it may
    /// omit the app unless `bundle` is set.
    @discardableResult
    func requireOurs(_ payload: JSONObject, bundle: Bool) throws(SignatureRefusal) -> PurchaseEnvironment {
        guard
            let environment = payload["environment"]?.stringValue.flatMap({ PurchaseEnvironment(appStoreName: $0) }),
            rules.environments.contains(environment)
        else { throw SignatureRefusal("another environment") }
        if bundle || payload["bundleId"] != nil, payload["bundleId"]?.stringValue != rules.bundleID {
            throw SignatureRefusal("another app")
        }
        return environment
    }
}
