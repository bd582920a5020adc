import Cryptography
import TestKit
import Testing

@Suite struct SignatureVectorTests {
    @Test func verifiesEllipticSignaturesAsPublished() throws {
        for (file, isRaw) in [("ecdsa-p256-der.txt", false), ("ecdsa-p256-raw.txt", true)] {
            let cases = try Vectors.cases(file)
            #expect(cases.contains { $0.isValid } && cases.contains { !$0.isValid })
            for sample in cases {
                let key = try #require(P256PublicKey(x: sample.fields[0], y: sample.fields[1]), "case \(sample.number)")
                let (message, signature) = (sample.fields[2], sample.fields[3])
                let isValid =
                    isRaw
                    ? key.isValid(rawSignature: signature, of: message)
                    : key.isValid(derSignature: signature, of: message)
                #expect(isValid == sample.isValid, "\(file) case \(sample.number)")
            }
        }
    }

    @Test func verifiesRSASignaturesAsPublished() throws {
        let cases = try Vectors.cases("rsa-2048-pkcs1.txt")
        #expect(cases.contains { $0.isValid } && cases.contains { !$0.isValid })
        for sample in cases {
            let key = try #require(RSAPublicKey(modulus: sample.fields[0], exponent: sample.fields[1]))
            #expect(
                key.isValid(sample.fields[3], of: sample.fields[2]) == sample.isValid, "case \(sample.number)")
        }
    }

    @Test func refusesPointsThatAreNoKeys() throws {
        let point = try TestKey(.p256).point()
        #expect(P256PublicKey(x: point.x, y: point.y) != nil)
        var touched = point.y
        touched[31] ^= 1
        #expect(P256PublicKey(x: point.x, y: touched) == nil, "not on the curve")
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(P256PublicKey(x: zero, y: zero) == nil, "infinity")
        #expect(P256PublicKey(x: [0] + point.x, y: point.y) == nil)
        #expect(P256PublicKey(x: Array(point.x.dropLast()), y: point.y) == nil)
        #expect(P256PublicKey(x: [UInt8](repeating: 0xFF, count: 32), y: point.y) == nil, "beyond the field")
        let other = try TestKey(.p384).point()
        #expect(P256PublicKey(x: other.x, y: other.y) == nil)
    }

    @Test func refusesNumbersThatAreNoKeys() throws {
        let numbers = try TestKey(.rsa2048).numbers()
        #expect(RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent) != nil)
        #expect(RSAPublicKey(modulus: [0, 0] + numbers.modulus, exponent: [0] + numbers.exponent) != nil)
        #expect(RSAPublicKey(modulus: Array(numbers.modulus.dropLast()), exponent: numbers.exponent) == nil, "short")
        #expect(RSAPublicKey(modulus: [1] + [UInt8](repeating: 0xFF, count: 1024), exponent: [3]) == nil, "long")
        for exponent: [UInt8] in [[], [0], [1], [2], [4], [2, 0, 0, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]] {
            #expect(RSAPublicKey(modulus: numbers.modulus, exponent: exponent) == nil, "\(exponent)")
        }
        #expect(RSAPublicKey(modulus: numbers.modulus.dropLast() + [2], exponent: [3]) == nil, "even")
        #expect(RSAPublicKey(modulus: [], exponent: [3]) == nil)
    }

    @Test func verifiesOnManyThreads() async throws {
        let (signer, rsa) = (try TestKey(.p256), try TestKey(.rsa2048))
        let point = try signer.point()
        let numbers = try rsa.numbers()
        let key = try #require(P256PublicKey(x: point.x, y: point.y))
        let other = try #require(RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent))
        let message = Array("12.34".utf8)
        let (raw, long) = (try signer.rawSignature(of: message), try rsa.signature(of: message))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    (0..<20).allSatisfy { _ in
                        key.isValid(rawSignature: raw, of: message) && other.isValid(long, of: message)
                            && !other.isValid(long, of: message + [1])
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
