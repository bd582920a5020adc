import CZlib

/// Reads zip archives of one file, such as those that banks publish (APPNOTE.TXT, version 6.3.10, section 4.3).
package enum ZipArchive {
    package enum Failure: Error, Equatable {
        /// Truncated, damaged, encrypted, or in a form that is not read: several disks, zip64, other compressions.
        case malformed
        /// It has this number of files instead of one.
        case fileCount(Int)
        /// The file is larger than the caller accepts.
        case tooLarge
    }

    private static let endSignature: UInt32 = 0x0605_4B50
    private static let entrySignature: UInt32 = 0x0201_4B50
    private static let localSignature: UInt32 = 0x0403_4B50
    private static let endBytes = 22
    private static let entryBytes = 46
    private static let localBytes = 30
    private static let maximumCommentBytes = 65_535

    /// The content of the only file, checked against its length and CRC-32.
    ///
    /// - Parameter maximumBytes: the largest content that is accepted; no more is decompressed.
    package static func onlyFile(_ bytes: [UInt8], maximumBytes: Int) throws(Failure) -> [UInt8] {
        guard let end = end(bytes) else { throw .malformed }
        let archive = Fields(bytes)
        let count = Int(archive.half(end + 10))
        guard archive.half(end + 4) == 0, archive.half(end + 6) == 0, archive.half(end + 8) == count else {
            throw .malformed
        }
        guard count == 1 else { throw .fileCount(count) }
        let entry = Int(archive.word(end + 16))
        guard archive.has(entry, Self.entryBytes), archive.word(entry) == entrySignature else { throw .malformed }
        let isEncrypted = archive.half(entry + 8) & 1 == 1
        let method = archive.half(entry + 10)
        let checksum = archive.word(entry + 16)
        let (packed, length) = (Int(archive.word(entry + 20)), Int(archive.word(entry + 24)))
        let local = Int(archive.word(entry + 42))
        guard !isEncrypted, archive.has(local, Self.localBytes), archive.word(local) == localSignature else {
            throw .malformed
        }
        // Name and extra field may differ from those of the directory.
        let start = local + localBytes + Int(archive.half(local + 26)) + Int(archive.half(local + 28))
        guard archive.has(start, packed) else { throw .malformed }
        guard length <= maximumBytes else { throw .tooLarge }
        let content = try content(Array(bytes[start..<start + packed]), method, length)
        guard content.count == length, crc32(0, content, UInt32(content.count)) == UInt(checksum) else {
            throw .malformed
        }
        return content
    }

    private static func content(_ packed: [UInt8], _ method: UInt16, _ length: Int) throws(Failure) -> [UInt8] {
        switch method {
        case 0: return packed
        case 8:
            do {
                return try Inflater.inflateBare(packed, maximumBytes: length)
            } catch {
                throw .malformed
            }
        default: throw .malformed
        }
    }

    /// Where the record at the end begins; a comment of any text may follow it.
    private static func end(_ bytes: [UInt8]) -> Int? {
        let archive = Fields(bytes)
        var place = bytes.count - endBytes
        let first = max(0, place - maximumCommentBytes)
        while place >= first {
            if archive.word(place) == endSignature,
                place + endBytes + Int(archive.half(place + 20)) == bytes.count
            {
                return place
            }
            place -= 1
        }
        return nil
    }

    /// Little-endian numbers. Callers check the bounds first.
    private struct Fields {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func has(_ start: Int, _ count: Int) -> Bool { start >= 0 && count >= 0 && start <= bytes.count - count }
        func half(_ place: Int) -> UInt16 { UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8 }
        func word(_ place: Int) -> UInt32 { UInt32(half(place)) | UInt32(half(place + 2)) << 16 }
    }
}
