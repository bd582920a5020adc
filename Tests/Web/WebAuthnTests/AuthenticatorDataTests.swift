import TestKit
import Testing
import WebAuthn

@Suite struct AuthenticatorDataTests {
    @Test(arguments: SoftAuthenticator.Kind.allCases)
    func readsARegistrationAndNoPartOfIt(_ kind: SoftAuthenticator.Kind) throws {
        let device = try SoftAuthenticator(kind)
        device.signCount = 0x0102_0304
        let bytes = try device.attestation("localhost")
        let data = try AuthenticatorData(attestation: bytes)
        #expect(data.isUserPresent && data.isUserVerified && data.signCount == 0x0102_0304)
        #expect(data.credential?.id == device.credentialID)
        #expect(try data.credential?.keyBytes == device.publicKey())
        for end in bytes.indices {
            #expect(throws: WebAuthnError.self) { try AuthenticatorData(attestation: Array(bytes[..<end])) }
        }
        let inner = try device.data("localhost", isNew: true)
        for end in inner.indices {
            #expect(throws: WebAuthnError.self) { try AuthenticatorData(Array(inner[..<end])) }
        }
        #expect(throws: WebAuthnError.length) { try AuthenticatorData(inner + [0]) }
    }

    @Test func readsASignInWithExtensions() throws {
        let device = try SoftAuthenticator(.es256)
        var bytes = try device.data("localhost")
        #expect(try AuthenticatorData(bytes).credential == nil)
        bytes[32] |= 0x80
        #expect(throws: WebAuthnError.cbor(.truncated)) { try AuthenticatorData(bytes) }
        #expect(throws: Never.self) { try AuthenticatorData(bytes + [0xA1, 0x61, 0x61, 0xF5]) }
        #expect(throws: WebAuthnError.length) { try AuthenticatorData(bytes + [0x01]) }
        bytes[32] = 0x11
        #expect(throws: WebAuthnError.flags) { try AuthenticatorData(bytes) }
    }

    @Test(arguments: [
        // Another algorithm, another curve, a short coordinate, a short modulus, no map.
        [0xA2, 1, 1, 3, 0x27], [0xA3, 1, 2, 3, 0x26, 0x20, 2],
        [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x41, 1, 0x22, 0x41, 1],
        [0xA4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x41, 9, 0x21, 0x43, 1, 0, 1], [0x00],
    ])
    func refusesOtherKeys(_ bytes: [UInt8]) {
        #expect(throws: WebAuthnError.key) { try COSEKey(bytes: bytes) }
    }
}
