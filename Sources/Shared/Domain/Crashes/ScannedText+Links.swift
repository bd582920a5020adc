/// Parts of links, paths and mail addresses.
extension ScannedText {
    /// `?name=…` and `#name=…` anywhere, and everything after a `?` in a link.
    func query(at position: Int, isInLink: Bool) -> MaskedPlace? {
        guard let before = byte(before: position), !Octet.isBlank(before) || isInLink else { return nil }
        let start = position + 1
        let name = runEnd(from: start) { Octet.isToken($0) || Octet.isOneOf($0, ".~%[]") }
        let hasName = name > start && byte(at: name) == UInt8(ascii: "=")
        guard hasName || (isInLink && bytes[position] == UInt8(ascii: "?")), !isMark(.query, at: start) else {
            return nil
        }
        let end = runEnd(from: start) { !Octet.isBlank($0) }
        return end > start ? MaskedPlace(kind: .query, start: start, end: end) : nil
    }

    /// `scheme://user:password@host`.
    func userInLink(at position: Int) -> MaskedPlace? {
        guard has("//", at: position - 2), byte(before: position - 2) == UInt8(ascii: ":"),
            !isMark(.token, at: position)
        else { return nil }
        let end = runEnd(from: position, most: 512) { !Octet.isBlank($0) && !Octet.isOneOf($0, "/?#") }
        guard let at = bytes[position..<end].lastIndex(of: UInt8(ascii: "@")), at > position else { return nil }
        return MaskedPlace(kind: .token, start: position, end: at)
    }

    /// The name after `/Users/`, `/home/` or `\Users\`, up to the next separator; it may contain blanks. Without a
    /// separator it is one word.
    func homeDirectory(at position: Int) -> MaskedPlace? {
        guard let before = byte(before: position), before == UInt8(ascii: "/") || before == UInt8(ascii: "\\"),
            hasFolded("/users/", at: position - 7) || hasFolded("\\users\\", at: position - 7)
                || hasFolded("/home/", at: position - 6) || hasFolded("\\\\users\\\\", at: position - 9),
            !isMark(.user, at: position)
        else { return nil }
        func isSeparator(_ byte: UInt8) -> Bool { Octet.isOneOf(byte, "/\\:\"'\n\r<>") }
        var end = runEnd(from: position, most: 64) { !isSeparator($0) }
        if byte(at: end).map({ $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) != true {
            end = runEnd(from: position) { !Octet.isBlank($0) && !isSeparator($0) }
        }
        return end > position ? MaskedPlace(kind: .user, start: position, end: end) : nil
    }

    /// `local@domain.tld`, also with `%40` or with an IP address in brackets.
    func email(at position: Int) -> MaskedPlace? {
        func isLocal(_ byte: UInt8) -> Bool { Octet.isToken(byte) || byte >= 0x80 || Octet.isOneOf(byte, ".%+!$&*=~") }
        guard isLocal(bytes[position]), !(byte(before: position).map(isLocal) ?? false) else { return nil }
        let local = runEnd(from: position, while: isLocal)
        if byte(at: local) == UInt8(ascii: "@"), let end = domainEnd(local + 1) {
            return MaskedPlace(kind: .email, start: position, end: end)
        }
        guard let sign = (position..<local).first(where: { hasFolded("%40", at: $0) }), sign > position,
            let end = domainEnd(sign + 3)
        else { return nil }
        return MaskedPlace(kind: .email, start: position, end: end)
    }

    /// The end of the domain that begins here: two or more labels, the last one of two characters or more with a
    /// letter; or an IP address in brackets. Labels behind such a one are left, as in `a@b.example.1`.
    private func domainEnd(_ start: Int) -> Int? {
        if byte(at: start) == UInt8(ascii: "[") {
            let end = runEnd(from: start + 1, most: 64) { Octet.isHex($0) || Octet.isOneOf($0, ".:IPv") }
            return byte(at: end) == UInt8(ascii: "]") && end > start + 1 ? end + 1 : nil
        }
        func isDomain(_ byte: UInt8) -> Bool {
            Octet.isAlphanumeric(byte) || byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
        var end = runEnd(from: start, while: isDomain)
        while true {
            while end > start, Octet.isOneOf(bytes[end - 1], ".-") { end -= 1 }
            guard let dot = bytes[start..<end].lastIndex(of: UInt8(ascii: ".")), dot > start else { return nil }
            let last = bytes[(dot + 1)..<end]
            if last.count >= 2, last.contains(where: { Octet.isLetter($0) || $0 >= 0x80 }) { return end }
            end = dot
        }
    }
}
