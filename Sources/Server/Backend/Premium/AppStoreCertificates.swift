import Crypto
import Foundation
import SwiftASN1
import TextCoding
import X509

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

/// Apple's rules for a chain: exactly three version 3 certificates, the App Store's marks on the two below the root,
/// two issuers that may sign others, and no name constraints, which Apple does not use.
///
/// The library checks names and signatures. Its RFC 5280 policy can only check validity at the current time, so the
/// other checks of that policy are here (RFC 5280, 4.2.1.3, 4.2.1.9 and 4.2.1.10).
struct AppStoreChainPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]

    /// Marks the certificates that sign for the App Store.
    private static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marks Apple Worldwide Developer Relations.
    private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard chain.count == 3, chain.allSatisfy({ $0.version == .v3 }) else {
            return .failsToMeetPolicy(reason: "not three certificates of version 3")
        }
        guard chain.allSatisfy({ $0.extensions[oid: .X509ExtensionID.nameConstraints] == nil }) else {
            return .failsToMeetPolicy(reason: "a certificate constrains names")
        }
        for (issuersBelow, issuer) in [chain[1], chain[2]].enumerated() {
            guard case .isCertificateAuthority(let maximum) = try? issuer.extensions.basicConstraints,
                maximum.map({ $0 >= issuersBelow }) ?? true
            else { return .failsToMeetPolicy(reason: "an issuer is no authority, or for a shorter chain only") }
        }
        guard chain[0].extensions[oid: Self.leafMark] != nil, chain[1].extensions[oid: Self.intermediateMark] != nil
        else {
            return .failsToMeetPolicy(reason: "a mark is missing")
        }
        for issuer in [chain[1], chain[2]] {
            guard let usage = try? issuer.extensions.keyUsage else { continue }
            guard usage.keyCertSign else { return .failsToMeetPolicy(reason: "an issuer may not sign certificates") }
        }
        guard let usage = try? chain[0].extensions.keyUsage else { return .meetsPolicy }
        return usage.digitalSignature ? .meetsPolicy : .failsToMeetPolicy(reason: "the key may not sign messages")
    }
}
