import Crypto
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardContract
import SubGuardDomain

/// Tells batches that an app has signed from others. Which events were signed is stored with them.
///
/// A key in an app can be taken out of it. So a signature raises the cost of forging and tells builds apart; it proves no
/// device. A signed batch that is sent again counts once, as every batch does.
struct IngestSignatures: Sendable {
    enum Mode: String, CaseIterable {
        /// Signatures are not looked at.
        case off
        /// Signed batches are marked; others are accepted without a mark. A wrong signature is refused.
        case accept
        /// Only signed batches are accepted.
        case require
    }

    private let mode: Mode
    private let keys: [String: SymmetricKey]
    private let now: @Sendable () -> UTCInstant

    init(mode: Mode, keys: [IngestSigningKey], now: @escaping @Sendable () -> UTCInstant) {
        self.mode = mode
        self.keys = Dictionary(keys.map { ($0.name, SymmetricKey(data: $0.secret)) }) { first, _ in first }
        self.now = now
    }

    init(_ settings: Settings, now: @escaping @Sendable () -> UTCInstant) {
        self.init(
            mode: settings[\.ingestSignatures], keys: settings[\.ingestSigningKeys], now: now)
    }

    /// Refuses, before a body is read, what its signature's text alone shows to be refused. Throws 401.
    func requireForm(_ request: Request) throws(HTTPFailure) { _ = try signature(of: request) }

    /// The name of the key that the body was signed with; nil for one without a signature. Hashes the body as it was sent,
    /// so nothing is decompressed before. Throws 401.
    func signer(of request: Request) throws(HTTPFailure) -> String? {
        guard let (signature, key) = try signature(of: request) else { return nil }
        let input = IngestSignature.input(
            seconds: signature.seconds, bodyDigest: SHA256.hash(data: request.body))
        // Compares in constant time.
        guard HMAC<SHA256>.isValidAuthenticationCode(signature.code, authenticating: input, using: key) else {
            throw Self.refusal(.ingestSignatureInvalid, "The signature is not that of this body.")
        }
        return signature.key
    }

    private func signature(
        of request: Request
    ) throws(HTTPFailure) -> (signature: IngestSignature, key: SymmetricKey)? {
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
                "The time of the signature is more than \(IngestSignature.windowSeconds) seconds from the server's clock."
            )
        }
        return (signature, key)
    }

    private static func refusal(_ code: ProblemCode, _ detail: String) -> HTTPFailure {
        HTTPFailure(code, detail, fields: [.wwwAuthenticate: "SubGuard-Signature realm=\"subguard\""])
    }
}
