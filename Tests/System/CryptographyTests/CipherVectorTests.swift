import Cryptography
import Testing

@Suite struct CipherVectorTests {
    @Test(arguments: [
        (AuthenticatedCipher.aes256GCM, "aes-256-gcm.txt"), (.chaCha20Poly1305, "chacha20-poly1305.txt"),
    ])
    func opensAndSealsAsPublished(_ cipher: AuthenticatedCipher, _ file: String) throws {
        let cases = try Vectors.cases(file)
        #expect(cases.contains { $0.isValid } && cases.contains { !$0.isValid })
        for sample in cases {
            let (nonce, head, plain) = (sample.fields[1], sample.fields[2], sample.fields[3])
            let key = SecretBytes(sample.fields[0])
            let sealed = nonce + sample.fields[4] + sample.fields[5]
            let opened = try? cipher.open(sealed, key: key, authenticating: head)
            #expect(opened == (sample.isValid ? plain : nil), "case \(sample.number)")
            if sample.isValid {
                #expect(
                    cipher.seal(plain, key: key, nonce: nonce, authenticating: head) == sealed, "case \(sample.number)")
            }
        }
    }

    /// The example of RFC 8439 section 2.8.2.
    @Test func sealsTheExampleOfTheStandard() {
        let plain = """
            Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen \
            would be it.
            """
        let sealed = AuthenticatedCipher.chaCha20Poly1305.seal(
            Array(plain.utf8), key: SecretBytes([UInt8](0x80...0x9F)), nonce: bytes("070000004041424344454647"),
            authenticating: bytes("50515253c0c1c2c3c4c5c6c7"))
        #expect(Array(sealed.suffix(16)) == bytes("1ae10b594f09e26a7e902ecbd0600691"))
        #expect(Array(sealed.dropFirst(12).prefix(8)) == bytes("d31a8d34648e60db"))
    }

    @Test(arguments: [AuthenticatedCipher.aes256GCM, .chaCha20Poly1305])
    func refusesWhatWasTouched(_ cipher: AuthenticatedCipher) throws {
        let key = SecretBytes(randomCount: 32)
        let plain = Array("12,34 € — “été” 🧾".utf8)
        let sealed = cipher.seal(plain, key: key, authenticating: [1, 2])
        #expect(try cipher.open(sealed, key: key, authenticating: [1, 2]) == plain)
        #expect(sealed != cipher.seal(plain, key: key, authenticating: [1, 2]), "a nonce is used once")
        for index in sealed.indices {
            var touched = sealed
            touched[index] ^= 0x80
            #expect(throws: AuthenticatedCipher.NotAuthentic.self) {
                try cipher.open(touched, key: key, authenticating: [1, 2])
            }
        }
        for count in [0, 1, 27, 28, sealed.count - 1] {
            #expect(throws: AuthenticatedCipher.NotAuthentic.self) {
                try cipher.open(sealed.prefix(count), key: key, authenticating: [1, 2])
            }
        }
        #expect(throws: AuthenticatedCipher.NotAuthentic.self) {
            try cipher.open(sealed, key: SecretBytes(randomCount: 32), authenticating: [1, 2])
        }
        #expect(throws: AuthenticatedCipher.NotAuthentic.self) {
            try cipher.open(sealed, key: SecretBytes(randomCount: 16), authenticating: [1, 2])
        }
        #expect(throws: AuthenticatedCipher.NotAuthentic.self) { try cipher.open(sealed, key: key) }
        let empty = cipher.seal([], key: key)
        #expect(try cipher.open(empty, key: key) == [])
    }
}
