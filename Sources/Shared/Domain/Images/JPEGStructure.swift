/// JPEG (ITU-T T.81, annex B): markers, segments with a length, and scans between SOS and the next marker.
enum JPEGStructure {
    /// Progressive images of usual programs have ten or so; each one costs a reader a pass over all pixels.
    private static let maximumScans = 100

    /// Checks that a frame header precedes the first scan and that EOI ends the file. Comments and segments of programs
    /// (Exif, XMP, IPTC) are removed, except for colours.
    static func read(_ reader: ByteReader) throws(ImageError) -> CheckedImage {
        var size: (width: Int, height: Int)?
        var scans = 0
        var bytes: [UInt8] = [0xFF, 0xD8]
        var offset = 2
        while reader.byte(offset) == 0xFF, let marker = reader.byte(offset + 1) {
            offset += 2
            switch marker {
            // Fill bytes, and the end of the image.
            case 0xFF: offset -= 1
            case 0xD9:
                guard scans > 0, offset == reader.count, let size else { throw .broken(.jpeg) }
                return CheckedImage(width: size.width, height: size.height, bytes: bytes + [0xFF, 0xD9])
            // Baseline, extended and progressive frames, tables, restart interval, scans, programs, comments. Browsers
            // read no others; DNL, which changes the height after the scan, is one of them.
            case 0xC0...0xC2, 0xC4, 0xDA, 0xDB, 0xDD, 0xE0...0xEF, 0xFE:
                guard let length = reader.bigEndian(offset, bytes: 2), length >= 2,
                    let segment = reader.slice(offset, length)
                else { throw .broken(.jpeg) }
                if (0xC0...0xC2).contains(marker) {
                    guard size == nil, length >= 8, let height = reader.bigEndian(offset + 3, bytes: 2),
                        let width = reader.bigEndian(offset + 5, bytes: 2)
                    else { throw .broken(.jpeg) }
                    try ImageFile.requireSides(width, height, .jpeg)
                    size = (width, height)
                }
                offset += length
                if isKept(marker, segment.dropFirst(2)) { bytes += [0xFF, marker] + segment }
                guard marker == 0xDA else { continue }
                scans += 1
                guard size != nil, scans <= maximumScans else { throw .broken(.jpeg) }
                let end = endOfScan(reader, from: offset)
                bytes += reader.slice(offset, end - offset) ?? []
                offset = end
            default: throw .broken(.jpeg)
            }
        }
        throw .broken(.jpeg)
    }

    /// Of the segments of programs: JFIF, colour profiles, and Adobe's, which tells how colours are stored.
    private static func isKept(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
        switch marker {
        case 0xE0: content.starts(with: Array("JFIF\0".utf8))
        case 0xE2: content.starts(with: Array("ICC_PROFILE\0".utf8))
        case 0xEE: content.starts(with: Array("Adobe".utf8))
        case 0xE0...0xEF, 0xFE: false
        default: true
        }
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
