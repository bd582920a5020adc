import Cryptography
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardContract
import SubGuardDomain

/// Verifies the signatures of batches. The name of the key is stored with the events.
///
/// A key can be extracted from an app. A signature therefore raises the cost of forgery and distinguishes builds, but
/// does not authenticate a device. A repeated signed batch counts once, like any batch.
struct IngestSignatures: Sendable {
    enum Mode: String, CaseIterable {
        /// Signatures are ignored.
        case off
        /// Signed batches are marked; unsigned ones are accepted without a mark. An invalid signature is rejected.
        case accept
        /// Only signed batches are accepted.
        case require
    }

    private let mode: Mode
    private let keys: [String: HMACKey]
    private let now: @Sendable () -> UTCInstant

    init(mode: Mode, keys: [IngestSigningKey], now: @escaping @Sendable () -> UTCInstant) {
        self.mode = mode
        self.keys = Dictionary(keys.map { ($0.name, HMACKey($0.secret)) }) { first, _ in first }
        self.now = now
    }

    init(_ settings: Settings, now: @escaping @Sendable () -> UTCInstant) {
        self.init(
            mode: settings[\.ingestSignatures], keys: settings[\.ingestSigningKeys], now: now)
    }

    /// Rejects, before the body is read, a signature that is missing but required, malformed, expired or made with an
    /// unknown key. Throws 401.
    func requireForm(_ request: Request) throws(HTTPFailure) { _ = try signature(of: request) }

    /// The name of the key that signed the body; nil for an unsigned body. Hashes the body as sent, before any
    /// decompression. Throws 401.
    func signer(of request: Request) throws(HTTPFailure) -> String? {
        guard let (signature, key) = try signature(of: request) else { return nil }
        let input = IngestSignature.input(
            seconds: signature.seconds, bodyDigest: SHA256.hash(of: request.body))
        // Compares in constant time.
        guard key.isValid(signature.code, for: input) else {
            throw Self.refusal(.ingestSignatureInvalid, "The signature is not that of this body.")
        }
        return signature.key
    }

    private func signature(
        of request: Request
    ) throws(HTTPFailure) -> (signature: IngestSignature, key: HMACKey)? {
        guard mode != .off else { return nil }
        let values = request.head.values(of: .subguardSignature)
        guard let value = values.first else {
            guard mode == .require else { return nil }
            throw Self.refusal(.ingestSignatureRequired, "This server accepts signed batches only.")
        }
        guard values.count == 1, let signature = IngestSignature(value) else {
            throw Self.refusal(
                .ingestSignatureInvalid, "SubGuard-Signature must be sent once, as key=NAME, t=SECONDS, v1=HEX.")
        }
        guard let key = keys[signature.key] else {
            throw Self.refusal(.ingestSignatureInvalid, "The key of the signature is unknown or was withdrawn.")
        }
        guard abs(signature.seconds - now().secondsSinceEpoch) <= IngestSignature.windowSeconds else {
            throw Self.refusal(
                .ingestSignatureExpired,
                """
                The time of the signature is more than \(IngestSignature.windowSeconds) seconds from the server's clock.
                """
            )
        }
        return (signature, key)
    }

    private static func refusal(_ code: ProblemCode, _ detail: Sentence) -> HTTPFailure {
        HTTPFailure(code, detail, fields: [.wwwAuthenticate: "SubGuard-Signature realm=\"subguard\""])
    }
}
