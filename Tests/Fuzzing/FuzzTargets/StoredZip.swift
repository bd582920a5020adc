/// Writes zip archives without compression.
package enum StoredZip {
    package static func bytes(_ files: [(name: String, content: [UInt8])]) -> [UInt8] {
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        for (name, content) in files {
            let start = archive.count
            let name = Array(name.utf8)
            let facts =
                half(20) + half(0) + half(0) + word(0) + word(checksum(content)) + word(UInt32(content.count))
                + word(UInt32(content.count)) + half(name.count) + half(0)
            archive += word(0x0403_4B50) + facts + name + content
            directory += word(0x0201_4B50) + half(20) + facts + half(0) + half(0) + half(0) + word(0)
            directory += word(UInt32(start)) + name
        }
        let end = half(0) + half(0) + half(files.count) + half(files.count) + word(UInt32(directory.count))
        return archive + directory + word(0x0605_4B50) + end + word(UInt32(archive.count)) + half(0)
    }

    private static func half(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }

    /// CRC-32.
    private static func checksum(_ content: [UInt8]) -> UInt32 {
        ~content.reduce(~UInt32(0)) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
    }
}
