/// The field `traceparent` of W3C Trace Context: `00-<32 hex>-<16 hex>-<2 hex>`, ids not zero.
enum TraceParent {
    private static let length = 55

    /// The four known parts; nil for an invalid value. Later versions may append parts, which are dropped; version 00
    /// has no further parts.
    static func bytes(of value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard (length...256).contains(value.count) else { return nil }
        let dash = UInt8(ascii: "-")
        if value.count > length, value[length] != dash || isAll(UInt8(ascii: "0"), value[0..<2]) { return nil }
        for index in 0..<length {
            let isDash = index == 2 || index == 35 || index == 52
            guard isDash ? value[index] == dash : isHexadecimal(value[index]) else { return nil }
        }
        guard !isAll(UInt8(ascii: "f"), value[0..<2]), !isAll(UInt8(ascii: "0"), value[3..<35]),
            !isAll(UInt8(ascii: "0"), value[36..<52])
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: value[..<length])
    }

    /// Lower case only.
    private static func isHexadecimal(_ octet: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(octet)
    }

    private static func isAll(_ octet: UInt8, _ part: Slice<UnsafeRawBufferPointer>) -> Bool {
        part.allSatisfy { $0 == octet }
    }
}
