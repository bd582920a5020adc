package import HTTPServer

/// The paths of certificate and key, and the fields that TLS adds to responses.
package struct TLSConfiguration: SecureTransport {
    /// PEM: the server's certificate first, then the chain to a root.
    package var certificatePath: String
    /// PEM, without a passphrase.
    package var keyPath: String
    package var strictTransportSeconds = 0

    package init(certificatePath: String, keyPath: String) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
    }

    package func contexts(_ count: Int) throws(TLSError) -> (contexts: [any SecureContext], expiresAt: Int) {
        try TLSContext.make(count, self)
    }
}
