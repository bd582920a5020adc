import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// Interprets an error of the URL loading system.
    init(loading error: any Error) {
        switch (error as? URLError)?.code {
        case .timedOut: self = .timedOut
        case .cannotConnectToHost: self = .unreachable(.nobodyListens)
        case .cannotFindHost, .dnsLookupFailed: self = .unreachable(.noSuchHost)
        case .notConnectedToInternet: self = .unreachable(.offline)
        // badServerResponse: the server sent nothing.
        case .networkConnectionLost, .badServerResponse: self = .unreachable(.cut)
        // The scheme of the request is always supported, so this concerns the response.
        case .unsupportedURL: self = .unreachable(.noHTTP)
        case .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData: self = .unreachable(.garbled)
        case .secureConnectionFailed: self = .unreachable(.noTLS)
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: self = .untrusted(.unknownAuthority)
        case .serverCertificateHasBadDate: self = .untrusted(.expired)
        case .serverCertificateNotYetValid: self = .untrusted(.notYetValid)
        case let code: self = Self.told((error as NSError).localizedDescription, code)
        }
    }

    /// FoundationNetworking has one code for all TLS errors and passes on the messages of libcurl, which include those of
    /// OpenSSL (X509_verify_cert_error_string) or GnuTLS in various versions.
    private static func told(_ text: String, _ code: URLError.Code?) -> TransportError {
        let certificates: [(String, CertificateFault)] = [
            ("certificate has expired", .expired), ("certificate is not yet valid", .notYetValid),
            ("certificate revoked", .revoked),
            ("self-signed certificate in certificate chain", .unknownAuthority),
            ("self signed certificate in certificate chain", .unknownAuthority),
            ("self-signed certificate", .selfSigned), ("self signed certificate", .selfSigned),
            ("alternative certificate subject name", .otherHost), ("does not match target host", .otherHost),
            ("SSL certificate problem", .unknownAuthority),
            ("certificate verification failed", .unknownAuthority),
        ]
        if let (_, fault) = certificates.first(where: { text.contains($0.0) }) { return .untrusted(fault) }
        let connections: [(String, ConnectionFault)] = [
            ("SSL_connect", .noTLS), ("wrong version number", .noTLS), ("packet length too long", .noTLS),
            ("gnutls_handshake", .noTLS), ("Connection reset", .cut), ("transfer closed", .cut), ("SSL_read", .cut),
            ("SSL_write", .cut), ("content unencoding", .garbled), ("chunked-encoding", .garbled),
            // libcurl reports this when the header of a response is too large.
            ("Out of memory", .garbled), ("Too large response headers", .garbled),
        ]
        if let (_, fault) = connections.first(where: { text.contains($0.0) }) { return .unreachable(fault) }
        guard let code, code != .unknown || text.isEmpty else {
            return .unreachable(.other(ClientError.line(text)))
        }
        return .unreachable(.other("network error \(code.rawValue)"))
    }
}
