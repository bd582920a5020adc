/// Collects folded words and keeps the blanks between them single.
struct FoldingBuffer {
    private var bytes: [UInt8] = []
    private var isBlankDue = false

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    var isEmpty: Bool { bytes.isEmpty }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            startLetter()
            bytes.append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            startLetter()
            bytes.append(byte | 0x20)
        case UInt8(ascii: "+"):
            appendBlank()
            append(letters: "plus")
            appendBlank()
        default: appendBlank()
        }
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        startLetter()
        if let encoded = UTF8.encode(scalar) { bytes.append(contentsOf: encoded) }
    }

    mutating func append(letters: StaticString) {
        startLetter()
        letters.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func appendBlank() {
        isBlankDue = true
    }

    private mutating func startLetter() {
        if isBlankDue, !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
        isBlankDue = false
    }
}
