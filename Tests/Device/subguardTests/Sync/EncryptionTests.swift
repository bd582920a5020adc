import Foundation
import JSONWire
import TestKit
import Testing

extension OnlineTests {
    /// `subguard` with servers that speak TLS.
    @Suite struct EncryptionTests {
        static let namespaces: Comment = "other authorities than the machine's need a mount namespace of one's own"

        private func sync(
            _ url: String, trusting authority: CertificateAuthority? = nil, _ more: String...
        ) throws -> Client.Outcome {
            let device = try Client()
            let process = try device.process(["sync", "--server", url] + more)
            if let authority { TrustStore.set(authority, for: process) }
            return try device.outcome(of: process)
        }

        private func expect(
            _ english: String, _ french: String, of url: String, trusting authority: CertificateAuthority? = nil
        ) throws {
            let outcome = try sync(url, trusting: authority, "--lang", "en")
            #expect(outcome.status == 1 && outcome.output.contains("catalogue    failed: \(english)\n"), "\(outcome)")
            let translated = try sync(url, trusting: authority, "--lang", "fr")
            #expect(translated.output.contains("\(french)\n"), "\(translated)")
            let json = try sync(url, trusting: authority, "--json")
            let report = try JSONValue.parse(Array(json.output.utf8))["catalogue"]
            #expect(report?["reason"]?.stringValue == "untrusted_certificate" && json.status == 1, "\(json)")
            #expect(report?["detail"]?.stringValue == english)
        }

        @Test(.enabled(if: TrustStore.isAvailable, namespaces))
        func aCertificateOfATrustedAuthorityWillDo() throws {
            let authority = try CertificateAuthority()
            let pair = try authority.issue()
            let server = try Server(variables: [
                "SUBGUARD_TLS_CERTIFICATE": pair.certificate, "SUBGUARD_TLS_KEY": pair.key,
            ])
            let outcome = try sync("https://localhost:\(server.port)", trusting: authority, "--json")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try JSONValue.parse(Array(outcome.output.utf8))["catalogue"]?["items"]?.integerValue == 4)
        }

        /// The lines of shell in docs/device.md.
        @Test(.enabled(if: TrustStore.isAvailable, namespaces))
        func anAuthorityOfOnesOwnIsInstalledAsThePageSays() throws {
            let authority = try CertificateAuthority()
            let pair = try authority.issue()
            let server = try Server(variables: [
                "SUBGUARD_TLS_CERTIFICATE": pair.certificate, "SUBGUARD_TLS_KEY": pair.key,
            ])
            let lines = try RepositoryFile.text("docs/device.md").components(separatedBy: "\n")
                .filter { $0.hasPrefix("sudo ") }
            #expect(lines.count == 2)
            let device = try Client()
            try FileManager.default.copyItem(atPath: authority.path, toPath: device.folder.file("ca.pem"))
            let process = try device.process(["sync", "--server", "https://localhost:\(server.port)"])
            TrustStore.prepare(process, in: device.folder, lines)
            let outcome = try device.outcome(of: process)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.output.contains("catalogue    downloaded, 4 items"), "\(outcome)")
        }

        @Test func oneThatSignedItselfIsToldFromAnUnknownAuthority() throws {
            let maker = try CertificateMaker()
            let alone = try SecureStub(try maker.make())
            try expect(
                "certificate not trusted: self-signed certificate",
                "catalogue    échec : certificat non fiable : certificat auto-signé",
                of: "https://localhost:\(alone.port)")
            let authority = try CertificateAuthority()
            let unknown = try SecureStub(try authority.issue())
            // Their files exist only as long as they do.
            withExtendedLifetime((maker, authority)) {}
            try expect(
                "certificate not trusted: unknown certificate authority",
                "catalogue    échec : certificat non fiable : autorité de certification inconnue",
                of: "https://localhost:\(unknown.port)")
        }

        @Test(.enabled(if: TrustStore.isAvailable, namespaces))
        func anotherHostAnExpiredOneAndOneOfTomorrowAreNamed() throws {
            let authority = try CertificateAuthority()
            let good = try SecureStub(try authority.issue())
            try expect(
                "certificate not trusted: issued for another host",
                "catalogue    échec : certificat non fiable : émis pour un autre hôte",
                of: "https://127.0.0.1:\(good.port)", trusting: authority)
            let expired = try SecureStub(try authority.issue(days: -9 ... -1))
            try expect(
                "certificate not trusted: expired, or this device's clock is wrong",
                "catalogue    échec : certificat non fiable : "
                    + "expiré, ou l’horloge de cet appareil est fausse",
                of: "https://localhost:\(expired.port)", trusting: authority)
            let early = try SecureStub(try authority.issue(days: 1...9))
            try expect(
                "certificate not trusted: not valid yet, or this device's clock is wrong",
                "catalogue    échec : certificat non fiable : "
                    + "pas encore valable, ou l’horloge de cet appareil est fausse",
                of: "https://localhost:\(early.port)", trusting: authority)
        }

        /// The error does not blame a certificate if there is none.
        @Test func anUnreachableHostAndOneWithoutTLSAreSomethingElse() throws {
            let plain = try Server()
            for (port, english, french) in [
                (1, "connection refused", "connexion refusée"),
                (plain.port, "TLS handshake failed", "échec de la négociation TLS"),
            ] {
                let outcome = try sync("https://localhost:\(port)")
                #expect(
                    outcome.output.contains("catalogue    failed: server unreachable: \(english)\n"),
                    "\(outcome)")
                let translated = try sync("https://localhost:\(port)", "--lang", "fr")
                #expect(
                    translated.output.contains("catalogue    échec : serveur injoignable : \(french)\n"),
                    "\(translated)")
                let json = try sync("https://localhost:\(port)", "--json")
                let part = try JSONValue.parse(Array(json.output.utf8))["catalogue"]
                #expect(part?["reason"]?.stringValue == "unreachable")
            }
        }
    }
}
