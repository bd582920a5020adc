import Crypto
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What may be used once, on all servers of a store together: its primary key decides.
enum SpentProofs {
    /// `kind` keeps a nonce from standing for a token.
    static func hash(_ kind: StaticString, _ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: kind.withUTF8Buffer { Array($0) } + [0])
        hash.update(data: bytes)
        return Array(hash.finalize())
    }

    /// Returns false when it was spent before.
    static func spend(
        _ proof: [UInt8], until expiresAt: UTCInstant, in transaction: any SQLTransaction
    ) throws -> Bool {
        try transaction.execute(
            "INSERT INTO spent_proofs (proof_hash, expires_at) VALUES (?, ?) ON CONFLICT (proof_hash) DO NOTHING",
            [.blob(proof), .instant(expiresAt)]) == 1
    }
}
