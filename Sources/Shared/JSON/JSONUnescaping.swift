/// Decodes string content that `JSONReader` has already checked.
enum JSONUnescaping {
    static func bytes(of raw: UnsafeRawBufferPointer) -> [UInt8] {
        var out: [UInt8] = []
        // Decoding never lengthens: any escape of n UTF-8 bytes has at least n bytes.
        out.reserveCapacity(raw.count)
        var at = 0
        while at < raw.count {
            let byte = raw[at]
            guard byte == UInt8(ascii: "\\"), at + 1 < raw.count else {
                out.append(byte)
                at += 1
                continue
            }
            let escape = raw[at + 1]
            at += 2
            switch escape {
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = codeUnit(raw, at)
                at += 4
                if scalar & 0xFC00 == 0xD800, let low = lowSurrogate(raw, at) {
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
                    at += 6
                } else if scalar & 0xF800 == 0xD800 {
                    // Only a reader that replaces lone surrogates leaves one.
                    scalar = 0xFFFD
                }
                append(scalar, to: &out)
            default: out.append(escape)
            }
        }
        return out
    }

    /// The value of four hexadecimal digits; zero for anything else.
    private static func codeUnit(_ raw: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
        guard at + 4 <= raw.count else { return 0 }
        var value: UInt32 = 0
        for index in at..<at + 4 {
            value = value << 4 | UInt32(JSONReader.hexadecimalValue(raw[index]) ?? 0)
        }
        return value
    }

    /// The second of a pair of surrogates; nil if what follows is something else.
    private static func lowSurrogate(_ raw: UnsafeRawBufferPointer, _ at: Int) -> UInt32? {
        guard at + 6 <= raw.count, raw[at] == UInt8(ascii: "\\"), raw[at + 1] == UInt8(ascii: "u") else { return nil }
        let unit = codeUnit(raw, at + 2)
        return unit & 0xFC00 == 0xDC00 ? unit : nil
    }

    private static func append(_ scalar: UInt32, to out: inout [UInt8]) {
        switch scalar {
        case ..<0x80:
            out.append(UInt8(scalar))
        case ..<0x800:
            out.append(UInt8(0xC0 | scalar >> 6))
            out.append(UInt8(0x80 | scalar & 0x3F))
        case ..<0x10000:
            out.append(UInt8(0xE0 | scalar >> 12))
            out.append(UInt8(0x80 | scalar >> 6 & 0x3F))
            out.append(UInt8(0x80 | scalar & 0x3F))
        default:
            out.append(UInt8(0xF0 | scalar >> 18 & 0x07))
            out.append(UInt8(0x80 | scalar >> 12 & 0x3F))
            out.append(UInt8(0x80 | scalar >> 6 & 0x3F))
            out.append(UInt8(0x80 | scalar & 0x3F))
        }
    }
}
