import Cryptography
package import JSONWire
package import SubGuardDomain
import Synchronization
import TextCoding

/// A public key from a JWK set (RFC 7517): RSA of at least 2048 bits, or P-256.
package struct SigningKey: Sendable {
    private enum Key {
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)
    }

    /// The algorithms of ``signed(_:)``.
    static let algorithms: Set<String> = ["RS256", "ES256"]

    /// The `kid` that messages use; empty for the key of messages that name none.
    package let id: String
    private let key: Key

    private init(id: String, key: Key) {
        self.id = id
        self.key = key
    }

    /// Nil for a key that cannot be used: without a name, wrong type, use or algorithm, or too short.
    package init?(_ object: JSONObject) {
        guard let id = object["kid"]?.stringValue, !id.isEmpty, let key = Self.key(object) else { return nil }
        self.init(id: id, key: key)
    }

    private static func key(_ object: JSONObject) -> Key? {
        guard isAbsent(object["use"], or: "sig") else { return nil }
        return switch object["kty"]?.stringValue {
        case "RSA": rsa(object).map(Key.rsa)
        case "EC": p256(object).map(Key.p256)
        default: nil
        }
    }

    private static func rsa(_ object: JSONObject) -> RSAPublicKey? {
        guard isAbsent(object["alg"], or: "RS256"),
            let modulus = object["n"]?.stringValue.flatMap(Base64URL.bytes(of:)), modulus.count <= 1024,
            let exponent = object["e"]?.stringValue.flatMap(Base64URL.bytes(of:)), (1...8).contains(exponent.count)
        else { return nil }
        return RSAPublicKey(modulus: modulus, exponent: exponent)
    }

    private static func p256(_ object: JSONObject) -> P256PublicKey? {
        guard isAbsent(object["alg"], or: "ES256"), object["crv"]?.stringValue == "P-256",
            let x = object["x"]?.stringValue.flatMap(Base64URL.bytes(of:)),
            let y = object["y"]?.stringValue.flatMap(Base64URL.bytes(of:))
        else { return nil }
        return P256PublicKey(x: x, y: y)
    }

    /// The usable keys of a set, ignoring others; nil if it is not a JWK set.
    package static func set(_ bytes: [UInt8]) -> [SigningKey]? {
        guard let keys = (try? JSONValue.parse(bytes))?.objectValue?["keys"]?.arrayValue else { return nil }
        return keys.compactMap { $0.objectValue.flatMap(SigningKey.init) }
    }

    /// The usable keys of a set with the key for messages that name none, if there is only one; nil if it is not a JWK
    /// set.
    package static func setWithUnnamed(_ bytes: [UInt8]) -> [SigningKey]? {
        guard let keys = (try? JSONValue.parse(bytes))?.objectValue?["keys"]?.arrayValue else { return nil }
        let usable = keys.compactMap(\.objectValue).compactMap { object in
            Self.key(object).map { SigningKey(id: object["kid"]?.stringValue ?? "", key: $0) }
        }
        let named = usable.filter { !$0.id.isEmpty }
        return usable.count == 1 ? named + [SigningKey(id: "", key: usable[0].key)] : named
    }

    /// Verifies RS256, RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3), or ES256 (section 3.4). The type of the
    /// key decides: a message cannot choose another algorithm for it.
    package func signed(_ token: SignedToken) -> Bool {
        switch key {
        case .rsa(let key): token.algorithm == "RS256" && key.isValid(token.signature, of: token.signingInput)
        case .p256(let key):
            token.algorithm == "ES256" && key.isValid(rawSignature: token.signature, of: token.signingInput)
        }
    }

    private static func isAbsent(_ value: JSONValue?, or word: String) -> Bool {
        value == nil || value?.stringValue == word
    }
}

/// Caches the public keys of an issuer, such as Apple. They are fetched on first use, once per day, and when a message
/// names an unknown key, but then at most once per minute, because key names can be invented. If the issuer is
/// unreachable, cached keys stay in use.
package final class SigningKeyCache: Sendable {
    /// Why a key is not available.
    package enum Failure: Error, Sendable, Hashable {
        /// The issuer has no such key.
        case unknown
        /// The issuer's keys could not be fetched.
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

    /// The key that a message names. Throws ``SignatureRefusal`` for one that the issuer does not have, else
    /// ``Failure``. May block for a fetch.
    package func signingKey(_ id: String) throws -> SigningKey {
        do throws(Failure) {
            return try key(id)
        } catch {
            if error == .unknown { throw SignatureRefusal("unknown key") }
            throw error
        }
    }

    /// The key of that name after another fetch, for a signature that does not fit the cached one: an issuer may
    /// replace a key and keep its name, or use none. Fetches as rarely as for an unknown name. May block.
    package func renewed(_ id: String) -> SigningKey? {
        fetching.withLock { _ in
            if mayFetch() { read() }
        }
        return state.withLock { $0.keys[id] }
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
