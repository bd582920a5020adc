import Crypto
import Foundation
import SubGuardContract
import SubGuardDomain

/// Signs batches of events with a key that the app's maker shares with the server.
///
/// The key ships with the app, so it proves no device; it makes forged batches dearer and tells builds apart.
public struct EventSigner: Sendable, Hashable {
    private let key: IngestSigningKey
    /// How far the server's clock is ahead, in seconds.
    private var offset: Int64 = 0

    /// - Parameter text: `name:base64` with a secret of 16 to 64 bytes. Nil for anything else.
    public init?(_ text: String) {
        guard let key = IngestSigningKey(text) else { return nil }
        self.key = key
    }

    /// The field for a body as it is sent.
    func field(for body: [UInt8], at now: UTCInstant) -> (name: String, value: String) {
        let seconds = now.secondsSinceEpoch + offset
        let input = IngestSignature.input(seconds: seconds, bodyDigest: SHA256.hash(data: body))
        let code = HMAC<SHA256>.authenticationCode(for: input, using: SymmetricKey(data: key.secret))
        let signature = IngestSignature(key: key.name, seconds: seconds, code: Array(code))
        return (IngestSignature.fieldName, signature.text)
    }

    /// The same for a server whose clock showed `date`, the field of an answer, at `now`. Nil when it cannot be read.
    func following(_ date: String?, at now: UTCInstant) -> EventSigner? {
        guard let ahead = date.flatMap({ RetryAfter.secondsAhead(of: $0, now: now.secondsSinceEpoch) }) else {
            return nil
        }
        var signer = self
        signer.offset = ahead
        return signer
    }
}
