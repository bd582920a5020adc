/// Keys, passwords and ids.
extension ScannedText {
    /// Prefixes of secrets issued by well-known services.
    private static let beginnings: [StaticString] = [
        "eyJ", "sk_", "pk_", "rk_", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxa-",
        "xoxb-", "xoxp-", "xoxs-", "xapp-", "AKIA", "ASIA", "AIza", "ya29.", "npm_", "pypi-", "SG.", "phc_", "phx_",
        "sgt_", "hf_", "shpat_", "whsec_", "dop_v1_",
    ]
    /// Suffixes of a name whose value is secret.
    private static let secretNames: [StaticString] = [
        "password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api-key", "access_key",
        "access-key", "private_key", "authorization", "cookie", "credential", "credentials", "jwt", "session_id",
        "sessionid", "signature", "nonce",
    ]
    private static let schemes: [StaticString] = ["bearer", "basic", "token", "digest"]

    /// A secret with a known prefix and at least 12 bytes after it.
    func knownToken(at position: Int) -> MaskedPlace? {
        guard Octet.isLetter(bytes[position]), !(byte(before: position).map(Octet.isAlphanumeric) ?? false),
            let beginning = Self.beginnings.first(where: { has($0, at: position) })
        else { return nil }
        let start = position + beginning.utf8CodeUnitCount
        let end = runEnd(from: start) { Octet.isToken($0) || Octet.isOneOf($0, ".+/=") }
        return end - start >= 12 ? MaskedPlace(kind: .token, start: position, end: end) : nil
    }

    /// `password=…`, `"api_key": "…"`, `Authorization: Bearer …`, and `Bearer …` alone.
    func credential(at position: Int) -> MaskedPlace? {
        guard beginsToken(position) else { return nil }
        let name = runEnd(from: position, most: 64, while: Octet.isToken)
        if let scheme = Self.schemes.first(where: { hasFolded($0, at: position) }),
            position + scheme.utf8CodeUnitCount == name, let place = valueOfScheme(behind: name)
        {
            return place
        }
        guard Self.secretNames.contains(where: { hasFolded($0, at: name - $0.utf8CodeUnitCount) }) else { return nil }
        var value = runEnd(from: name, most: 2) { Octet.isOneOf($0, "\"' ") }
        guard let sign = byte(at: value), Octet.isOneOf(sign, ":=") else { return nil }
        value = runEnd(from: value + 1, most: 3) { Octet.isOneOf($0, "\"' ") }
        for scheme in Self.schemes where hasFolded(scheme, at: value) {
            let behind = value + scheme.utf8CodeUnitCount
            if byte(at: behind) == UInt8(ascii: " ") { value = runEnd(from: behind) { $0 == UInt8(ascii: " ") } }
        }
        guard !isMark(.token, at: value) else { return nil }
        let end = runEnd(from: value) { !Octet.isBlank($0) && !Octet.isOneOf($0, ",;&)}]") }
        return end > value ? MaskedPlace(kind: .token, start: value, end: end) : nil
    }

    /// The value after `Bearer `: at least 8 bytes with a digit, or long; other words are prose.
    private func valueOfScheme(behind name: Int) -> MaskedPlace? {
        guard byte(at: name) == UInt8(ascii: " ") else { return nil }
        let start = runEnd(from: name) { $0 == UInt8(ascii: " ") }
        let end = runEnd(from: start) { Octet.isToken($0) || Octet.isOneOf($0, ".+/=~") }
        let isSecret = end - start >= 24 || (end - start >= 8 && bytes[start..<end].contains(where: Octet.isDigit))
        return isSecret ? MaskedPlace(kind: .token, start: start, end: end) : nil
    }

    /// A UUID, which may identify a device, or at least 32 hexadecimal digits.
    func identifier(at position: Int) -> MaskedPlace? {
        guard Octet.isHex(bytes[position]), !(byte(before: position).map(Octet.isAlphanumeric) ?? false) else {
            return nil
        }
        var end = position
        for (index, length) in [8, 4, 4, 4, 12].enumerated() {
            if index > 0 {
                guard byte(at: end) == UInt8(ascii: "-") else { return hexadecimal(at: position) }
                end += 1
            }
            let next = runEnd(from: end, most: length, while: Octet.isHex)
            guard next == end + length else { return hexadecimal(at: position) }
            end = next
        }
        return MaskedPlace(kind: .token, start: position, end: end)
    }

    private func hexadecimal(at position: Int) -> MaskedPlace? {
        let end = runEnd(from: position, while: Octet.isHex)
        guard end - position >= 32, !(byte(at: end).map(Octet.isAlphanumeric) ?? false) else { return nil }
        return MaskedPlace(kind: .token, start: position, end: end)
    }

    /// A random-looking word: at least 24 bytes of mixed case with digits, or at least 32 of letters and digits.
    mutating func unknownToken(at position: Int) -> MaskedPlace? {
        guard position >= plainWordEnd, beginsToken(position) else { return nil }
        let end = runEnd(from: position) { Octet.isToken($0) || Octet.isOneOf($0, "+=") }
        plainWordEnd = end
        guard end - position >= 24 else { return nil }
        let word = bytes[position..<end]
        let digits = word.count(where: Octet.isDigit)
        let uppers = word.count(where: Octet.isUpper)
        let lowers = word.count(where: Octet.isLower)
        let isMixed = digits >= 2 && uppers >= 2 && lowers >= 2
        return isMixed || (word.count >= 32 && digits >= 4 && uppers + lowers >= 4)
            ? MaskedPlace(kind: .token, start: position, end: end) : nil
    }
}
