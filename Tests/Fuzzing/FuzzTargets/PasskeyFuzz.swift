import WebAuthn

/// Input: one byte for the kind, then CBOR, authenticator data or an attestation object.
enum PasskeyFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst())
        switch first % 3 {
        case 0: try value(bytes)
        case 1: if let data = try? AuthenticatorData(bytes) { try check(data, bytes) }
        default:
            guard let data = try? AuthenticatorData(attestation: bytes) else { return }
            let inner = (try? CBORReader.read(bytes))?["authData"]?.bytesValue
            try check(data, inner ?? [])
        }
    }

    private static func value(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let value = try? CBORReader.read(bytes) else { return }
        var count = 0
        try measure(value, depth: 1, &count)
        try hold(count <= CBORReader.maximumValues, "more values than allowed")
        let written = write(value)
        try hold(written.count <= bytes.count, "the shortest form is longer than the input")
        try hold((try? CBORReader.read(written)) == value, "written again, it reads as something else")
        for end in 0..<min(written.count, 64) {
            try hold((try? CBORReader.read(Array(written[..<end]))) == nil, "a part reads as the whole")
        }
        if let key = try? COSEKey(value) { try check(key) }
    }

    private static func measure(_ value: CBORValue, depth: Int, _ count: inout Int) throws(BrokenPromise) {
        count += 1
        try hold(depth <= CBORReader.maximumDepth, "deeper than allowed")
        switch value {
        case .array(let elements):
            for element in elements { try measure(element, depth: depth + 1, &count) }
        case .map(let pairs):
            try hold(Set(pairs.map(\.key)).count == pairs.count, "a key occurs twice")
            for pair in pairs {
                try measure(pair.key, depth: depth + 1, &count)
                try measure(pair.value, depth: depth + 1, &count)
            }
        default: return
        }
    }

    private static func check(_ data: AuthenticatorData, _ bytes: [UInt8]) throws(BrokenPromise) {
        try hold(bytes.starts(with: data.relyingPartyHash) && data.relyingPartyHash.count == 32, "another hash")
        try hold(data.isUserPresent == (bytes[32] & 1 == 1), "another flag")
        guard let credential = data.credential else { return }
        try hold(
            (1...AuthenticatorData.maximumCredentialIDBytes).contains(credential.id.count), "an id outside the bounds")
        let head = 55 + credential.id.count
        try hold(Array(bytes[55..<head]) == credential.id, "another id")
        try hold(bytes[head...].starts(with: credential.keyBytes), "another key")
        try hold((try? COSEKey(bytes: credential.keyBytes)) == credential.key, "the stored key reads as another")
        try check(credential.key)
    }

    private static func check(_ key: COSEKey) throws(BrokenPromise) {
        switch key {
        case .es256(let x, let y): try hold(x.count == 32 && y.count == 32, "a point outside the bounds")
        case .rs256(let modulus, let exponent):
            try hold(
                (256...512).contains(modulus.count) && (1...4).contains(exponent.count), "a key outside the bounds")
        }
    }

    // MARK: A writer of the shortest form

    private static func write(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap(write)
        case .map(let pairs): head(5, UInt64(pairs.count)) + pairs.flatMap { write($0.key) + write($0.value) }
        case .bool(let isTrue): [isTrue ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    private static func head(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
        let size: (code: UInt8, bytes: Int) =
            switch number {
            case 0..<24: (UInt8(number), 0)
            case ...0xFF: (24, 1)
            case ...0xFFFF: (25, 2)
            case ...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        return [kind << 5 | size.code]
            + (0..<size.bytes).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}
