import CZlib

/// Reads zip archives, such as those that banks publish (APPNOTE.TXT, version 6.3.10, section 4.3).
package struct ZipArchive {
    package enum Failure: Error, Equatable {
        /// Truncated, damaged, encrypted, or in a form that is not read: several disks, zip64, other compressions.
        case malformed
        /// It has this number of files instead of one, or more than are read.
        case fileCount(Int)
        /// The file is larger than the caller accepts.
        case tooLarge
    }

    /// A file or folder as the directory describes it.
    package struct Entry {
        /// With its folders, as it is written; invalid UTF-8 is replaced. Folders end in a slash.
        package let name: String
        fileprivate let method: UInt16
        fileprivate let isEncrypted: Bool
        fileprivate let checksum: UInt32
        fileprivate let packed: Int
        fileprivate let length: Int
        fileprivate let local: Int

        /// Whether there is nothing in it, as in a folder.
        package var isEmpty: Bool { length == 0 }
    }

    package let entries: [Entry]
    private let archive: Fields

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
        let archive = try ZipArchive(bytes, maximumFiles: 1)
        guard let entry = archive.entries.first else { throw .fileCount(0) }
        return try archive.content(of: entry, maximumBytes: maximumBytes)
    }

    /// Reads the directory.
    ///
    /// - Parameter maximumFiles: throws ``Failure/fileCount(_:)`` for more.
    package init(_ bytes: [UInt8], maximumFiles: Int) throws(Failure) {
        guard let end = Self.end(bytes) else { throw .malformed }
        archive = Fields(bytes)
        let count = Int(archive.half(end + 10))
        guard archive.half(end + 4) == 0, archive.half(end + 6) == 0, archive.half(end + 8) == count else {
            throw .malformed
        }
        guard count <= maximumFiles else { throw .fileCount(count) }
        var entries: [Entry] = []
        var place = Int(archive.word(end + 16))
        for _ in 0..<count {
            guard archive.has(place, Self.entryBytes), archive.word(place) == Self.entrySignature else {
                throw .malformed
            }
            let nameLength = Int(archive.half(place + 28))
            let start = place + Self.entryBytes
            guard archive.has(start, nameLength) else { throw .malformed }
            entries.append(
                Entry(
                    name: String(decoding: bytes[start..<start + nameLength], as: UTF8.self),
                    method: archive.half(place + 10), isEncrypted: archive.half(place + 8) & 1 == 1,
                    checksum: archive.word(place + 16), packed: Int(archive.word(place + 20)),
                    length: Int(archive.word(place + 24)), local: Int(archive.word(place + 42))))
            place = start + nameLength + Int(archive.half(place + 30)) + Int(archive.half(place + 32))
        }
        self.entries = entries
    }

    /// The content of a file, checked against its length and CRC-32.
    ///
    /// - Parameter maximumBytes: the largest content that is accepted; no more is decompressed.
    package func content(of entry: Entry, maximumBytes: Int) throws(Failure) -> [UInt8] {
        guard !entry.isEncrypted, archive.has(entry.local, Self.localBytes),
            archive.word(entry.local) == Self.localSignature
        else { throw .malformed }
        // Name and extra field may differ from those of the directory.
        let start =
            entry.local + Self.localBytes + Int(archive.half(entry.local + 26)) + Int(archive.half(entry.local + 28))
        guard archive.has(start, entry.packed) else { throw .malformed }
        guard entry.length <= maximumBytes else { throw .tooLarge }
        let packed = Array(archive.bytes[start..<start + entry.packed])
        let content = try Self.content(packed, entry.method, entry.length)
        guard content.count == entry.length, crc32(0, content, UInt32(content.count)) == UInt(entry.checksum) else {
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
