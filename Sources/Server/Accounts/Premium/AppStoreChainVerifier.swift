import Cryptography
import ServerAccess
import SubGuardDomain
import Synchronization
import TextCoding

/// Verifies the certificate chain of a signed App Store message, and caches valid chains, because Apple uses only a
/// few.
final class AppStoreChainVerifier: Sendable {
    private struct Known {
        let key: P256PublicKey
        /// Seconds since 1970.
        let validity: ClosedRange<Int64>
        let checkedAt: UTCInstant
    }

    static let rememberedMilliseconds: Int64 = 900_000
    static let rememberedChains = 32

    /// Mark the certificates that sign for the App Store, and Apple Worldwide Developer Relations.
    private static let marks = (leaf: "1.2.840.113635.100.6.11.1", intermediate: "1.2.840.113635.100.6.2.1")

    private let roots: AppStoreRoots
    private let now: @Sendable () -> UTCInstant
    private let known = Mutex<[[UInt8]: Known]>([:])

    init(roots: AppStoreRoots, now: @escaping @Sendable () -> UTCInstant) {
        self.roots = roots
        self.now = now
    }

    /// Returns the public key of the leaf. `chain` is leaf, intermediate, root, each as DER; all must be valid at
    /// `instant`.
    func key(of chain: [[UInt8]], at instant: UTCInstant) throws(SignatureRefusal) -> P256PublicKey {
        // Certificates use whole seconds.
        let seconds = instant.secondsSinceEpoch
        let id = Self.id(of: chain)
        let now = now()
        let remembered = known.withLock { $0[id] }
        if let remembered, (0..<Self.rememberedMilliseconds).contains(remembered.checkedAt.milliseconds(until: now)),
            remembered.validity.contains(seconds)
        {
            return remembered.key
        }
        let (key, validity) = try verify(chain, at: seconds)
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
        _ der: [[UInt8]], at seconds: Int64
    ) throws(SignatureRefusal) -> (P256PublicKey, ClosedRange<Int64>) {
        guard let root = der.last, roots.contains(root) else { throw SignatureRefusal("another root") }
        do throws(CertificateChain.Refusal) {
            let chain = try CertificateChain(der: der)
            // The App Store signs with ES256, which requires a P-256 key.
            let key = try chain.leafKey()
            try chain.verify(at: seconds, marks: Self.marks)
            return (key, try chain.validity())
        } catch {
            throw SignatureRefusal("the certificate chain is not valid: \(error.description)")
        }
    }

    private static func id(of chain: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for certificate in chain { hash.update(SHA256.hash(of: certificate)) }
        return hash.finish()
    }
}

/// The trusted root certificates of the App Store's signatures.
package struct AppStoreRoots: Sendable {
    /// SHA-256 of the DER of Apple Root CA - G3, as Apple publishes it (https://www.apple.com/certificateauthority/).
    static let appleRootG3 = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"

    private let fingerprints: Set<String>

    /// Apple's root. The certificate itself is not needed: a root with this fingerprint is Apple's.
    package static let apple = AppStoreRoots(fingerprints: [appleRootG3])

    private init(fingerprints: Set<String>) { self.fingerprints = fingerprints }

    /// Uses the certificates of PEM texts instead of Apple's. Nil if a text has no certificate or an unreadable one.
    package init?(pem texts: [String]) {
        var fingerprints: Set<String> = []
        for text in texts {
            guard let certificates = Certificate.all(inPEM: text) else { return nil }
            fingerprints.formUnion(certificates.map { Self.fingerprint($0.der) })
        }
        guard !fingerprints.isEmpty else { return nil }
        self.fingerprints = fingerprints
    }

    func contains(_ der: [UInt8]) -> Bool { fingerprints.contains(Self.fingerprint(der)) }

    private static func fingerprint(_ der: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(of: der)) }
}
