import Cryptography
import TextCoding

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
