/// A set of octets as a bitmap, because the parser tests every byte.
///
/// Members are written as numbers, so that the compiler can evaluate them; a test compares each set with the characters
/// of its RFC.
struct OctetSet: Sendable {
    /// Members from 0 to 63, lowest bit first.
    private let low: UInt64
    /// Members from 64 to 127.
    private let high: UInt64
    /// Whether all octets from 128 on are members.
    private let upper: Bool

    private init(_ low: UInt64, _ high: UInt64, upper: Bool = false) {
        self.low = low
        self.high = high
        self.upper = upper
    }

    /// RFC 9110 section 5.6.2: tchar.
    static let token = OctetSet(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
    /// RFC 9110 section 5.5: field-vchar, SP and HTAB.
    static let fieldValue = OctetSet(0xFFFF_FFFF_0000_0200, 0x7FFF_FFFF_FFFF_FFFF, upper: true)
    /// RFC 3986: the characters of a path or query, `%` included.
    static let target = OctetSet(0xAFFF_FFF2_0000_0000, 0x47FF_FFFE_87FF_FFFF)
    /// The characters that browsers leave as they are in a query although RFC 3986 has them encoded (WHATWG URL, query
    /// percent-encode set): brackets, braces, bar, circumflex and backtick.
    static let browserQuery = OctetSet(0, 0x3800_0001_6800_0000)
    static let digit = OctetSet(0x03FF_0000_0000_0000, 0)
    /// RFC 3986 section 3.2.2: reg-name and port characters, without brackets and `%`.
    static let host = OctetSet(0x2FFF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE)

    @inline(__always)
    func contains(_ octet: UInt8) -> Bool {
        guard octet < 128 else { return upper }
        return ((octet < 64 ? low : high) &>> UInt64(octet & 63)) & 1 != 0
    }

    /// Whether all octets from `start` to before `end` are members.
    @inline(__always)
    func containsAll(_ octets: UnsafeRawBufferPointer, from start: Int = 0, to end: Int? = nil) -> Bool {
        firstStranger(octets, from: start, to: end ?? octets.count) == nil
    }

    /// The first octet from `start` to before `end` that is not a member.
    @inline(__always)
    func firstStranger(_ octets: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            guard contains(octets[index]) else { return index }
            index += 1
        }
        return nil
    }
}

extension OctetSet {
    /// Whether a field value contains only octets allowed by RFC 9110 section 5.5. Values are most of a head, so they
    /// are checked 8 octets at a time; only a group with a TAB or a forbidden octet is checked octet by octet. In the
    /// arithmetic of a word, because the optimiser calls a function for each lane of a `SIMD16`.
    static func isFieldValue(_ octets: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= octets.count {
            let word = octets.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The highest bit of an octet is set if it is less than 0x20, or equal to 0x7F; above one that is, it may
            // be set as well.
            let deletes = word ^ 0x7F7F_7F7F_7F7F_7F7F
            let found =
                ((word &- 0x2020_2020_2020_2020) & ~word | (deletes &- 0x0101_0101_0101_0101) & ~deletes)
                & 0x8080_8080_8080_8080
            if found != 0, fieldValue.firstStranger(octets, from: index, to: index + 8) != nil { return false }
            index += 8
        }
        return fieldValue.containsAll(octets, from: index)
    }
}

extension UInt8 {
    static let carriageReturn: UInt8 = 0x0D
    static let lineFeed: UInt8 = 0x0A
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09

    /// ASCII lower case; other octets are unchanged.
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension UnsafeRawBufferPointer {
    /// The first index of an octet from `start` on. For short parts of a head, where a call would cost more.
    @inline(__always)
    func index(of octet: UInt8, from start: Int = 0) -> Int? {
        var index = start
        while index < count {
            if self[index] == octet { return index }
            index += 1
        }
        return nil
    }

    /// Whether these are exactly the octets of a literal.
    @inline(__always)
    package func equals(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        let octets = literal.utf8Start
        for index in 0..<count where self[index] != octets[index] { return false }
        return true
    }

    /// Whether these are the octets of a lower-case literal, ignoring ASCII case (RFC 9110 section 5.1).
    @inline(__always)
    package func equalsIgnoringCase(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        let octets = literal.utf8Start
        for index in 0..<count where self[index].asciiLowercased != octets[index] { return false }
        return true
    }
}
