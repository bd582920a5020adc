import Foundation

/// A test certificate authority, for servers with valid certificates or certain defects.
package struct CertificateAuthority {
    /// Path of its certificate, PEM.
    package let path: String
    private let folder: TemporaryFolder
    private let key: TestKey
    private let name = "Test Authority \(UUID().uuidString)"

    package init() throws {
        folder = try TemporaryFolder()
        key = try TestKey()
        path = folder.file("authority.pem")
        let draft = CertificateDraft(
            subject: name, issuer: name, validity: Self.days(-30...30),
            extensions: [.basicConstraints(isAuthority: true, pathLength: 0), .signsCertificates])
        try folder.write(CertificateDraft.pem(try draft.signed(key, by: key)), to: "authority.pem")
    }

    /// Issues a server certificate.
    ///
    /// - Parameters:
    ///   - host: its DNS name.
    ///   - days: its validity in days relative to now.
    package func issue(
        host: String = "localhost", days: ClosedRange<Double> = -1...30
    ) throws -> CertificateMaker.Pair {
        let key = try TestKey()
        let draft = CertificateDraft(
            subject: host, issuer: name, validity: Self.days(days),
            extensions: [.basicConstraints(isAuthority: false), .names(host)])
        let id = UUID().uuidString
        return CertificateMaker.Pair(
            certificate: try folder.write(CertificateDraft.pem(try draft.signed(key, by: self.key)), to: "\(id).pem"),
            key: try folder.write(try key.pem(), to: "\(id).key"))
    }

    private static func days(_ days: ClosedRange<Double>) -> ClosedRange<Int64> {
        let now = Date().timeIntervalSince1970
        return Int64(now + days.lowerBound * 86_400)...Int64(now + days.upperBound * 86_400)
    }
}
