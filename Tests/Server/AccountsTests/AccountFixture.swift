import Accounts
import BackendTestKit
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import SubGuardSQL
import Synchronization
import TestKit

/// A database of accounts with a simulated Apple, whose keys and failures are controlled by the test.
final class AccountFixture: Sendable {
    struct Down: Error {}

    static let app = "app.example.subguard"
    /// Making keys is slow.
    static let first = Result { try AppleIssuer(keyID: "KEY-1") }
    static let second = Result { try AppleIssuer(keyID: "KEY-2") }

    let backend: BackendFixture
    let accounts: AccountStore
    let identity: AppleIdentity
    private let counters: Counters

    final class Counters: Sendable {
        let fetches = Atomic<Int>(0)
        let failures = Atomic<Int>(0)
    }

    init(path: String? = nil) throws {
        let backend = try path.map { try BackendFixture(path: $0) } ?? BackendFixture()
        let box = KeyBox(try Self.first.get().publicKey())
        let counters = Counters()
        self.backend = backend
        self.counters = counters
        self.box = box
        accounts = AccountStore(context: backend.context)
        let keys = SigningKeyCache(
            now: backend.context.now,
            fetch: {
                counters.fetches.add(1, ordering: .relaxed)
                return try box.read()
            },
            note: { _ in counters.failures.add(1, ordering: .relaxed) })
        identity = AppleIdentity(clientIDs: [Self.app, "app.example.web"], keys: keys)
    }

    private let box: KeyBox

    private final class KeyBox: Sendable {
        private let state: Mutex<Result<[String], Down>>
        init(_ key: String) { state = Mutex(.success([key])) }
        func set(_ value: Result<[String], Down>) { state.withLock { $0 = value } }
        func read() throws -> [SigningKey] {
            let keys = try state.withLock { try $0.get() }
            return SigningKey.set(Array(AppleIssuer.keySet(keys).utf8)) ?? []
        }
    }

    /// Sets Apple's response from now on.
    func serve(_ keys: [String]) { box.set(.success(keys)) }
    func goDown() { box.set(.failure(Down())) }

    var fetches: Int { counters.fetches.load(ordering: .relaxed) }
    var failures: Int { counters.failures.load(ordering: .relaxed) }

    var seconds: Int64 { backend.now.secondsSinceEpoch }

    func token(
        subject: String = "001234.0a1b2c3d.0123", nonce: String, issuer: AppleIssuer? = nil,
        changes: [String: String?] = [:], header: [String: String?] = [:]
    ) throws -> String {
        try (issuer ?? Self.first.get()).token(
            AppleIssuer.claims(subject: subject, nonce: nonce, issuedAt: seconds, changes: changes), header: header)
    }

    func signIn(subject: String = "001234.0a1b2c3d.0123", nonce: String) throws -> SessionTokens {
        try accounts.signIn(try token(subject: subject, nonce: nonce), nonce: nonce, identity: identity)
    }

    func count(_ table: String) throws -> Int64 { try backend.count("SELECT count(*) FROM \(table)") }
}
