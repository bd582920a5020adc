import CFileStatus
import COpenSSL
import Glibc
import HTTPServer

/// A certificate, its chain and its key, read and checked.
final class TLSCredentials {
    let certificate: OpaquePointer
    let chain: [OpaquePointer]
    let key: OpaquePointer
    /// The expiry of the certificate, in seconds since 1970.
    let expiresAt: Int

    /// Throws ``TLSError`` with the faulty file: not PEM, a key of another certificate, a certificate that is expired
    /// or not yet valid.
    init(certificate certificateFile: PEMFile, key keyFile: PEMFile) throws(TLSError) {
        let key = try Self.readKey(keyFile)
        let certificates = Self.readCertificates(certificateFile)
        guard let first = certificates.found.first else {
            EVP_PKEY_free(key)
            throw certificateFile.error("holds no PEM certificate")
        }
        // From here on `deinit` releases them, even after an error.
        self.key = key
        certificate = first
        chain = Array(certificates.found.dropFirst())
        var time = tm()
        expiresAt = ASN1_TIME_to_tm(X509_get0_notAfter(first), &time) == 1 ? timegm(&time) : 0
        guard certificates.isWhole else { throw certificateFile.error("holds a certificate that is damaged") }
        guard X509_check_private_key(certificate, key) == 1 else {
            throw keyFile.error("is not the key of \(certificateFile.path)")
        }
        guard X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0 else {
            throw certificateFile.error("is not valid yet")
        }
        guard X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0 else {
            throw certificateFile.error("has expired")
        }
    }

    deinit {
        X509_free(certificate)
        for certificate in chain { X509_free(certificate) }
        EVP_PKEY_free(key)
    }

    /// `isWhole`: the file ended between two certificates, not within one.
    private static func readCertificates(_ file: PEMFile) -> (found: [OpaquePointer], isWhole: Bool) {
        ERR_clear_error()
        var found: [OpaquePointer] = []
        file.withSource { source in
            while let certificate = PEM_read_bio_X509(source, nil, PEMFile.noPassphrase, nil) {
                found.append(certificate)
            }
        }
        let reason = ERR_GET_REASON(ERR_peek_last_error())
        ERR_clear_error()
        return (found, reason == PEM_R_NO_START_LINE)
    }

    private static func readKey(_ file: PEMFile) throws(TLSError) -> OpaquePointer {
        ERR_clear_error()
        let key = file.withSource { PEM_read_bio_PrivateKey($0, nil, PEMFile.noPassphrase, nil) }
        defer { ERR_clear_error() }
        if let key { return key }
        let reasons = [ERR_GET_REASON(ERR_peek_error()), ERR_GET_REASON(ERR_peek_last_error())]
        throw file.error(
            reasons.contains(PEM_R_BAD_PASSWORD_READ)
                ? "is protected by a passphrase; use a key without one" : "holds no PEM private key")
    }
}

/// The bytes of a PEM file. Wiped when released, because they may hold a key.
final class PEMFile {
    let path: String
    private let part: TLSError.Part
    private let bytes: UnsafeMutableRawBufferPointer

    private static let maximumBytes = 1024 * 1024

    /// Throws ``TLSError`` if the file cannot be read completely.
    init(_ path: String, part: TLSError.Part) throws(TLSError) {
        self.path = path
        self.part = part
        // Non-blocking, because the path may be a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw TLSError(part: part, path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var facts = file_status()
        guard file_status_of_descriptor(descriptor, &facts), facts.is_regular else {
            throw TLSError(part: part, path: path, reason: "is not a file")
        }
        guard facts.byte_count <= Self.maximumBytes else {
            throw TLSError(part: part, path: path, reason: "is too large for a PEM file")
        }
        bytes = .allocate(byteCount: Int(facts.byte_count), alignment: 1)
        var filled = 0
        while filled < bytes.count {
            let count = read(descriptor, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw TLSError(part: part, path: path, reason: "changed while it was read")
            }
            filled += count
        }
    }

    deinit {
        OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }

    func error(_ reason: String) -> TLSError { TLSError(part: part, path: path, reason: reason) }

    /// Calls `body` with the bytes as a source for OpenSSL's PEM functions.
    func withSource<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
        defer { BIO_free(source) }
        return body(source)
    }

    /// Returns no passphrase to OpenSSL, which would otherwise prompt on the terminal.
    static let noPassphrase:
        @convention(c) (
            UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
        ) -> Int32 = { _, _, _, _ in -1 }
}
