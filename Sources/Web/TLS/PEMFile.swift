import CFileStatus
import COpenSSL
import Glibc
import HTTPServer

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
