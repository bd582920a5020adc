import Crypto
import CryptoExtras
package import JSONWire
package import SubGuardDomain
import Synchronization
import TextCoding

/// A public RSA key of at least 2048 bits from a JWK set (RFC 7517).
package struct SigningKey: Sendable {
    /// The `kid` that messages use.
    package let id: String
    private let key: _RSA.Signing.PublicKey

    /// Nil for a key that cannot be Apple's: wrong type, use or algorithm, or too short.
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

    /// The usable keys of a set, ignoring others; nil if it is not a JWK set.
    package static func set(_ bytes: [UInt8]) -> [SigningKey]? {
        guard let keys = (try? JSONValue.parse(bytes))?.objectValue?["keys"]?.arrayValue else { return nil }
        return keys.compactMap { $0.objectValue.flatMap(SigningKey.init) }
    }

    /// Verifies RS256: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3).
    package func signed(_ token: SignedToken) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
        return key.isValidSignature(
            signature, for: SHA256.hash(data: token.signingInput), padding: .insecurePKCS1v1_5)
    }

    private static func isAbsent(_ value: JSONValue?, or word: String) -> Bool {
        value == nil || value?.stringValue == word
    }
}

/// Caches Apple's public keys. They are fetched on first use, once per day, and when a message names an unknown key,
/// but then at most once per minute, because key names can be invented. If Apple is unreachable, cached keys stay in
/// use.
package final class SigningKeyCache: Sendable {
    /// Why a key is not available.
    package enum Failure: Error, Sendable, Hashable {
        /// Apple has no such key.
        case unknown
        /// Apple's keys could not be fetched.
        case unavailable
    }

    private struct State {
        var keys: [String: SigningKey] = [:]
        var fetchedAt: UTCInstant?
        var triedAt: UTCInstant?
        var lastTryFailed = false
        /// The last fetch caused by an unknown key name.
        var askedForNameAt: UTCInstant?
        /// Callers inside ``SigningKeyCache/fetchInTurn(_:)``.
        var waiting = 0
    }

    /// Maximum age of cached keys.
    package static let freshMilliseconds: Int64 = 86_400_000
    /// Minimum time between two fetches caused by unknown names.
    package static let pauseMilliseconds: Int64 = 60_000
    /// Pause after a failed fetch.
    package static let pauseAfterFailureMilliseconds: Int64 = 5_000
    /// Maximum number of callers that wait for a fetch; each occupies a thread.
    private static let maximumWaiting = 4

    private let state = Mutex(State())
    // Held during a fetch, so that only one runs at a time; never held during a look-up in the cache.
    private let fetching = Mutex(())
    private let now: @Sendable () -> UTCInstant
    private let fetch: @Sendable () throws -> [SigningKey]
    private let note: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - fetch: reads the set of keys; blocks for as long as its own limits say.
    ///   - note: called after each failed fetch.
    package init(
        now: @escaping @Sendable () -> UTCInstant, fetch: @escaping @Sendable () throws -> [SigningKey],
        note: @escaping @Sendable (any Error) -> Void
    ) {
        self.now = now
        self.fetch = fetch
        self.note = note
    }

    /// Returns the key of that name. May block for a fetch, so call it on a worker.
    package func key(_ id: String) throws(Failure) -> SigningKey {
        if let key = lookUp(id) { return key }
        fetchInTurn(id)
        let (key, isKnown) = state.withLock { ($0.keys[id], $0.fetchedAt != nil && !$0.lastTryFailed) }
        if let key { return key }
        throw isKnown ? .unknown : .unavailable
    }

    /// Nil if there is no such key, or if its age requires a fetch.
    private func lookUp(_ id: String) -> SigningKey? {
        let now = now()
        return state.withLock { state in
            guard let key = state.keys[id] else { return nil }
            let isFresh = state.fetchedAt.map { Self.isRecent($0, now, Self.freshMilliseconds) } ?? false
            return isFresh || Self.isResting(state, now) ? key : nil
        }
    }

    /// Fetches the keys, or waits for a running fetch. Callers with a cached key, even a stale one, do not wait.
    private func fetchInTurn(_ id: String) {
        let mayWait = state.withLock { state in
            guard state.waiting == 0 || (state.keys[id] == nil && state.waiting < Self.maximumWaiting) else {
                return false
            }
            state.waiting += 1
            return true
        }
        guard mayWait else { return }
        defer { state.withLock { $0.waiting -= 1 } }
        fetching.withLock { _ in
            // After waiting, the other fetch has loaded the keys, or it is too early for another one.
            if lookUp(id) == nil, mayFetch() { read() }
        }
    }

    private func mayFetch() -> Bool {
        let now = now()
        return state.withLock { state in
            if state.lastTryFailed { return !Self.isResting(state, now) }
            guard let fetchedAt = state.fetchedAt, Self.isRecent(fetchedAt, now, Self.freshMilliseconds) else {
                return true
            }
            if let asked = state.askedForNameAt, Self.isRecent(asked, now, Self.pauseMilliseconds) { return false }
            state.askedForNameAt = now
            return true
        }
    }

    private static func isResting(_ state: State, _ now: UTCInstant) -> Bool {
        guard state.lastTryFailed, let triedAt = state.triedAt else { return false }
        return isRecent(triedAt, now, pauseAfterFailureMilliseconds)
    }

    private func read() {
        let now = now()
        do {
            let keys = try fetch()
            state.withLock { state in
                state.keys = Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
                state.fetchedAt = now
                state.triedAt = now
                state.lastTryFailed = false
            }
        } catch {
            state.withLock { state in
                state.triedAt = now
                state.lastTryFailed = true
            }
            note(error)
        }
    }

    /// Instants in the future, after a clock was set back, are not recent.
    private static func isRecent(_ instant: UTCInstant, _ now: UTCInstant, _ milliseconds: Int64) -> Bool {
        (0..<milliseconds).contains(instant.milliseconds(until: now))
    }
}
