import Crypto
import Foundation
import SwiftASN1
import TextCoding
import X509

/// Which root certificates the App Store's signatures must end at.
package struct StoreRoots: Sendable {
    /// SHA-256 of the DER of Apple Root CA - G3, as Apple publishes it (https://www.apple.com/certificateauthority/).
    static let appleRootG3 = "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"

    private let fingerprints: Set<String>

    /// Apple's own. The certificate itself is not needed: what a message brings along is the root exactly when it has this
    /// fingerprint.
    package static let apple = StoreRoots(fingerprints: [appleRootG3])

    private init(fingerprints: Set<String>) { self.fingerprints = fingerprints }

    /// Those of PEM texts, in the place of Apple's. Nil when one holds no certificate, or one that cannot be read.
    package init?(pem texts: [String]) {
        var fingerprints: Set<String> = []
        for text in texts {
            guard let documents = try? PEMDocument.parseMultiple(pemString: text), !documents.isEmpty else {
                return nil
            }
            for document in documents {
                guard document.discriminator == Certificate.defaultPEMDiscriminator,
                    (try? Certificate(derEncoded: document.derBytes)) != nil
                else { return nil }
                fingerprints.insert(Self.fingerprint(document.derBytes))
            }
        }
        guard !fingerprints.isEmpty else { return nil }
        self.fingerprints = fingerprints
    }

    func contains(_ der: [UInt8]) -> Bool { fingerprints.contains(Self.fingerprint(der)) }

    private static func fingerprint(_ der: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(data: der)) }
}

/// What Apple's chains have beyond RFC 5280: exactly three certificates, the marks of the App Store on the two below the
/// root, and a certificate in the middle that may sign others.
struct StoreChainPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    /// Marks the certificates that sign for the App Store.
    private static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marks Apple Worldwide Developer Relations.
    private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard chain.count == 3 else { return .failsToMeetPolicy(reason: "not three certificates") }
        guard chain[0].extensions[oid: Self.leafMark] != nil, chain[1].extensions[oid: Self.intermediateMark] != nil
        else {
            return .failsToMeetPolicy(reason: "a mark is missing")
        }
        // RFC5280Policy leaves key usage alone.
        for issuer in [chain[1], chain[2]] {
            guard let usage = try? issuer.extensions.keyUsage else { continue }
            guard usage.keyCertSign else { return .failsToMeetPolicy(reason: "an issuer may not sign certificates") }
        }
        guard let usage = try? chain[0].extensions.keyUsage else { return .meetsPolicy }
        return usage.digitalSignature ? .meetsPolicy : .failsToMeetPolicy(reason: "the key may not sign messages")
    }
}
