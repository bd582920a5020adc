import CCrypto
import Foundation

/// A certificate to be signed, with whatever defects a test needs.
package struct CertificateDraft {
    /// An extension with its content in DER.
    package struct Extension {
        let identifier: String
        let isCritical: Bool
        let content: [UInt8]

        package init(_ identifier: String, isCritical: Bool = false, _ content: [UInt8]) {
            self.identifier = identifier
            self.isCritical = isCritical
            self.content = content
        }

        /// Without content, as Apple marks its certificates.
        package static func mark(_ identifier: String) -> Extension { Extension(identifier, [0x05, 0x00]) }

        /// Whether it may sign other certificates, with at most `pathLength` authorities below it.
        package static func basicConstraints(isAuthority: Bool, pathLength: UInt8? = nil) -> Extension {
            var fields: [UInt8] = isAuthority ? [0x01, 1, 0xFF] : []
            if let pathLength { fields += [0x02, 1, pathLength] }
            return Extension("2.5.29.19", isCritical: true, CertificateDraft.tagged(0x30, fields))
        }

        /// Bits of RFC 5280 section 4.2.1.3, the first one highest.
        package static func keyUsage(_ bits: UInt8) -> Extension {
            Extension(
                "2.5.29.15", isCritical: true, CertificateDraft.tagged(0x03, [UInt8(bits.trailingZeroBitCount), bits]))
        }

        package static let digitalSignature = keyUsage(0x80)
        package static let keyAgreement = keyUsage(0x08)
        package static let signsCertificates = keyUsage(0x06)

        package static func names(_ host: String) -> Extension {
            Extension("2.5.29.17", CertificateDraft.tagged(0x30, CertificateDraft.tagged(0x82, Array(host.utf8))))
        }

        /// Certificates below may name `example.com` only.
        package static let nameConstraints: Extension = {
            let name = CertificateDraft.tagged(0x82, Array("example.com".utf8))
            let permitted = CertificateDraft.tagged(0xA0, CertificateDraft.tagged(0x30, name))
            return Extension("2.5.29.30", CertificateDraft.tagged(0x30, permitted))
        }()

        /// The identifiers of the subject's and the issuer's key.
        package static func identifiers(of key: TestKey, issuer: TestKey) throws -> [Extension] {
            func identifier(_ key: TestKey) throws -> [UInt8] {
                var digest = [UInt8](repeating: 0, count: 32)
                var encoded: UnsafeMutablePointer<UInt8>?
                let count = i2d_PUBKEY(key.handle, &encoded)
                defer { subguard_free(encoded) }
                guard count > 0, EVP_Digest(encoded, Int(count), &digest, nil, EVP_sha256(), nil) == 1 else {
                    throw TestKey.Failure()
                }
                return Array(digest.prefix(20))
            }
            return [
                Extension("2.5.29.14", CertificateDraft.tagged(0x04, try identifier(key))),
                Extension(
                    "2.5.29.35", CertificateDraft.tagged(0x30, CertificateDraft.tagged(0x80, try identifier(issuer)))),
            ]
        }
    }

    package var subject: String
    package var issuer: String
    /// Seconds since 1970.
    package var validity: ClosedRange<Int64>
    package var extensions: [Extension]
    package var serial: [UInt8] = [1] + (0..<15).map { _ in UInt8.random(in: 0...255) }
    /// 2 for version 3.
    package var version = 2

    package init(subject: String, issuer: String, validity: ClosedRange<Int64>, extensions: [Extension]) {
        self.subject = subject
        self.issuer = issuer
        self.validity = validity
        self.extensions = extensions
    }

    /// DER.
    package func signed(_ key: TestKey, by issuerKey: TestKey) throws -> [UInt8] {
        guard let certificate = X509_new() else { throw TestKey.Failure() }
        defer { X509_free(certificate) }
        guard X509_set_version(certificate, version) == 1, X509_set_pubkey(certificate, key.handle) == 1,
            let number = BN_bin2bn(serial, Int32(serial.count), nil)
        else { throw TestKey.Failure() }
        defer { BN_free(number) }
        guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
            ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(validity.lowerBound)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(validity.upperBound)) != nil
        else { throw TestKey.Failure() }
        try name(X509_get_subject_name(certificate), subject)
        try name(X509_get_issuer_name(certificate), issuer)
        for draft in extensions { try add(draft, to: certificate) }
        guard X509_sign(certificate, issuerKey.handle, EVP_sha256()) > 0 else { throw TestKey.Failure() }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &encoded)
        defer { subguard_free(encoded) }
        guard count > 0 else { throw TestKey.Failure() }
        return Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }

    private func name(_ target: OpaquePointer?, _ text: String) throws {
        guard
            X509_NAME_add_entry_by_txt(target, "CN", utf8Type, Array(text.utf8), Int32(text.utf8.count), -1, 0)
                == 1
        else { throw TestKey.Failure() }
    }

    private func add(_ draft: Extension, to certificate: OpaquePointer) throws {
        guard let object = OBJ_txt2obj(draft.identifier, 1), let content = ASN1_OCTET_STRING_new() else {
            throw TestKey.Failure()
        }
        defer {
            ASN1_OBJECT_free(object)
            ASN1_OCTET_STRING_free(content)
        }
        guard ASN1_OCTET_STRING_set(content, draft.content, Int32(draft.content.count)) == 1,
            let made = X509_EXTENSION_create_by_OBJ(nil, object, draft.isCritical ? 1 : 0, content)
        else { throw TestKey.Failure() }
        defer { X509_EXTENSION_free(made) }
        guard X509_add_ext(certificate, made, -1) == 1 else { throw TestKey.Failure() }
    }

    /// A value of DER of fewer than 128 bytes.
    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }

    package static func pem(_ der: [UInt8]) -> String {
        "-----BEGIN CERTIFICATE-----\n"
            + Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            + "\n-----END CERTIFICATE-----\n"
    }
}

/// `MBSTRING_UTF8` of OpenSSL, a macro that Swift does not import.
private let utf8Type: Int32 = 0x1000
