import Crypto
import Foundation
import SwiftASN1
import X509

/// A test certificate authority, for servers with valid certificates or certain defects.
package struct CertificateAuthority {
    /// Path of its certificate, PEM.
    package let path: String
    private let folder: TemporaryFolder
    private let key = P256.Signing.PrivateKey()
    private let name: DistinguishedName

    package init() throws {
        folder = try TemporaryFolder()
        name = try DistinguishedName { CommonName("Test Authority \(UUID().uuidString)") }
        path = folder.file("authority.pem")
        let certificate = try Self.certificate(
            of: name, key.publicKey, by: name, key, days: -30...30,
            [
                try Certificate.Extension(BasicConstraints.isCertificateAuthority(maxPathLength: 0), critical: true),
                try Certificate.Extension(KeyUsage(keyCertSign: true, cRLSign: true), critical: true),
            ])
        try folder.write(certificate.serializeAsPEM().pemString + "\n", to: "authority.pem")
    }

    /// Issues a server certificate.
    ///
    /// - Parameters:
    ///   - host: its DNS name.
    ///   - days: its validity in days relative to now.
    package func issue(
        host: String = "localhost", days: ClosedRange<Double> = -1...30
    ) throws -> CertificateMaker.Pair {
        let key = P256.Signing.PrivateKey()
        let certificate = try Self.certificate(
            of: try DistinguishedName { CommonName(host) }, key.publicKey, by: name, self.key, days: days,
            [
                try Certificate.Extension(BasicConstraints.notCertificateAuthority, critical: true),
                try Certificate.Extension(SubjectAlternativeNames([.dnsName(host)]), critical: false),
            ])
        let id = UUID().uuidString
        return CertificateMaker.Pair(
            certificate: try folder.write(certificate.serializeAsPEM().pemString + "\n", to: "\(id).pem"),
            key: try folder.write(key.pemRepresentation + "\n", to: "\(id).key"))
    }

    private static func certificate(
        of subject: DistinguishedName, _ key: P256.Signing.PublicKey, by issuer: DistinguishedName,
        _ issuerKey: P256.Signing.PrivateKey, days: ClosedRange<Double>, _ extensions: [Certificate.Extension]
    ) throws -> Certificate {
        let now = Date()
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key),
            notValidBefore: now + days.lowerBound * 86_400, notValidAfter: now + days.upperBound * 86_400,
            issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions(extensions), issuerPrivateKey: .init(issuerKey))
    }
}
