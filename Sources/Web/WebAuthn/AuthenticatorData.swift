/// Why what an authenticator sent is not accepted.
package enum WebAuthnError: Error, Sendable, Hashable {
    case cbor(CBORError)
    /// The authenticator data are shorter or longer than they say.
    case length
    /// Flags that contradict each other.
    case flags
    /// The key is of another kind, or its numbers have other lengths.
    case key
    /// The attestation object lacks a part.
    case attestation
}

/// What an authenticator signs (WebAuthn section 6.1).
package struct AuthenticatorData: Sendable, Hashable {
    package static let maximumCredentialIDBytes = 1023

    /// The new credential of a registration.
    package struct Credential: Sendable, Hashable {
        package let id: [UInt8]
        /// The key as it was sent, in COSE.
        package let keyBytes: [UInt8]
        package let key: COSEKey
    }

    /// SHA-256 of the relying party's id.
    package let relyingPartyHash: [UInt8]
    package let isUserPresent: Bool
    package let isUserVerified: Bool
    /// 0 if the authenticator does not count.
    package let signCount: UInt32
    package let credential: Credential?

    package init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard bytes.count >= 37 else { throw .length }
        relyingPartyHash = Array(bytes[0..<32])
        let flags = bytes[32]
        isUserPresent = flags & 0x01 != 0
        isUserVerified = flags & 0x04 != 0
        // A credential that is backed up must be one that can be.
        guard flags & 0x18 != 0x10 else { throw .flags }
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[37...]
        credential = flags & 0x40 == 0 ? nil : try Self.credential(&rest)
        if flags & 0x80 != 0 {
            // Extensions: none was asked for, so they are only skipped.
            guard case .map = try Self.value(&rest) else { throw .length }
        }
        guard rest.isEmpty else { throw .length }
    }

    private static func credential(_ rest: inout ArraySlice<UInt8>) throws(WebAuthnError) -> Credential {
        // 16 bytes name the model, two the length of the id.
        guard rest.count >= 18 else { throw .length }
        let count = Int(rest[rest.startIndex + 16]) << 8 | Int(rest[rest.startIndex + 17])
        rest = rest.dropFirst(18)
        guard (1...maximumCredentialIDBytes).contains(count), rest.count >= count else { throw .length }
        let id = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        let before = rest
        let value = try value(&rest)
        return Credential(id: id, keyBytes: Array(before[..<rest.startIndex]), key: try COSEKey(value))
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) throws(WebAuthnError) -> CBORValue {
        var reader = CBORReader(rest)
        do throws(CBORError) {
            let value = try reader.next()
            rest = reader.rest
            return value
        } catch {
            throw .cbor(error)
        }
    }

    /// The data inside an attestation object. Its statement is not read: none is asked for, and nothing is concluded
    /// from the model of an authenticator.
    package init(attestation bytes: [UInt8]) throws(WebAuthnError) {
        let object: CBORValue
        do throws(CBORError) { object = try CBORReader.read(bytes) } catch { throw .cbor(error) }
        guard object["fmt"]?.textValue != nil, object["attStmt"]?.pairs != nil,
            let data = object["authData"]?.bytesValue
        else { throw .attestation }
        try self.init(data)
    }
}

/// A public key in COSE (RFC 9053) of the two kinds that are accepted.
package enum COSEKey: Sendable, Hashable {
    /// ES256: a point of P-256, 32 bytes each.
    case es256(x: [UInt8], y: [UInt8])
    /// RS256: modulus and exponent, without leading zeros.
    case rs256(modulus: [UInt8], exponent: [UInt8])

    package init(_ value: CBORValue) throws(WebAuthnError) {
        switch (value[1]?.integerValue, value[3]?.integerValue) {
        case (2, -7):
            guard value[-1]?.integerValue == 1, let x = value[-2]?.bytesValue, let y = value[-3]?.bytesValue,
                x.count == 32, y.count == 32
            else { throw .key }
            self = .es256(x: x, y: y)
        case (3, -257):
            guard let modulus = value[-1]?.bytesValue, let exponent = value[-2]?.bytesValue,
                (256...512).contains(modulus.count), modulus[0] != 0, (1...4).contains(exponent.count),
                exponent[0] != 0
            else { throw .key }
            self = .rs256(modulus: modulus, exponent: exponent)
        default: throw .key
        }
    }

    /// Reads a key as it was stored.
    package init(bytes: [UInt8]) throws(WebAuthnError) {
        let value: CBORValue
        do throws(CBORError) { value = try CBORReader.read(bytes) } catch { throw .cbor(error) }
        try self.init(value)
    }
}
