import Testing

@testable import Cryptography

@Suite struct KeyDerivationTests {
    /// RFC 5869, appendix A, cases 1 to 3.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 22), [UInt8](0x00...0x0C), [UInt8](0xF0...0xF9),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            [UInt8](0x00...0x4F), [UInt8](0x60...0xAF), [UInt8](0xB0...0xFF),
            """
            b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f
            09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
            """
        ),
        (
            [UInt8](repeating: 0x0B, count: 22), [], [],
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ])
    func derivesKeysAsPublished(_ secret: [UInt8], _ salt: [UInt8], _ info: [UInt8], _ expected: String) {
        let expected = bytes(expected)
        let key = HKDF.derive(from: secret, salt: salt, info: info, byteCount: expected.count)
        #expect(key.withUnsafeBytes { Array($0) } == expected)
    }

    /// RFC 7914, section 12, cases 1 to 3. Case 4 takes 1 GiB.
    private static let scrypt: [(String, String, Scrypt.Costs, String)] = [
        (
            "", "", Scrypt.Costs(rounds: 16, blockSize: 1, parallelism: 1),
            """
            77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
            fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
            """
        ),
        (
            "password", "NaCl", Scrypt.Costs(rounds: 1024, blockSize: 8, parallelism: 16),
            """
            fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
            2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
            """
        ),
        (
            "pleaseletmein", "SodiumChloride", Scrypt.Costs(rounds: 16384, blockSize: 8, parallelism: 1),
            """
            7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
            d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
            """
        ),
    ]

    @Test(arguments: 0..<scrypt.count) func derivesKeysFromPassphrasesAsPublished(_ index: Int) throws {
        let (passphrase, salt, costs, expected) = Self.scrypt[index]
        let key = try Scrypt.derive(
            from: Array(passphrase.utf8), salt: Array(salt.utf8), costs: costs, byteCount: 64)
        #expect(key.withUnsafeBytes { Array($0) } == bytes(expected))
    }

    /// The form for systems without scrypt, with the two cheaper cases.
    @Test(arguments: 0..<2) func derivesTheSameInSwift(_ index: Int) {
        let (passphrase, salt, costs, expected) = Self.scrypt[index]
        let key = ScryptInSwift.derive(
            from: Array(passphrase.utf8), salt: Array(salt.utf8),
            costs: index == 0 ? costs : Scrypt.Costs(rounds: 16, blockSize: 8, parallelism: 2), byteCount: 64)
        let other = try? Scrypt.derive(
            from: Array(passphrase.utf8), salt: Array(salt.utf8),
            costs: index == 0 ? costs : Scrypt.Costs(rounds: 16, blockSize: 8, parallelism: 2), byteCount: 64)
        #expect(key.withUnsafeBytes { Array($0) } == other?.withUnsafeBytes { Array($0) })
        if index == 0 { #expect(key.withUnsafeBytes { Array($0) } == bytes(expected)) }
    }

    @Test func keepsPartsAndRandomBytes() {
        let secret = SecretBytes([1, 2, 3, 4, 5])
        #expect(secret.part(1..<3).withUnsafeBytes { Array($0) } == [2, 3])
        #expect(SecretBytes(randomCount: 32).count == 32)
        #expect(SecretBytes.random(16) != SecretBytes.random(16))
    }
}
