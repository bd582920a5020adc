import Cryptography

/// An authenticator in software: what a browser would send with one passkey.
package final class SoftAuthenticator {
    package enum Kind: CaseIterable, Sendable {
        case es256
        case rs256
    }

    package let credentialID: [UInt8]
    package var userHandle: [UInt8] = []
    package var signCount: UInt32 = 0
    /// 1: user present, 4: user verified.
    package var flags: UInt8 = 5
    private let kind: Kind
    private let key: TestKey

    package init(_ kind: Kind, credentialID: [UInt8] = Array(repeating: 7, count: 16)) throws {
        self.credentialID = credentialID
        self.kind = kind
        key = try TestKey(kind == .es256 ? .p256 : .rsa2048)
    }

    /// The public key in COSE.
    package func publicKey() throws -> [UInt8] {
        switch kind {
        case .es256:
            let point = try key.point()
            return [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32] + point.x + [0x22, 0x58, 32] + point.y
        case .rs256:
            let numbers = try key.numbers()
            return [0xA4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0] + numbers.modulus + [
                0x21, 0x40 | UInt8(numbers.exponent.count),
            ] + numbers.exponent
        }
    }

    package static func clientData(
        _ type: String, challenge: String, origin: String, crossOrigin: Bool = false
    ) -> [UInt8] {
        Array(
            """
            {"type":"\(type)","challenge":"\(challenge)","origin":"\(origin)","crossOrigin":\(crossOrigin)}
            """.utf8)
    }

    /// Authenticator data, with the credential for a registration.
    package func data(_ party: String, isNew: Bool = false) throws -> [UInt8] {
        let head =
            SHA256.hash(of: party.utf8) + [flags | (isNew ? 0x40 : 0)]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: signCount >> $0) }
        guard isNew else { return head }
        let size = credentialID.count
        return head + Array(repeating: 0, count: 16) + [UInt8(size >> 8), UInt8(size & 0xFF)] + credentialID
            + (try publicKey())
    }

    package func attestation(_ party: String) throws -> [UInt8] {
        let data = try data(party, isNew: true)
        return [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8)
            + [0xA0, 0x68] + Array("authData".utf8) + [0x59, UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data
    }

    package func signature(of data: [UInt8], _ clientData: [UInt8]) throws -> [UInt8] {
        try key.signature(of: data + SHA256.hash(of: clientData))
    }
}
