import JSONWire
import Outbound
import SubGuardDomain
import Synchronization

/// What a provider says about itself (OpenID Connect Discovery 1.0 section 3).
struct OpenIDMetadata: Sendable {
    let authorizationEndpoint: OutboundURL
    let tokenEndpoint: OutboundURL
    let keysURL: OutboundURL
    let userInfoEndpoint: OutboundURL?
    /// Whether the client's secret belongs into the form instead of `Authorization`.
    let wantsSecretInForm: Bool
    /// Whether the way back names the issuer (RFC 9207).
    let namesIssuer: Bool

    /// Nil unless the document is that of this very issuer and names what a sign-in needs. A provider with TLS has no
    /// endpoints without it.
    init?(_ bytes: [UInt8], issuer: OutboundURL) {
        guard let object = (try? JSONValue.parse(bytes))?.objectValue,
            object["issuer"]?.stringValue == issuer.text
        else { return nil }
        let schemes = issuer.scheme == "https" ? ["https"] : HTTPGet.schemes
        func endpoint(_ name: String) -> OutboundURL? {
            object[name]?.stringValue.flatMap { OutboundURL($0, schemes: schemes) }
        }
        guard let authorization = endpoint("authorization_endpoint"), let token = endpoint("token_endpoint"),
            let keys = endpoint("jwks_uri")
        else { return nil }
        authorizationEndpoint = authorization
        tokenEndpoint = token
        keysURL = keys
        userInfoEndpoint = endpoint("userinfo_endpoint")
        let methods = object["token_endpoint_auth_methods_supported"]?.arrayValue?.compactMap(\.stringValue)
        wantsSecretInForm =
            methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") }
            ?? false
        namesIssuer = object["authorization_response_iss_parameter_supported"] == .bool(true)
    }
}

/// Caches the metadata of a provider for an hour. If the provider is unreachable, cached metadata stays in use.
final class OpenIDDiscovery: Sendable {
    private struct State {
        var metadata: OpenIDMetadata?
        var fetchedAt: UTCInstant?
        var failedAt: UTCInstant?
        var isFetching = false
    }

    private static let freshMilliseconds: Int64 = 3_600_000
    private static let pauseMilliseconds: Int64 = 5_000

    private let state = Mutex(State())
    private let now: @Sendable () -> UTCInstant
    private let fetch: @Sendable () throws -> OpenIDMetadata

    /// `fetch` blocks for as long as its own limits say.
    init(now: @escaping @Sendable () -> UTCInstant, fetch: @escaping @Sendable () throws -> OpenIDMetadata) {
        self.now = now
        self.fetch = fetch
    }

    /// May block for a fetch. Only one thread fetches at a time: an unreachable provider must not occupy all of them.
    /// Throws ``OpenIDFailure/unreachable(_:)``.
    func metadata() throws(OpenIDFailure) -> OpenIDMetadata {
        let now = now()
        let cached: OpenIDMetadata? = try decide(at: now)
        if let cached { return cached }
        do {
            let fetched = try fetch()
            state.withLock { state in
                state.metadata = fetched
                state.fetchedAt = now
                state.failedAt = nil
                state.isFetching = false
            }
            return fetched
        } catch {
            let old = state.withLock { state in
                state.failedAt = now
                state.isFetching = false
                return state.metadata
            }
            guard let old else { throw .unreachable("\(error)") }
            return old
        }
    }

    /// Nil if the caller must fetch.
    private func decide(at now: UTCInstant) throws(OpenIDFailure) -> OpenIDMetadata? {
        let (metadata, mustFetch): (OpenIDMetadata?, Bool) = state.withLock { state in
            if Self.isRecent(state.fetchedAt, now, Self.freshMilliseconds) { return (state.metadata, false) }
            if state.isFetching || Self.isRecent(state.failedAt, now, Self.pauseMilliseconds) {
                return (state.metadata, false)
            }
            state.isFetching = true
            return (nil, true)
        }
        if mustFetch { return nil }
        guard let metadata else { throw .unreachable("asked a moment ago") }
        return metadata
    }

    private static func isRecent(_ instant: UTCInstant?, _ now: UTCInstant, _ milliseconds: Int64) -> Bool {
        guard let instant else { return false }
        return (0..<milliseconds).contains(instant.milliseconds(until: now))
    }
}
