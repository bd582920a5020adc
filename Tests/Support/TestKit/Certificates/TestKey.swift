import CCrypto
import Foundation

/// A new private key of OpenSSL, and signatures with it.
///
// proof: the key is complete after `init` and only read afterwards.
package final class TestKey: @unchecked Sendable {
    package enum Kind: Sendable {
        case p256
        case p384
        case rsa2048
    }

    package struct Failure: Error {}

    let handle: OpaquePointer

    package init(_ kind: Kind = .p256) throws {
        let (type, group): (String, String?) =
            switch kind {
            case .p256: ("EC", "prime256v1")
            case .p384: ("EC", "secp384r1")
            case .rsa2048: ("RSA", nil)
            }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { throw Failure() }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            group.map({ EVP_PKEY_CTX_set_group_name(context, $0) == 1 })
                ?? (EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1),
            EVP_PKEY_generate(context, &made) == 1, let made
        else { throw Failure() }
        handle = made
    }

    deinit { EVP_PKEY_free(handle) }

    /// Signs with SHA-256: DER for an elliptic key, PKCS #1 version 1.5 for an RSA key.
    package func signature(of message: [UInt8]) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Failure() }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
            EVP_DigestSign(context, nil, &count, message, message.count) == 1
        else { throw Failure() }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { throw Failure() }
        return Array(signature.prefix(count))
    }

    /// Signs with an elliptic key on P-256; the two numbers in 32 bytes each, as JSON Web Signatures have them.
    package func rawSignature(of message: [UInt8]) throws -> [UInt8] {
        let der = try signature(of: message)
        let parsed = der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &position, bytes.count)
        }
        guard let parsed else { throw Failure() }
        defer { ECDSA_SIG_free(parsed) }
        var raw = [UInt8](repeating: 0, count: 64)
        let isWritten = raw.withUnsafeMutableBufferPointer { raw in
            BN_bn2binpad(ECDSA_SIG_get0_r(parsed), raw.baseAddress, 32) == 32
                && BN_bn2binpad(ECDSA_SIG_get0_s(parsed), raw.baseAddress.map { $0 + 32 }, 32) == 32
        }
        guard isWritten else { throw Failure() }
        return raw
    }

    /// The coordinates of an elliptic key.
    package func point() throws -> (x: [UInt8], y: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: 256)
        var count = 0
        guard EVP_PKEY_get_octet_string_param(handle, "encoded-pub-key", &bytes, bytes.count, &count) == 1, count > 1
        else { throw Failure() }
        let half = (count - 1) / 2
        return (Array(bytes[1...half]), Array(bytes[(half + 1)..<count]))
    }

    /// The public numbers of an RSA key.
    package func numbers() throws -> (modulus: [UInt8], exponent: [UInt8]) {
        (try number("n"), try number("e"))
    }

    private func number(_ name: String) throws -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(handle, name, &number) == 1 else { throw Failure() }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
        guard BN_bn2bin(number, &bytes) == bytes.count else { throw Failure() }
        return bytes
    }

    /// The private key in PEM.
    package func pem() throws -> String {
        try pemText { PEM_write_bio_PrivateKey($0, handle, nil, nil, 0, nil, nil) }
    }
}

/// What a PEM function of OpenSSL writes.
func pemText(_ write: (OpaquePointer) -> Int32) throws -> String {
    guard let target = BIO_new(BIO_s_mem()) else { throw TestKey.Failure() }
    defer { BIO_free(target) }
    guard write(target) == 1 else { throw TestKey.Failure() }
    var text = [UInt8](repeating: 0, count: 16_384)
    let count = BIO_read(target, &text, Int32(text.count))
    guard count > 0 else { throw TestKey.Failure() }
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
}
