#if !canImport(CryptoKit)
    import CCrypto

    /// Rules for a chain of exactly three certificates under a pinned root, and its verification by libcrypto.
    package struct CertificateChain {
        /// Why a chain is not valid. For the log; the words are fixed or OpenSSL's.
        package struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
            package let description: String
        }

        private static let basicConstraints = "2.5.29.19"
        private static let keyUsage = "2.5.29.15"
        private static let nameConstraints = "2.5.29.30"

        /// Leaf, intermediate, root.
        private let certificates: [Certificate]

        /// Throws if there are not three certificates in DER.
        package init(der chain: [[UInt8]]) throws(Refusal) {
            let certificates = chain.compactMap(Certificate.init(der:))
            guard chain.count == 3, certificates.count == 3 else {
                throw Refusal(description: "not three certificates")
            }
            self.certificates = certificates
        }

        /// The seconds since 1970 at which all three are valid. Libcrypto counts the last second of a certificate as
        /// expired.
        package func validity() throws(Refusal) -> ClosedRange<Int64> {
            let ranges = certificates.compactMap(\.validity)
            guard ranges.count == certificates.count, let first = ranges.map(\.lowerBound).max(),
                let last = ranges.map(\.upperBound).min(), first < last
            else { throw Refusal(description: "never valid together") }
            return first...last - 1
        }

        /// The leaf's key. Throws if it is not one on P-256.
        package func leafKey() throws(Refusal) -> P256PublicKey {
            guard let key = certificates[0].p256Key else { throw Refusal(description: "the key is not on P-256") }
            return key
        }

        /// Verifies signatures, names, validity, constraints, key usage and marks. The root is trusted: pin it before.
        ///
        /// - Parameters:
        ///   - seconds: the time of the verification, since 1970.
        ///   - marks: identifiers of extensions that the leaf and the intermediate must have.
        package func verify(at seconds: Int64, marks: (leaf: String, intermediate: String)) throws(Refusal) {
            try checkExtensions(marks)
            guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new(),
                let untrusted = subguard_certificates_new()
            else { Libcrypto.outOfMemory("verify a chain") }
            defer {
                X509_STORE_CTX_free(context)
                X509_STORE_free(store)
                subguard_certificates_free(untrusted)
                ERR_clear_error()
            }
            guard X509_STORE_add_cert(store, certificates[2].handle) == 1,
                subguard_certificates_push(untrusted, certificates[1].handle) > 0,
                X509_STORE_CTX_init(context, store, certificates[0].handle, untrusted) == 1,
                let parameters = X509_STORE_CTX_get0_param(context)
            else { Libcrypto.outOfMemory("verify a chain") }
            // One certificate between leaf and root.
            X509_VERIFY_PARAM_set_depth(parameters, 1)
            // No SHA-1, no RSA key under 2048 bits.
            X509_VERIFY_PARAM_set_auth_level(parameters, 2)
            // The pinned root is trusted whether or not it signs itself.
            X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
            X509_STORE_CTX_set_time(context, 0, time_t(seconds))
            guard X509_verify_cert(context) == 1 else {
                let reason = X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context)))
                throw Refusal(description: reason.map { String(cString: $0) } ?? "not valid")
            }
            let found = X509_STORE_CTX_get0_chain(context)
            guard subguard_certificates_count(found) == 3,
                (0..<3).allSatisfy({
                    X509_cmp(subguard_certificates_at(found, Int32($0)), certificates[$0].handle) == 0
                })
            else { throw Refusal(description: "another path leads to the root") }
        }

        /// What libcrypto does not demand of every chain (RFC 5280, 4.1.2.2, 4.2, 4.2.1.3, 4.2.1.9 and 4.2.1.10).
        private func checkExtensions(_ marks: (leaf: String, intermediate: String)) throws(Refusal) {
            func demand(_ holds: Bool, _ reason: String) throws(Refusal) {
                if !holds { throw Refusal(description: reason) }
            }
            for certificate in certificates {
                let extensions = certificate.extensions
                let names = extensions.map(\.identifier)
                try demand(certificate.isVersion3, "not of version 3")
                try demand(certificate.hasUsualSerial, "a serial number of more than 20 bytes")
                try demand(!certificate.isInvalid, "an extension cannot be read")
                try demand(Set(names).count == names.count, "an extension is repeated")
                try demand(!names.contains(Self.nameConstraints), "a certificate constrains names")
                let understood = [Self.basicConstraints, Self.keyUsage]
                try demand(
                    extensions.allSatisfy { !$0.isCritical || understood.contains($0.identifier) },
                    "an unknown extension is critical")
            }
            for (issuersBelow, issuer) in certificates.dropFirst().enumerated() {
                try demand(
                    issuer.isAuthority(issuersBelow: issuersBelow),
                    "an issuer is no authority, or for a shorter chain only")
                try demand(issuer.mayUseKey(for: KU_KEY_CERT_SIGN), "an issuer may not sign certificates")
            }
            try demand(certificates[0].mayUseKey(for: KU_DIGITAL_SIGNATURE), "the key may not sign messages")
            for (certificate, mark) in zip(certificates, [marks.leaf, marks.intermediate]) {
                try demand(certificate.extensions.contains { $0.identifier == mark }, "a mark is missing")
            }
        }
    }
#endif
