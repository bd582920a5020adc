/// PNG (W3C, third edition): a signature, then chunks of length, type, data and CRC from IHDR to IEND.
enum PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Nil unless every chunk is whole and IEND is the end of the file.
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

    /// CRC-32 as ISO 3309 has it.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = .max
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
}
