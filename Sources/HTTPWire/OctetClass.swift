/// What an octet may be part of, looked up in one table: the parser asks this for every byte that it reads.
struct OctetClass: OptionSet {
    let rawValue: UInt8

    /// RFC 9110 section 5.6.2: tchar.
    static let token = OctetClass(rawValue: 1)
    /// RFC 9110 section 5.5: field-vchar, SP and HTAB.
    static let fieldValue = OctetClass(rawValue: 2)
    /// RFC 3986: what may stand in a path or query, `%` included.
    static let target = OctetClass(rawValue: 4)
    static let hexDigit = OctetClass(rawValue: 8)
    static let digit = OctetClass(rawValue: 16)
    /// RFC 3986 section 3.2.2: reg-name and port characters, without brackets and `%`.
    static let host = OctetClass(rawValue: 32)

    @inline(__always)
    static func of(_ octet: UInt8) -> OctetClass { OctetClass(rawValue: table[Int(octet)]) }

    private static let table: [UInt8] = {
        var table = [UInt8](repeating: 0, count: 256)
        func mark(_ octets: some Sequence<UInt8>, _ kind: OctetClass) {
            for octet in octets { table[Int(octet)] |= kind.rawValue }
        }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let lower = UInt8(ascii: "a")...UInt8(ascii: "z")
        for kind in [OctetClass.token, .target, .host] {
            mark(digits, kind)
            mark(upper, kind)
            mark(lower, kind)
        }
        mark("!#$%&'*+-.^_`|~".utf8, .token)
        mark("-._~%!$&'()*+,;=:@/?".utf8, .target)
        mark("-._~!$&'()*+,;=:".utf8, .host)
        mark(digits, .digit)
        mark(digits, .hexDigit)
        mark("abcdefABCDEF".utf8, .hexDigit)
        mark(0x21...0x7E, .fieldValue)
        mark(0x80...0xFF, .fieldValue)
        mark([0x20, 0x09], .fieldValue)
        return table
    }()
}

extension UInt8 {
    static let carriageReturn: UInt8 = 0x0D
    static let lineFeed: UInt8 = 0x0A
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09

    /// The value of a hexadecimal digit, or `nil`.
    var hexDigitValue: UInt8? {
        switch self {
        case 0x30...0x39: self &- 0x30
        case 0x41...0x46: self &- 0x37
        case 0x61...0x66: self &- 0x57
        default: nil
        }
    }

    /// ASCII lower case; other octets stay.
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
