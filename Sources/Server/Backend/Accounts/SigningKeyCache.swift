import Crypto
import CryptoExtras
package import JSONWire
package import SubGuardDomain
import Synchronization

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

/// Apple's public keys. They are fetched when they are first needed, once a day, and when a message names a key that is
/// not among them, but for that no more than once a minute: strangers make up names of keys. When Apple cannot be reached
/// the keys at hand go on being used.
package final class SigningKeyCache: Sendable {
    /// What is wrong with a key that cannot be had.
    package enum Failure: Error, Sendable, Hashable {
        /// Apple has no such key.
        case unknown
        /// Apple's keys could not be read, so that nobody knows.
        case unavailable
    }

    private struct State {
        var keys: [String: SigningKey] = [:]
        var fetchedAt: UTCInstant?
        var triedAt: UTCInstant?
        var lastTryFailed = false
        /// When keys were last asked for because of a name.
        var askedForNameAt: UTCInstant?
        /// Callers inside ``SigningKeyCache/fetchInTurn(_:)``.
        var waiting = 0
    }

    /// How long keys are used before they are read again.
    package static let freshMilliseconds: Int64 = 86_400_000
    /// How long after one name that was not known keys are asked for because of another.
    package static let pauseMilliseconds: Int64 = 60_000
    /// How long after a try that failed the next one is made.
    package static let pauseAfterFailureMilliseconds: Int64 = 5_000
    /// Callers that may wait for a fetch at once; each holds a thread that others need.
    private static let maximumWaiting = 4

    private let state = Mutex(State())
    // Held while a fetch runs, so that there is one at a time; never while only keys at hand are looked up.
    private let fetching = Mutex(())
    private let now: @Sendable () -> UTCInstant
    private let fetch: @Sendable () throws -> [SigningKey]
    private let note: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - fetch: reads the set of keys; blocks for as long as its own limits say.
    ///   - note: told of each fetch that failed.
    package init(
        now: @escaping @Sendable () -> UTCInstant, fetch: @escaping @Sendable () throws -> [SigningKey],
        note: @escaping @Sendable (any Error) -> Void
    ) {
        self.now = now
        self.fetch = fetch
        self.note = note
    }

    /// The key of that name. May block for a fetch, so it belongs on a worker.
    package func key(_ id: String) throws(Failure) -> SigningKey {
        if let key = lookUp(id) { return key }
        fetchInTurn(id)
        let (key, isKnown) = state.withLock { ($0.keys[id], $0.fetchedAt != nil && !$0.lastTryFailed) }
        if let key { return key }
        throw isKnown ? .unknown : .unavailable
    }

    /// Nil when there is no such key, and when it is time to look whether it still holds.
    private func lookUp(_ id: String) -> SigningKey? {
        let now = now()
        return state.withLock { state in
            guard let key = state.keys[id] else { return nil }
            let isFresh = state.fetchedAt.map { Self.isRecent($0, now, Self.freshMilliseconds) } ?? false
            return isFresh || Self.isResting(state, now) ? key : nil
        }
    }

    /// Fetches, or waits for whoever does. Nobody waits who has a key, if an old one.
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
            // Whoever waited finds the other's keys, or that it is too early for the next fetch.
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

    /// A clock that was set back makes nothing recent.
    private static func isRecent(_ instant: UTCInstant, _ now: UTCInstant, _ milliseconds: Int64) -> Bool {
        (0..<milliseconds).contains(instant.milliseconds(until: now))
    }
}
