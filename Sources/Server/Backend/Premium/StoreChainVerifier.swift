import Crypto
import Foundation
import SubGuardDomain
import SwiftASN1
import Synchronization
import TextCoding
@_spi(FixedExpiryValidationTime) import X509

/// Checks the three certificates that a signed message of the App Store brings along, and remembers chains that were good:
/// Apple signs everything with a few of them.
final class StoreChainVerifier: Sendable {
    private struct Known {
        let key: P256.Signing.PublicKey
        let validity: ClosedRange<Date>
        let checkedAt: UTCInstant
    }

    static let rememberedMilliseconds: Int64 = 900_000
    static let rememberedChains = 32

    private let roots: StoreRoots
    private let now: @Sendable () -> UTCInstant
    private let known = Mutex<[[UInt8]: Known]>([:])

    init(roots: StoreRoots, now: @escaping @Sendable () -> UTCInstant) {
        self.roots = roots
        self.now = now
    }

    /// The key of the leaf. `chain` is leaf, intermediate, root, each as DER; all must be valid at `instant`.
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
        // Only curves sign for the App Store; a leaf with another key could not sign ES256 either.
        guard let key = P256.Signing.PublicKey(certificates[0].publicKey) else { throw SignatureRefusal("another key") }
        guard Self.isGood(certificates, at: date) else { throw SignatureRefusal("the certificates do not hold") }
        let first = certificates.map(\.notValidBefore).max() ?? date
        let last = certificates.map(\.notValidAfter).min() ?? date
        return (key, min(first, last)...last)
    }

    /// The library is asynchronous, for policies that ask the network; none of these does.
    private static func isGood(_ chain: [Certificate], at date: Date) -> Bool {
        InlineExecutor.run {
            var verifier = Verifier(rootCertificates: CertificateStore([chain[2]])) {
                RFC5280Policy(fixedExpiryValidationTime: date)
                StoreChainPolicy()
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
