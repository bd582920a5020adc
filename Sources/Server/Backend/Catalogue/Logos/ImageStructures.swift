/// PNG (W3C, third edition): a signature, then chunks of length, type, data and CRC from IHDR to IEND.
enum PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Nil unless every chunk is complete and IEND is the end of the file.
    static func size(of reader: ByteReader) -> (width: Int, height: Int)? {
        var size: (width: Int, height: Int)?
        var hasData = false
        var offset = signature.count
        while let length = reader.bigEndian(offset, bytes: 4), let type = reader.slice(offset + 4, 4),
            let checked = reader.slice(offset + 4, 4 + length),
            let sum = reader.bigEndian(offset + 8 + length, bytes: 4),
            checksum(checked) == UInt32(sum)
        {
            switch String(decoding: type, as: UTF8.self) {
            case "IHDR":
                guard size == nil, offset == signature.count, length == 13,
                    let width = reader.bigEndian(offset + 8, bytes: 4),
                    let height = reader.bigEndian(offset + 12, bytes: 4)
                else { return nil }
                size = (width, height)
            case "IDAT": hasData = true
            case "IEND": return length == 0 && hasData && offset + 12 == reader.count ? size : nil
            default: break
            }
            guard size != nil else { return nil }
            offset += 12 + length
        }
        return nil
    }

    /// CRC-32 of ISO 3309.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = .max
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
}

/// JPEG (ITU-T T.81, annex B): markers, segments with a length, and scans between SOS and the next marker.
enum JPEGStructure {
    /// Nil unless a frame header precedes the first scan and EOI is the end of the file.
    static func size(of reader: ByteReader) -> (width: Int, height: Int)? {
        var size: (width: Int, height: Int)?
        var hasScan = false
        var offset = 2
        while reader.byte(offset) == 0xFF, let marker = reader.byte(offset + 1) {
            offset += 2
            switch marker {
            case 0xFF: offset -= 1
            case 0x01, 0xD0...0xD7: break
            case 0xD9: return hasScan && offset == reader.count ? size : nil
            case 0x00, 0x02...0xBF, 0xD8: return nil
            default:
                guard let length = reader.bigEndian(offset, bytes: 2), length >= 2, reader.slice(offset, length) != nil
                else { return nil }
                if isFrame(marker) {
                    // A height of 0 would be followed by a DNL segment; logos that use it are rejected.
                    guard size == nil, length >= 8, let height = reader.bigEndian(offset + 3, bytes: 2),
                        let width = reader.bigEndian(offset + 5, bytes: 2)
                    else { return nil }
                    size = (width, height)
                }
                offset += length
                guard marker == 0xDA else { continue }
                guard size != nil else { return nil }
                hasScan = true
                offset = endOfScan(reader, from: offset)
            }
        }
        return nil
    }

    /// SOF0 to SOF15, except DHT, JPG and DAC, whose numbers lie between them.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// The start of the next marker: FF followed by neither a stuffed 00 nor a restart marker.
    private static func endOfScan(_ reader: ByteReader, from start: Int) -> Int {
        var offset = start
        while let byte = reader.byte(offset), let next = reader.byte(offset + 1) {
            if byte == 0xFF, next != 0x00, !(0xD0...0xD7).contains(next) { return offset }
            offset += 1
        }
        return reader.count
    }
}

/// WebP (RFC 9649): a RIFF file whose chunks are padded to an even length.
enum WebPStructure {
    /// Nil unless the chunks fill the file exactly and the first one contains the size.
    static func size(of reader: ByteReader) -> (width: Int, height: Int)? {
        guard let length = reader.littleEndian(4, bytes: 4), length == reader.count - 8 else { return nil }
        var size: (width: Int, height: Int)?
        var hasImage = false
        var offset = 12
        while let type = reader.slice(offset, 4), let length = reader.littleEndian(offset + 4, bytes: 4),
            reader.slice(offset + 8, length) != nil
        {
            let name = String(decoding: type, as: UTF8.self)
            if offset == 12 {
                size = firstChunkSize(name, reader, at: offset + 8, length: length)
                guard size != nil else { return nil }
            }
            if ["VP8 ", "VP8L", "ANMF"].contains(name) { hasImage = true }
            offset += 8 + length + length % 2
            if offset == reader.count { return hasImage ? size : nil }
        }
        return nil
    }

    private static func firstChunkSize(
        _ name: String, _ reader: ByteReader, at offset: Int, length: Int
    ) -> (width: Int, height: Int)? {
        switch name {
        case "VP8 ":
            // RFC 6386 section 9.1: the tag of a key frame, its start code, then 14 bits for each dimension.
            guard length >= 10, let tag = reader.byte(offset), tag & 1 == 0,
                reader.slice(offset + 3, 3).map(Array.init) == [0x9D, 0x01, 0x2A],
                let width = reader.littleEndian(offset + 6, bytes: 2),
                let height = reader.littleEndian(offset + 8, bytes: 2)
            else { return nil }
            return (width & 0x3FFF, height & 0x3FFF)
        case "VP8L":
            guard length >= 5, reader.byte(offset) == 0x2F, let bits = reader.littleEndian(offset + 1, bytes: 4),
                bits >> 29 == 0
            else { return nil }
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "VP8X":
            guard length == 10, let width = reader.littleEndian(offset + 4, bytes: 3),
                let height = reader.littleEndian(offset + 7, bytes: 3)
            else { return nil }
            return (width + 1, height + 1)
        default: return nil
        }
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
