import Cryptography
import Foundation
import TestKit
import Testing

@Suite struct CertificateTests {
    private static let now: Int64 = 1_795_694_400
    private static let marks = (leaf: "1.2.840.113635.100.6.11.1", intermediate: "1.2.840.113635.100.6.2.1")

    private static func refusal(_ chain: [[UInt8]], at seconds: Int64 = now) -> String? {
        do throws(CertificateChain.Refusal) {
            let chain = try CertificateChain(der: chain)
            _ = try chain.leafKey()
            try chain.verify(at: seconds, marks: marks)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func verifiesAWholeChain() throws {
        let signer = try AppStoreSigner(now: Self.now)
        #expect(Self.refusal(signer.chain) == nil)
        let validity = try CertificateChain(der: signer.chain).validity()
        #expect(validity == Self.now - 365 * 86_400...Self.now + 365 * 86_400 - 1)
        #expect(Self.refusal(signer.chain, at: validity.lowerBound) == nil)
        #expect(Self.refusal(signer.chain, at: validity.upperBound) == nil)
        #expect(Self.refusal(signer.chain, at: validity.lowerBound - 1) == "certificate is not yet valid")
        #expect(Self.refusal(signer.chain, at: validity.upperBound + 1) == "certificate has expired")
    }

    /// Another authority of the same names: the caller trusts the root, so only its key can tell.
    @Test func refusesARootOfTheSameName() throws {
        let (one, other) = (try AppStoreSigner(now: Self.now), try AppStoreSigner(now: Self.now))
        let chain = [one.chain[0], one.chain[1], other.chain[2]]
        #expect(Self.refusal(chain) == "unable to get local issuer certificate")
        // The same, without identifiers of keys to tell them apart.
        let (root, stranger, middle, leaf) = (try TestKey(), try TestKey(), try TestKey(), try TestKey())
        func draft(_ subject: String, _ issuer: String, _ extensions: [CertificateDraft.Extension]) -> CertificateDraft
        {
            CertificateDraft(
                subject: subject, issuer: issuer, validity: Self.now - 1000...Self.now + 1000, extensions: extensions)
        }
        let authority: [CertificateDraft.Extension] = [.basicConstraints(isAuthority: true), .signsCertificates]
        let false1 = try draft("Root", "Root", authority).signed(stranger, by: stranger)
        let middleDER = try draft("Middle", "Root", authority + [.mark(Self.marks.intermediate)])
            .signed(middle, by: root)
        let leafDER = try draft("Leaf", "Middle", [.digitalSignature, .mark(Self.marks.leaf)]).signed(leaf, by: middle)
        #expect(Self.refusal([leafDER, middleDER, false1]) == "certificate signature failure")
        let true1 = try draft("Root", "Root", authority).signed(root, by: root)
        #expect(Self.refusal([leafDER, middleDER, true1]) == nil)
        // A leaf in the place of the issuer.
        let byLeaf = try draft("Last", "Leaf", [.digitalSignature, .mark(Self.marks.leaf)]).signed(TestKey(), by: leaf)
        let markedLeaf = try draft("Leaf", "Root", [.signsCertificates, .mark(Self.marks.intermediate)])
            .signed(leaf, by: root)
        #expect(
            Self.refusal([byLeaf, markedLeaf, true1]) == "an issuer is no authority, or for a shorter chain only")
    }

    @Test func refusesWhatIsNoCertificate() throws {
        let chain = try AppStoreSigner(now: Self.now).chain
        #expect(Certificate(der: []) == nil)
        #expect(Certificate(der: chain[0] + [0]) == nil, "bytes behind it")
        for count in [1, 4, 100, chain[0].count - 1] {
            #expect(Certificate(der: Array(chain[0].prefix(count))) == nil, "\(count) bytes")
        }
        #expect(Self.refusal([]) == "not three certificates")
        #expect(Self.refusal([chain[0], chain[2]]) == "not three certificates")
        #expect(Self.refusal(chain + chain) == "not three certificates")
        #expect(Self.refusal([[0x30, 0], chain[1], chain[2]]) == "not three certificates")
        // The length of the outer sequence in four bytes instead of two: BER, but not DER.
        let long = [0x30, 0x84, 0, 0] + chain[0][2...]
        #expect(chain[0][..<2] == [0x30, 0x82])
        #expect(Certificate(der: Array(long)) == nil, "another encoding")
    }

    @Test func refusesASerialNumberOfTenThousandBytes() throws {
        var flaws = AppStoreSigner.Flaws()
        flaws.serial = [UInt8](repeating: 0x7F, count: 10_000)
        let chain = try AppStoreSigner(now: Self.now, flaws: flaws).chain
        #expect(chain[0].count > 10_000)
        #expect(Self.refusal(chain) == "a serial number of more than 20 bytes")
    }

    /// Every byte of the leaf and of the intermediate is part of what is signed, or of a signature.
    @Test func refusesTouchedCertificates() throws {
        let chain = try AppStoreSigner(now: Self.now).chain
        for (place, certificate) in chain.dropLast().enumerated() {
            for index in stride(from: 0, to: certificate.count, by: 3) {
                var touched = chain
                touched[place][index] ^= 0x04
                #expect(Self.refusal(touched) != nil, "certificate \(place), byte \(index)")
            }
        }
    }

    @Test func readsPEM() throws {
        let (one, other) = (try AppStoreSigner(now: Self.now), try AppStoreSigner(now: Self.now))
        #expect(Certificate.all(inPEM: one.rootPEM)?.map(\.der) == [one.chain[2]])
        let both = "A note before.\n" + one.rootPEM + "\nBetween, é.\n" + other.rootPEM + "\n"
        #expect(Certificate.all(inPEM: both)?.map(\.der) == [one.chain[2], other.chain[2]])
        let windows = one.rootPEM.replacing("\n", with: "\r\n")
        #expect(Certificate.all(inPEM: windows)?.count == 1)
        for text in [
            "", "hello", String(one.rootPEM.dropLast(30)), one.rootPEM + "-----BEGIN CERTIFICATE-----\nAAAA\n",
            one.rootPEM.replacing("CERTIFICATE", with: "X509 CRL"),
            one.rootPEM.replacing("CERTIFICATE", with: "TRUSTED CERTIFICATE"),
            one.rootPEM + (try TestKey().pem()),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ] {
            #expect(Certificate.all(inPEM: text) == nil, "\(text.prefix(60))")
        }
    }
}
