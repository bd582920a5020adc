/// A picture whose structure was checked.
struct CheckedImage {
    let width: Int
    let height: Int
    /// The file without what it need not have.
    let bytes: [UInt8]
}

/// Counts the frames of an animation.
struct ImageFrames {
    private(set) var count = 0
    private var pixels = 0

    private static let maximumCount = 100
    /// Sixteen times the largest picture.
    private static let maximumPixels = 16 << 20

    mutating func add(_ width: Int, _ height: Int, _ format: ImageFile.Format) throws(ImageError) {
        count += 1
        pixels += width * height
        guard count <= Self.maximumCount, pixels <= Self.maximumPixels else { throw .tooManyPixels }
    }
}

/// Reads integers from an array of bytes; nil beyond its end.
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

    /// Nil also for a negative length or one beyond the end.
    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return bytes[offset..<(offset + count)]
    }
}
