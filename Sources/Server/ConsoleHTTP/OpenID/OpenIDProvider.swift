import BackendHTTP
import Foundation
import JSONWire
import Logging
import Outbound
import ServerAccess
import SubGuardDomain
import TextCoding

/// Why a sign-in by OpenID Connect fails at the provider. The texts are for the log.
enum OpenIDFailure: Error, Sendable, Hashable {
    /// No connection, a status that is not expected, or an answer that is none.
    case unreachable(String)
    /// The provider refuses: its error code, if it is a word.
    case refused(code: String)
    /// The answer does not stand up to the checks.
    case invalid(String)

    /// An error code of OAuth as a provider sent it; anything else than a word is not repeated anywhere.
    static func refusal(_ code: String?) -> OpenIDFailure {
        guard let code, (1...64).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") })
        else { return .refused(code: "unknown_error") }
        return .refused(code: code)
    }
}

/// The OpenID Connect provider whose people may sign in to the console.
struct OpenIDProvider: Sendable {
    let name: String
    let issuer: OutboundURL
    private let clientID: String
    private let clientSecret: String
    private let rules: [OpenIDRoleRule]
    /// What the rules give; see ``ConsoleSessionStore/find(_:grants:)``.
    let grantHashes: Set<[UInt8]>
    private let scopes: [String]
    /// `public_url` without a slash at its end.
    let publicBase: String
    private let discovery: OpenIDDiscovery
    private let verifier: OpenIDVerifier
    private let client: OpenIDClient
    private let exchanges: Slots

    /// Nil unless the settings name a provider.
    init?(_ settings: Settings, now: @escaping @Sendable () -> UTCInstant, logger: Logger, stop: OutboundStop) {
        guard let issuer = settings[\.oidcIssuer], let address = settings.publicAddress else { return nil }
        name = settings[\.oidcName]
        self.issuer = issuer
        self.clientID = settings[\.oidcClientID]
        clientSecret = settings[\.oidcClientSecret]
        let clientID = settings[\.oidcClientID]
        rules = settings[\.oidcRoles]
        grantHashes = Set(rules.map { OpenIDGrant($0, issuer: issuer.text, clientID: clientID).hash })
        exchanges = Slots(max(1, settings[\.workers] / 4))
        scopes = settings[\.oidcScopes]
        publicBase = address.text
        var limits = OutboundLimits(settings)
        limits.connectMilliseconds = 3_000
        limits.totalMilliseconds = 5_000
        limits.maximumAnswerBytes = 131_072
        var policy = TargetPolicy(settings)
        // The provider names its further addresses: hosts that are permitted for something else are not meant for them.
        policy.permittedHosts.formIntersection([issuer.host.lowercased()])
        let client = OpenIDClient(policy: policy, limits: limits, stop: stop)
        self.client = client
        let discovery = OpenIDDiscovery(now: now) {
            let path = issuer.text.hasSuffix("/") ? String(issuer.text.dropLast()) : issuer.text
            guard let url = OutboundURL("\(path)/.well-known/openid-configuration", schemes: HTTPGet.schemes) else {
                throw OpenIDFailure.unreachable("the issuer is no address")
            }
            guard let metadata = OpenIDMetadata(try client.get(url), issuer: issuer) else {
                throw OpenIDFailure.unreachable("the discovery document is not that of this issuer")
            }
            return metadata
        }
        self.discovery = discovery
        verifier = OpenIDVerifier(
            issuer: issuer.text, clientID: clientID,
            keys: SigningKeyCache(
                now: now,
                fetch: {
                    guard let keys = SigningKey.setWithUnnamed(try client.get(discovery.metadata().keysURL)),
                        !keys.isEmpty
                    else { throw OpenIDFailure.unreachable("the answer holds no key that can be used") }
                    return keys
                },
                note: { error in
                    logger.warning(
                        "the identity provider's keys were not read; those at hand go on being used",
                        metadata: ["error": "\(error)"])
                }))
    }

    var redirectURI: String { "\(publicBase)/console/oidc/callback" }

    /// Where the browser goes to sign in. Throws ``OpenIDFailure``.
    ///
    /// - Parameter isAgain: whether the person must prove who they are even if the provider knows.
    func authorization(for attempt: OpenIDAttempt, isAgain: Bool) throws(OpenIDFailure) -> String {
        let endpoint = try discovery.metadata().authorizationEndpoint.text
        var query: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
            ("scope", scopes.joined(separator: " ")), ("state", attempt.state), ("nonce", attempt.nonce),
            ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
        ]
        if isAgain { query += [("prompt", "login"), ("max_age", "0")] }
        let base = endpoint.prefix { $0 != "#" }
        return "\(base)\(base.contains("?") ? "&" : "?")\(PercentCoding.encode(pairs: query))"
    }

    /// Refuses an answer that another provider sent (RFC 9207). Throws ``OpenIDFailure/invalid(_:)``.
    func checkIssuer(_ named: String?) throws(OpenIDFailure) {
        if let named {
            guard named == issuer.text else { throw .invalid("the answer names another issuer") }
        } else if try discovery.metadata().namesIssuer {
            throw .invalid("the answer names no issuer")
        }
    }

    /// Exchanges a code for an ID token and returns the person whom it names. Throws ``OpenIDFailure``.
    func person(code: String, attempt: OpenIDAttempt, at now: UTCInstant) throws -> OpenIDPerson {
        // Each blocks a worker for seconds while the provider does not respond.
        guard let person = try exchanges.run({ try exchange(code, attempt, at: now) }) else {
            throw OpenIDFailure.unreachable("too many sign-ins at once")
        }
        return person
    }

    private func exchange(_ code: String, _ attempt: OpenIDAttempt, at now: UTCInstant) throws -> OpenIDPerson {
        let metadata = try discovery.metadata()
        var form: [(name: String, value: String)] = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
            ("code_verifier", attempt.verifier),
        ]
        var fields = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")]
        if clientSecret.isEmpty || metadata.wantsSecretInForm {
            form.append(("client_id", clientID))
            if !clientSecret.isEmpty { form.append(("client_secret", clientSecret)) }
        } else {
            // Both encoded first (RFC 6749 section 2.3.1).
            let pair = "\(PercentCoding.encode(clientID)):\(PercentCoding.encode(clientSecret))"
            fields.append(("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())"))
        }
        let answer = try client.post(
            metadata.tokenEndpoint, fields: fields, body: Array(PercentCoding.encode(pairs: form).utf8))
        guard let token = answer["id_token"]?.stringValue else { throw OpenIDFailure.invalid("no ID token") }
        let person: OpenIDPerson
        do {
            person = try verifier.person(in: token, nonce: attempt.nonce, at: now)
        } catch let refusal as SignatureRefusal {
            throw OpenIDFailure.invalid("ID token: \(refusal)")
        } catch is SigningKeyCache.Failure {
            throw OpenIDFailure.unreachable("no keys")
        }
        return try completed(person, metadata, accessToken: answer["access_token"]?.stringValue)
    }

    /// Adds mail and groups of the user info endpoint, where many providers keep them.
    private func completed(
        _ person: OpenIDPerson, _ metadata: OpenIDMetadata, accessToken: String?
    ) throws -> OpenIDPerson {
        guard person.isIncomplete, let url = metadata.userInfoEndpoint, let accessToken,
            (1...8192).contains(accessToken.utf8.count), accessToken.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return person }
        let body = try client.get(url, fields: [("Authorization", "Bearer \(accessToken)")])
        // A signed answer (a JWT) is possible, but only if the client was registered so.
        guard let information = (try? JSONValue.parse(body))?.objectValue else {
            throw OpenIDFailure.unreachable("the user info is not a JSON object")
        }
        guard let completed = person.completed(by: information) else {
            throw OpenIDFailure.invalid("the user info is about another user")
        }
        return completed
    }

    /// What the first rule that matches gives a person; nil without one.
    func grant(of person: OpenIDPerson) -> OpenIDGrant? {
        rules.first { $0.matches(person) }.map { OpenIDGrant($0, issuer: issuer.text, clientID: clientID) }
    }
}

/// Requests to the provider: only to checked targets, and without TLS only to this machine.
struct OpenIDClient: Sendable {
    let policy: TargetPolicy
    let limits: OutboundLimits
    let stop: OutboundStop

    /// The body of a response with status 200. Blocks. Throws ``OpenIDFailure/unreachable(_:)``.
    func get(_ url: OutboundURL, fields: [(String, String)] = []) throws(OpenIDFailure) -> [UInt8] {
        do {
            let request = HTTPGet(url: url, fields: fields.map { (name: $0.0, value: $0.1) })
            let answer = try request.send(policy: policy, limits: limits, stop: stop)
            guard answer.status == 200 else { throw OpenIDFailure.unreachable("HTTP \(answer.status)") }
            return answer.body
        } catch let failure as OpenIDFailure {
            throw failure
        } catch {
            throw .unreachable("\(error)")
        }
    }

    /// The JSON object of a response of the token endpoint. Blocks. Throws ``OpenIDFailure``.
    func post(
        _ url: OutboundURL, fields: [(String, String)], body: [UInt8]
    ) throws(OpenIDFailure) -> JSONObject {
        var request = HTTPPost(url: url, fields: fields.map { (name: $0.0, value: $0.1) }, body: body)
        request.needsTLS = true
        let answer: HTTPPost.Answer
        do {
            answer = try request.send(policy: policy, limits: limits, stop: stop)
        } catch {
            throw .unreachable("\(error)")
        }
        let object = (try? JSONValue.parse(answer.body))?.objectValue
        if answer.status == 200, let object { return object }
        guard (400..<500).contains(answer.status), let object else {
            throw .unreachable("HTTP \(answer.status) of the token endpoint")
        }
        throw .refusal(object["error"]?.stringValue)
    }
}
