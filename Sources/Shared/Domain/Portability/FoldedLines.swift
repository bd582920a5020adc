/// The lines of an iCalendar text as octets: escaped, folded and ended by CR LF as they are added.
struct FoldedLines {
    /// Section 3.1 of RFC 5545: at most 75 octets a line without its end; the blank that continues a line counts.
    private static let maximumOctets = 75

    private(set) var bytes: [UInt8] = []
    private var octets = 0

    /// Adds a line that needs neither escaping nor folding.
    mutating func add(_ line: StaticString) {
        line.withUTF8Buffer { bytes.append(contentsOf: $0) }
        end()
    }

    mutating func add(_ line: String) {
        bytes.append(contentsOf: line.utf8)
        end()
    }

    /// Adds a property's name with its colon, and its value escaped (section 3.3.11). Control characters other than tabs
    /// and line ends cannot be written and go.
    mutating func add(_ name: StaticString, escaping value: String) {
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        octets = name.utf8CodeUnitCount
        var previous: Unicode.Scalar?
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": append("\\", "\\")
            case ";": append("\\", ";")
            case ",": append("\\", ",")
            case "\n": if previous != "\r" { append("\\", "n") }
            case "\r": append("\\", "n")
            default: if scalar == "\t" || !Self.isControl(scalar) { append(scalar) }
            }
            previous = scalar
        }
        end()
    }

    private mutating func append(_ first: Unicode.Scalar, _ second: Unicode.Scalar) {
        append(first)
        append(second)
    }

    /// A scalar is never cut in two.
    private mutating func append(_ scalar: Unicode.Scalar) {
        let width = UTF8.width(scalar)
        if octets + width > Self.maximumOctets {
            bytes.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")])
            octets = 1
        }
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        octets += width
    }

    private mutating func end() {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
        octets = 0
    }

    /// The general category Cc: C0, DEL and C1, which Unicode never changes.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
