#if !os(Linux)
    import Foundation

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
            case let code?: self = .unreachable(.other("network error \(code.rawValue)"))
            case nil: self = .unreachable(.other(ClientError.line(error.localizedDescription)))
            }
        }
    }
#endif
