/// Network addresses and card numbers.
extension ScannedText {
    /// Four numbers up to 255. A preceding `v` or a fifth number makes it a version.
    func address4(at position: Int) -> MaskedPlace? {
        guard Octet.isDigit(bytes[position]) else { return nil }
        if let before = byte(before: position) {
            guard !Octet.isDigit(before), !Octet.isOneOf(before, "vV") else { return nil }
            if before == UInt8(ascii: "."), position >= 2, Octet.isDigit(bytes[position - 2]) { return nil }
        }
        guard let end = address4End(at: position) else { return nil }
        if let next = byte(at: end) {
            guard !Octet.isDigit(next) else { return nil }
            if next == UInt8(ascii: "."), let after = byte(at: end + 1), Octet.isDigit(after) { return nil }
        }
        return MaskedPlace(kind: .address, start: position, end: end)
    }

    private func address4End(at start: Int) -> Int? {
        var position = start
        for part in 0..<4 {
            if part > 0 {
                guard byte(at: position) == UInt8(ascii: ".") else { return nil }
                position += 1
            }
            let end = runEnd(from: position, most: 3, while: Octet.isDigit)
            guard end > position, bytes[position..<end].reduce(0, { $0 * 10 + Int($1 - 0x30) }) <= 255 else {
                return nil
            }
            position = end
        }
        return position
    }

    /// RFC 4291 section 2.2, with a zone, and hardware addresses (six pairs). Text such as `a::b` in source code counts
    /// as an address only if it contains a digit.
    func address6(at position: Int) -> MaskedPlace? {
        let byte = bytes[position]
        guard Octet.isHex(byte) || has("::", at: position) else { return nil }
        if let before = self.byte(before: position) {
            guard !Octet.isAlphanumeric(before), !Octet.isOneOf(before, ":_") else { return nil }
        }
        let run = runEnd(from: position, most: 46) { Octet.isHex($0) || Octet.isOneOf($0, ":.-") }
        var end = run
        while end > position, Octet.isOneOf(bytes[end - 1], ".-") || isSingleColon(before: end) { end -= 1 }
        guard end > position + 1, run - position < 46, !(self.byte(at: run).map(Octet.isAlphanumeric) ?? false) else {
            return nil
        }
        let candidate = bytes[position..<end]
        guard Self.isAddress6(candidate) || Self.isHardwareAddress(candidate) else { return nil }
        if self.byte(at: end) == UInt8(ascii: "%") { end = runEnd(from: end + 1, while: Octet.isToken) }
        return MaskedPlace(kind: .address, start: position, end: end)
    }

    private func isSingleColon(before end: Int) -> Bool {
        bytes[end - 1] == UInt8(ascii: ":") && !has("::", at: end - 2)
    }

    private static func isHardwareAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 17 else { return false }
        let separator = bytes[bytes.startIndex + 2]
        guard Octet.isOneOf(separator, ":-") else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            index % 3 == 2 ? byte == separator : Octet.isHex(byte)
        }
    }

    private static func isAddress6(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.contains(where: Octet.isDigit), !bytes.contains(UInt8(ascii: "-")) else { return false }
        var parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        // An empty part is the `::`; at either end, `::` yields two.
        if parts.count > 2, parts[0].isEmpty, parts[1].isEmpty { parts.removeFirst() }
        if parts.count > 2, parts[parts.count - 1].isEmpty, parts[parts.count - 2].isEmpty { parts.removeLast() }
        let gaps = parts.count { $0.isEmpty }
        guard parts.count >= 2, gaps <= 1 else { return false }
        var groups = parts.count - gaps
        if let last = parts.last, last.contains(UInt8(ascii: ".")) {
            let text = ScannedText(Array(last))
            guard text.address4End(at: 0) == last.count else { return false }
            parts.removeLast()
            groups += 1
        }
        guard parts.allSatisfy({ $0.isEmpty || ($0.count <= 4 && $0.allSatisfy(Octet.isHex)) }) else { return false }
        return gaps == 1 ? (1...7).contains(groups) : groups == 8
    }

    /// 13 to 19 digits, optionally separated by single blanks or hyphens, with a valid Luhn checksum (ISO/IEC 7812-1).
    func cardNumber(at position: Int) -> MaskedPlace? {
        guard Octet.isDigit(bytes[position]), !(byte(before: position).map(Octet.isToken) ?? false) else { return nil }
        var digits: [Int] = []
        var end = position
        while let byte = byte(at: end) {
            if Octet.isDigit(byte) {
                digits.append(Int(byte - 0x30))
            } else {
                guard Octet.isOneOf(byte, " -"), let next = self.byte(at: end + 1), Octet.isDigit(next) else { break }
            }
            end += 1
            guard digits.count <= 19 else { return nil }
        }
        guard digits.count >= 13, Self.passesLuhn(digits) else { return nil }
        return MaskedPlace(kind: .number, start: position, end: end)
    }

    private static func passesLuhn(_ digits: [Int]) -> Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let value = digit.offset.isMultiple(of: 2) ? digit.element : digit.element * 2
            return sum + (value > 9 ? value - 9 : value)
        }
        return sum.isMultiple(of: 10)
    }
}
