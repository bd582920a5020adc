import Crypto
import EventLog

extension UserHash {
    init(_ digest: SHA256.Digest) {
        // A digest of SHA-256 has 32 bytes.
        self = digest.withUnsafeBytes { UserHash(checked: $0) }
    }
}
