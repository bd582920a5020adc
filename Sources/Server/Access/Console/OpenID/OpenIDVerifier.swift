package import JSONWire
package import SubGuardDomain

/// The checks of an ID token (OpenID Connect Core 1.0 section 3.1.3.7) of one provider for one client.
package struct OpenIDVerifier: Sendable {
    package let issuer: String
    package let clientID: String
    private let keys: SigningKeyCache

    /// Maximum difference between the provider's clock and ours.
    static let leewaySeconds: Int64 = 60
    /// A token is read right after it was issued; an old one comes from elsewhere.
    static let oldestSeconds: Int64 = 600

    package init(issuer: String, clientID: String, keys: SigningKeyCache) {
        self.issuer = issuer
        self.clientID = clientID
        self.keys = keys
    }

    /// Returns the person whom a currently valid token of the provider names. Throws ``SignatureRefusal`` and
    /// ``SigningKeyCache/Failure``.
    package func person(in text: String, nonce: String, at now: UTCInstant) throws -> OpenIDPerson {
        guard text.utf8.count <= 32_768, let token = SignedToken(text) else {
            throw SignatureRefusal("not a signed token")
        }
        // Never `none`, and never a MAC with the client's secret: only keys that the provider publishes.
        guard SigningKey.algorithms.contains(token.algorithm) else { throw SignatureRefusal("another algorithm") }
        // A provider with one key may leave its name out (OpenID Connect Core 1.0 section 10.1).
        guard let keyID = token.header["kid"].map({ $0.stringValue }) ?? "", keyID.utf8.count <= 256 else {
            throw SignatureRefusal("names no key")
        }
        // Cheap checks first, so that an invalid token triggers no fetch of keys.
        try check(token.payload, nonce: nonce, at: now)
        let key = try keys.signingKey(keyID)
        // An issuer may replace a key without a name of its own.
        guard key.signed(token) || keys.renewed(keyID)?.signed(token) == true else {
            throw SignatureRefusal("wrong signature")
        }
        guard let person = OpenIDPerson(token.payload) else { throw SignatureRefusal("names no user") }
        return person
    }

    private func check(_ claims: JSONObject, nonce: String, at now: UTCInstant) throws(SignatureRefusal) {
        guard claims["iss"]?.stringValue == issuer else { throw SignatureRefusal("another issuer") }
        guard let audience = claims.audience, audience.contains(clientID) else {
            throw SignatureRefusal("for another client")
        }
        if let party = claims["azp"] {
            guard party.stringValue == clientID else { throw SignatureRefusal("issued to another client") }
        } else if audience.count > 1 {
            throw SignatureRefusal("for several clients")
        }
        guard let issued = claims["iat"]?.wholeSeconds, issued <= now.adding(seconds: Self.leewaySeconds) else {
            throw SignatureRefusal("issued in the future")
        }
        guard issued >= now.adding(seconds: -Self.oldestSeconds) else { throw SignatureRefusal("issued long ago") }
        guard let expires = claims["exp"]?.wholeSeconds, expires > now.adding(seconds: -Self.leewaySeconds) else {
            throw SignatureRefusal("expired")
        }
        if let begins = claims["nbf"] {
            guard let begins = begins.wholeSeconds, begins <= now.adding(seconds: Self.leewaySeconds) else {
                throw SignatureRefusal("not valid yet")
            }
        }
        guard claims.hasNonce(nonce) else { throw SignatureRefusal("another nonce") }
    }
}

/// What a provider says about a person who signed in.
package struct OpenIDPerson: Sendable, Hashable {
    package let subject: String
    /// With ASCII letters in lower case, and only if the provider has verified it; nil otherwise.
    package private(set) var mail: String?
    package private(set) var groups: [String]
    /// When the person last proved to the provider who they are; nil if it does not say.
    package let authenticatedAt: UTCInstant?

    package init?(_ claims: JSONObject) {
        guard let subject = claims["sub"]?.stringValue, (1...255).contains(subject.utf8.count) else { return nil }
        self.subject = subject
        mail = Self.mail(claims)
        groups = Self.groups(claims)
        authenticatedAt = claims["auth_time"]?.wholeSeconds
    }

    /// Whether the user info endpoint may know more.
    package var isIncomplete: Bool { mail == nil || groups.isEmpty }

    /// Adds what the user info endpoint says. Nil if that is about another person (OpenID Connect Core 1.0 section
    /// 5.3.2).
    package func completed(by information: JSONObject) -> OpenIDPerson? {
        guard information["sub"]?.stringValue == subject else { return nil }
        var person = self
        if person.mail == nil { person.mail = Self.mail(information) }
        if person.groups.isEmpty { person.groups = Self.groups(information) }
        return person
    }

    private static func mail(_ claims: JSONObject) -> String? {
        // Some providers write the word instead of the value.
        let isVerified = claims["email_verified"] == .bool(true) || claims["email_verified"]?.stringValue == "true"
        guard isVerified, let mail = claims["email"]?.stringValue, (3...254).contains(mail.utf8.count),
            mail.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), mail.contains("@")
        else { return nil }
        return folded(mail)
    }

    /// Only ASCII: of other letters, several have the same one in lower case.
    static func folded(_ mail: String) -> String {
        String(decoding: mail.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func groups(_ claims: JSONObject) -> [String] {
        claims["groups"]?.stringValue.map { [$0] } ?? claims["groups"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}
