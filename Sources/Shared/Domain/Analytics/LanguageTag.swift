/// The outer form of a language tag (RFC 5646 section 2.1), not its registry.
enum LanguageTag {
    /// Longest tag that RFC 5646 section 4.4.1 asks everybody to take.
    private static let maximumBytes = 35

    /// A first part of two to eight letters, further parts of one to eight letters and digits. Devices write `_`
    /// where the RFC has `-`; both are taken.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= maximumBytes else { return false }
        var partLength = 0
        var minimumLength = 2
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                partLength += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9") where minimumLength == 1:
                partLength += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                guard (minimumLength...8).contains(partLength) else { return false }
                partLength = 0
                minimumLength = 1
            default: return false
            }
        }
        return (minimumLength...8).contains(partLength)
    }
}
