import Foundation
import HTTPServer
import HTTPServerTLS
import TestKit
import Testing

/// Which certificates and keys a server accepts, and its errors for others.
@Suite struct TLSCredentialTests {
    private func refusal(_ certificate: String, _ key: String) -> TLSError? {
        do {
            _ = try TestServer { $0.tls = TLSConfiguration(certificatePath: certificate, keyPath: key) }
            return nil
        } catch {
            return error as? TLSError
        }
    }

    private func expectRefusal(
        _ certificate: String, _ key: String, of part: TLSError.Part, _ words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = refusal(certificate, key)
        #expect(error?.part == part, sourceLocation: sourceLocation)
        #expect(error?.path == (part == .key ? key : certificate), sourceLocation: sourceLocation)
        #expect(error?.reason.contains(words) == true, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test func refusesAnotherCertificatesKey() throws {
        let maker = try CertificateMaker()
        let (first, second, third) = (try maker.make(), try maker.make(), try maker.make(.rsa))
        #expect(refusal(first.certificate, first.key) == nil)
        expectRefusal(first.certificate, second.key, of: .key, "is not the key of \(first.certificate)")
        expectRefusal(first.certificate, third.key, of: .key, "is not the key of")
    }

    @Test func refusesACertificateWhoseTimeIsNotNow() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make()
        func dated(_ start: String, _ end: String) throws -> String {
            let request = maker.folder.file("\(UUID().uuidString).csr")
            let certificate = request + ".pem"
            try CertificateMaker.run(["req", "-new", "-key", pair.key, "-subj", "/CN=localhost", "-out", request])
            let database = try maker.folder.write("", to: "\(UUID().uuidString).index")
            let settings = try maker.folder.write(
                """
                [ca]
                default_ca = d
                [d]
                database = \(database)
                new_certs_dir = \(maker.folder.path)
                rand_serial = yes
                policy = p
                default_md = sha256
                [p]
                commonName = supplied
                """, to: "\(UUID().uuidString).cnf")
            try CertificateMaker.run([
                "ca", "-batch", "-selfsign", "-notext", "-config", settings, "-keyfile", pair.key, "-in", request,
                "-out",
                certificate, "-startdate", start, "-enddate", end,
            ])
            return certificate
        }
        expectRefusal(try dated("20240101000000Z", "20240229000000Z"), pair.key, of: .certificate, "has expired")
        expectRefusal(try dated("20900101000000Z", "20910101000000Z"), pair.key, of: .certificate, "not valid yet")
        #expect(refusal(try dated("20240229000000Z", "20910101000000Z"), pair.key) == nil)
    }

    @Test func refusesWhatIsNoPEM() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make()
        let text = try String(contentsOfFile: pair.certificate, encoding: .utf8)
        let missing = maker.folder.file("missing.pem")
        expectRefusal(missing, pair.key, of: .certificate, "cannot be read: No such file")
        expectRefusal(pair.certificate, missing, of: .key, "cannot be read: No such file")
        expectRefusal(maker.folder.path, pair.key, of: .certificate, "is not a file")
        expectRefusal(try maker.folder.write("", to: "empty"), pair.key, of: .certificate, "holds no PEM certificate")
        expectRefusal(pair.key, pair.key, of: .certificate, "holds no PEM certificate")
        expectRefusal(pair.certificate, pair.certificate, of: .key, "holds no PEM private key")
        let damaged = try maker.folder.write(text + text.replacing("MII", with: "MIi"), to: "damaged")
        expectRefusal(damaged, pair.key, of: .certificate, "holds a certificate that is damaged")
        let large = try maker.folder.write(String(repeating: "12.34\n", count: 200_000), to: "large")
        expectRefusal(large, pair.key, of: .certificate, "too large")
    }

    @Test func asksNobodyForAPassphrase() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make()
        let sealed = maker.folder.file("sealed.key")
        try CertificateMaker.run(["pkcs8", "-topk8", "-in", pair.key, "-out", sealed, "-passout", "pass:p4ss-w0rd"])
        expectRefusal(pair.certificate, sealed, of: .key, "is protected by a passphrase")
    }

    @Test func refusesAKeyThatIsTooWeak() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make(.weakRSA)
        expectRefusal(pair.certificate, pair.key, of: .certificate, "key too small")
    }

    @Test func takesTheFormsInWhichKeysCome() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make(.rsa)
        let traditional = maker.folder.file("rsa.key")
        try CertificateMaker.run(["rsa", "-traditional", "-in", pair.key, "-out", traditional])
        #expect(refusal(pair.certificate, traditional) == nil)
        // As written by `openssl ecparam -genkey`, with the parameters first.
        let curve = maker.folder.file("ec.key")
        let certificate = maker.folder.file("ec.pem")
        try CertificateMaker.run(["ecparam", "-genkey", "-name", "prime256v1", "-out", curve])
        try CertificateMaker.run(["req", "-x509", "-key", curve, "-subj", "/CN=h", "-days", "2", "-out", certificate])
        #expect(try String(contentsOfFile: curve, encoding: .utf8).contains("EC PARAMETERS"))
        #expect(refusal(certificate, curve) == nil)
        // Both in one file, and a chain after the certificate.
        let other = try maker.make()
        let all = try [traditional, pair.certificate, other.certificate]
            .map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
        let combined = try maker.folder.write(all, to: "combined.pem")
        #expect(refusal(combined, combined) == nil)
    }

    @Test func neverTellsWhatIsInTheKey() throws {
        let maker = try CertificateMaker()
        let pair = try maker.make()
        let text = try String(contentsOfFile: pair.key, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-") }
        let broken = try maker.folder.write(text.replacing(lines[0], with: lines[0].dropLast(4)), to: "broken.key")
        let error = try #require(refusal(pair.certificate, broken))
        #expect(error.description == "\(broken) holds no PEM private key")
    }
}
