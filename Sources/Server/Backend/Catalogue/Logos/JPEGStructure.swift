/// JPEG (ITU-T T.81, annex B): markers, segments with a length, and scans between SOS and the next marker.
enum JPEGStructure {
    /// Nil unless a frame header stands before the first scan and EOI is the end of the file.
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
                    // A height of 0 would come later, in a DNL segment: nobody needs that for a logo.
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

    /// SOF0 to SOF15; DHT, JPG and DAC have numbers between them.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// Where the next marker begins: FF, then neither a stuffed 00 nor a restart.
    private static func endOfScan(_ reader: ByteReader, from start: Int) -> Int {
        var offset = start
        while let byte = reader.byte(offset), let next = reader.byte(offset + 1) {
            if byte == 0xFF, next != 0x00, !(0xD0...0xD7).contains(next) { return offset }
            offset += 1
        }
        return reader.count
    }
}
