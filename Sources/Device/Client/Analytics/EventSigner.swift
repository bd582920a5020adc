import Cryptography
import Foundation
import SubGuardContract
import SubGuardDomain

/// Signs event batches with a key shared by the app and the server.
///
/// The key is part of the app, so a signature does not prove a device; it makes forging batches harder.
public struct EventSigner: Sendable, Hashable {
    private let key: IngestSigningKey
    /// How many seconds the server's clock is ahead.
    private var offset: Int64 = 0

    /// - Parameter text: `name:base64` with a secret of 16 to 64 bytes; nil when malformed.
    public init?(_ text: String) {
        guard let key = IngestSigningKey(text) else { return nil }
        self.key = key
    }

    /// The header field for a request body.
    func field(for body: [UInt8], at now: UTCInstant) -> (name: String, value: String) {
        let seconds = now.secondsSinceEpoch + offset
        let input = IngestSignature.input(seconds: seconds, bodyDigest: SHA256.hash(of: body))
        let signature = IngestSignature(
            key: key.name, seconds: seconds, code: HMACKey(key.secret).code(for: input))
        return (IngestSignature.fieldName, signature.text)
    }

    /// A signer adjusted to the server's clock: `date` is the header field of a response received at `now`. Nil when it
    /// cannot be parsed.
    func following(_ date: String?, at now: UTCInstant) -> EventSigner? {
        guard let ahead = date.flatMap({ RetryAfter.secondsAhead(of: $0, now: now.secondsSinceEpoch) }) else {
            return nil
        }
        var signer = self
        signer.offset = ahead
        return signer
    }
}
