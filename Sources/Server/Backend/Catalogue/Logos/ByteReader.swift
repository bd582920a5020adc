/// Numbers out of a row of bytes; nil wherever the row ends before.
struct ByteReader: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

    /// Most significant byte first, 1 to 4 of them.
    func bigEndian(_ offset: Int, bytes count: Int) -> Int? { slice(offset, count)?.reduce(0) { $0 << 8 | Int($1) } }

    /// Least significant byte first, 1 to 4 of them.
    func littleEndian(_ offset: Int, bytes count: Int) -> Int? {
        slice(offset, count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Nil also for a length below zero or past the end.
    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return bytes[offset..<(offset + count)]
    }
}
