#if !canImport(CryptoKit)
    import CCrypto

    /// An X.509 certificate (RFC 5280), read only.
    ///
    // proof: the certificate is parsed completely in `init` and only read afterwards; OpenSSL locks what it caches in
    // it.
    package final class Certificate: @unchecked Sendable {
        let handle: OpaquePointer
        /// The bytes that it was read from.
        package let der: [UInt8]

        /// By RFC 5280 section 4.1.2.2.
        private static let maximumSerialBytes: Int32 = 20
        private static let maximumPEMBytes = 1 << 20

        /// Nil unless the bytes are one certificate in DER and nothing else.
        package init?(der: [UInt8]) {
            let handle = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var position = bytes.baseAddress
                let end = bytes.baseAddress.map { $0 + bytes.count }
                guard let handle = d2i_X509(nil, &position, bytes.count) else { return nil }
                guard position == end else {
                    X509_free(handle)
                    return nil
                }
                return handle
            }
            ERR_clear_error()
            guard let handle else { return nil }
            self.handle = handle
            self.der = der
            guard isDistinguished else { return nil }
        }

        /// Whether the bytes are its only encoding in DER: libcrypto reads other forms of BER as well.
        private var isDistinguished: Bool {
            guard let copy = X509_dup(handle) else { return false }
            defer { X509_free(copy) }
            // A copy encodes its signed part from the bytes that it was read from, unless it is told not to.
            var part: UnsafeMutablePointer<UInt8>?
            guard i2d_re_X509_tbs(copy, &part) > 0 else { return false }
            subguard_free(part)
            var whole: UnsafeMutablePointer<UInt8>?
            let count = Int(i2d_X509(copy, &whole))
            defer { subguard_free(whole) }
            return count == der.count && UnsafeBufferPointer(start: whole, count: count).elementsEqual(der)
        }

        deinit { X509_free(handle) }

        /// The certificates of a PEM text; nil without one, or if the text has anything else between its markers.
        package static func all(inPEM text: String) -> [Certificate]? {
            let bytes = Array(text.utf8)
            guard bytes.count <= maximumPEMBytes, let source = BIO_new_mem_buf(bytes, Int32(bytes.count)) else {
                return nil
            }
            defer {
                BIO_free(source)
                ERR_clear_error()
            }
            var found: [Certificate] = []
            while true {
                var name: UnsafeMutablePointer<CChar>?
                var header: UnsafeMutablePointer<CChar>?
                var content: UnsafeMutablePointer<UInt8>?
                var count = 0
                guard PEM_read_bio(source, &name, &header, &content, &count) == 1 else { break }
                defer {
                    subguard_free(name)
                    subguard_free(header)
                    subguard_free(content)
                }
                guard let name, String(cString: name) == "CERTIFICATE", let header, header.pointee == 0, let content,
                    let certificate = Certificate(der: Array(UnsafeBufferPointer(start: content, count: count)))
                else { return nil }
                found.append(certificate)
            }
            // The text ended between two certificates, not within one.
            guard subguard_error_reason(ERR_peek_last_error()) == PEM_R_NO_START_LINE else { return nil }
            return found.isEmpty ? nil : found
        }

        /// The first and the last second of its validity, in seconds since 1970. Nil for a date that does not exist.
        package var validity: ClosedRange<Int64>? {
            guard let first = Self.seconds(X509_get0_notBefore(handle)),
                let last = Self.seconds(X509_get0_notAfter(handle)), first <= last
            else { return nil }
            return first...last
        }

        private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
            var parts = tm()
            guard ASN1_TIME_to_tm(time, &parts) == 1 else {
                ERR_clear_error()
                return nil
            }
            return Int64(timegm(&parts))
        }

        /// Nil if its key is not one on P-256.
        package var p256Key: P256PublicKey? {
            defer { ERR_clear_error() }
            return PublicKey(X509_get_pubkey(handle)).flatMap(P256PublicKey.init)
        }

        // MARK: Rules for members of a chain

        var isVersion3: Bool { X509_get_version(handle) == 2 }

        /// Whether the serial number is as long as RFC 5280 allows.
        var hasUsualSerial: Bool {
            ASN1_STRING_length(X509_get0_serialNumber(handle)) <= Self.maximumSerialBytes
        }

        /// The object identifiers of its extensions, in order, with the mark that they must be understood.
        var extensions: [(identifier: String, isCritical: Bool)] {
            (0..<X509_get_ext_count(handle)).map { index in
                let found = X509_get_ext(handle, index)
                var text = [CChar](repeating: 0, count: 128)
                let count = OBJ_obj2txt(&text, Int32(text.count), X509_EXTENSION_get_object(found), 1)
                let name = text.prefix(max(0, min(Int(count), text.count - 1))).map { UInt8(bitPattern: $0) }
                return (String(decoding: name, as: UTF8.self), X509_EXTENSION_get_critical(found) != 0)
            }
        }

        /// Whether it may sign certificates, with at most `issuersBelow` further authorities between it and the leaf.
        func isAuthority(issuersBelow: Int) -> Bool {
            let flags = X509_get_extension_flags(handle)
            guard flags & UInt32(EXFLAG_INVALID) == 0, flags & UInt32(EXFLAG_BCONS) != 0, flags & UInt32(EXFLAG_CA) != 0
            else { return false }
            let length = X509_get_pathlen(handle)
            return length < 0 || length >= issuersBelow
        }

        /// Whether its key may be used this way: also without an extension that limits its use.
        func mayUseKey(for usage: Int32) -> Bool {
            // Every bit is set without the extension.
            X509_get_key_usage(handle) & UInt32(usage) != 0
        }

        /// Whether an extension cannot be read.
        var isInvalid: Bool { X509_get_extension_flags(handle) & UInt32(EXFLAG_INVALID) != 0 }
    }
#endif
