import Cryptography
import Testing

@Suite struct HashTests {
    @Test func hashesAsPublished() {
        // FIPS 180-4 examples.
        #expect(
            SHA256.hash(of: "abc".utf8)
                == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(
            SHA256.hash(of: [])
                == bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
        #expect(
            SHA256.hash(of: repeatElement(0x61, count: 1_000_000))
                == bytes("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
        #expect(MD5.hash(of: Array("abc".utf8)) == bytes("900150983cd24fb0d6963f7d28e17f72"))
    }

    @Test func hashesPiecesAsAWhole() {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var hash = SHA256()
        hash.update(message[..<1])
        hash.update([UInt8]())
        hash.update(message[1..<777])
        hash.update(message[777...].lazy.map { $0 })
        #expect(hash.finish() == SHA256.hash(of: message))
    }

    @Test func hashesOnManyThreads() async {
        let expected = (0..<64).map { SHA256.hash(of: [UInt8]($0..<$0 + 64)) }
        await withTaskGroup(of: Bool.self) { group in
            for start in 0..<64 {
                group.addTask {
                    (0..<200).allSatisfy { _ in
                        SHA256.hash(of: [UInt8](UInt8(start)..<UInt8(start) + 64)) == expected[start]
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    /// RFC 4231, cases 1 to 4, 6 and 7.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](1...25), [UInt8](repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array(
                """
                This is a test using a larger than block-size key and a larger than block-size data. The key needs to \
                be hashed before being used by the HMAC algorithm.
                """.utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func authenticatesAsPublished(_ key: [UInt8], _ message: [UInt8], _ code: String) {
        let key = HMACKey(key)
        #expect(key.code(for: message) == bytes(code))
        // A key serves more than once.
        #expect(key.isValid(bytes(code), for: message))
        #expect(!key.isValid(bytes(code).dropLast(), for: message))
        #expect(!key.isValid(bytes(code), for: message + [0]))
    }

    @Test func authenticatesWithAnEmptyKey() {
        #expect(
            HMACKey([UInt8]()).code(for: [UInt8]())
                == bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
        #expect(HMACKey([UInt8]()).code(for: "a".utf8) != HMACKey([1]).code(for: "a".utf8))
    }

    @Test func comparesWhole() {
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(ConstantTime.areEqual([UInt8](), [UInt8]()))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
        #expect(!ConstantTime.areEqual([0, 1], [1, 0]))
    }
}
