import Crypto
import Dispatch
import Foundation
import SubGuardDomain
import SwiftASN1
import Synchronization
import TextCoding
import X509

/// Verifies the certificate chain of a signed App Store message, and caches valid chains, because Apple uses only a
/// few.
final class AppStoreChainVerifier: Sendable {
    private struct Known {
        let key: P256.Signing.PublicKey
        let validity: ClosedRange<Date>
        let checkedAt: UTCInstant
    }

    static let rememberedMilliseconds: Int64 = 900_000
    static let rememberedChains = 32

    private let roots: AppStoreRoots
    private let now: @Sendable () -> UTCInstant
    private let known = Mutex<[[UInt8]: Known]>([:])

    init(roots: AppStoreRoots, now: @escaping @Sendable () -> UTCInstant) {
        self.roots = roots
        self.now = now
    }

    /// Returns the public key of the leaf. `chain` is leaf, intermediate, root, each as DER; all must be valid at
    /// `instant`.
    func key(of chain: [[UInt8]], at instant: UTCInstant) throws(SignatureRefusal) -> P256.Signing.PublicKey {
        let date = Date(timeIntervalSince1970: Double(instant.millisecondsSinceEpoch) / 1000)
        let id = Self.id(of: chain)
        let now = now()
        let remembered = known.withLock { $0[id] }
        if let remembered, (0..<Self.rememberedMilliseconds).contains(remembered.checkedAt.milliseconds(until: now)),
            remembered.validity.contains(date)
        {
            return remembered.key
        }
        let (key, validity) = try verify(chain, at: date)
        known.withLock { known in
            if known.count >= Self.rememberedChains, known[id] == nil,
                let oldest = known.min(by: { $0.value.checkedAt < $1.value.checkedAt })?.key
            {
                known[oldest] = nil
            }
            known[id] = Known(key: key, validity: validity, checkedAt: now)
        }
        return key
    }

    private func verify(
        _ chain: [[UInt8]], at date: Date
    ) throws(SignatureRefusal) -> (P256.Signing.PublicKey, ClosedRange<Date>) {
        guard chain.count == 3, roots.contains(chain[2]) else { throw SignatureRefusal("another root") }
        let certificates = chain.compactMap { try? Certificate(derEncoded: $0) }
        guard certificates.count == 3 else { throw SignatureRefusal("not certificates") }
        // The App Store signs with ES256, which requires a P-256 key.
        guard let key = P256.Signing.PublicKey(certificates[0].publicKey) else { throw SignatureRefusal("another key") }
        // The library checks validity only at the current time. Certificates use whole seconds.
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        guard let first = certificates.map(\.notValidBefore).max(), let last = certificates.map(\.notValidAfter).min(),
            first <= last, (first...last).contains(second), Self.isGood(certificates)
        else { throw SignatureRefusal("the certificate chain is not valid") }
        return (key, first...last)
    }

    /// Whether the chain is valid apart from the validity periods. The library is asynchronous only for policies that
    /// use the network; this one does not.
    private static func isGood(_ chain: [Certificate]) -> Bool {
        InlineExecutor.run {
            var verifier = Verifier(rootCertificates: CertificateStore([chain[2]])) {
                AppStoreChainPolicy()
            }
            let result = await verifier.validate(leaf: chain[0], intermediates: CertificateStore([chain[1]]))
            guard case .validCertificate(let found) = result else { return false }
            return Array(found) == chain
        }
    }

    private static func id(of chain: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for certificate in chain {
            hash.update(data: Hexadecimal.text(SHA256.hash(data: certificate)).utf8.map { $0 })
        }
        return Array(hash.finalize())
    }
}

/// Runs a task on the thread that waits for it, so that it neither blocks the shared threads of tasks nor waits for
/// them.
///
/// For asynchronous interfaces that only compute. Each call uses its own executor.
final class InlineExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let wake = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        wake.signal()
    }

    /// Runs `body` to its end and returns its result.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let executor = InlineExecutor()
        let outcome = Outcome<Value>()
        Task(executorPreference: executor) {
            let value = await body()
            outcome.set(value)
            executor.wake.signal()
        }
        while true {
            executor.wake.wait()
            if let job = executor.takeJob() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
            if let value = outcome.value { return value }
        }
    }

    private func takeJob() -> UnownedJob? { jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    /// Passes the value from the task to the waiting thread.
    private final class Outcome<Value: Sendable>: Sendable {
        private let stored = Mutex<Value?>(nil)

        func set(_ value: Value) { stored.withLock { $0 = value } }
        var value: Value? { stored.withLock { $0 } }
    }
}
