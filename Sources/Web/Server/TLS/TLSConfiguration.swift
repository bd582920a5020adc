/// Where certificate and key lie, and what a server that speaks TLS adds to its answers.
package struct TLSConfiguration: Sendable {
    /// PEM: the server's certificate first, then those that lead from it to a root.
    package var certificatePath: String
    /// PEM, without a passphrase.
    package var keyPath: String
    /// For how long browsers shall come by TLS only (RFC 6797); 0 says nothing about it.
    package var strictTransportSeconds = 0

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }
}

/// Why a certificate and its key cannot be used. Never says what is in the key's file.
package struct TLSError: Error, Sendable, CustomStringConvertible {
    package enum Part: Sendable {
        case certificate, key
    }

    package let part: Part
    package let path: String
    package let reason: String

    package var description: String { "\(path) \(reason)" }
}
