/// WebP (RFC 9649): a RIFF file whose chunks are padded to an even length.
enum WebPStructure {
    private struct Chunk {
        let name: String
        let content: ArraySlice<UInt8>
        /// With header and padding.
        let whole: ArraySlice<UInt8>
    }

    /// Checks that the chunks fill the file exactly, and that the sizes within agree with those outside. Exif, XMP and
    /// unknown chunks are removed.
    static func read(_ reader: ByteReader) throws(ImageError) -> CheckedImage {
        guard let length = reader.littleEndian(4, bytes: 4), length == reader.count - 8,
            let chunks = chunks(reader, from: 12, to: reader.count), let first = chunks.first
        else { throw .broken(.webp) }
        guard first.name == "VP8X" else {
            let size = try bitstreamSize(first)
            guard !chunks.dropFirst().contains(where: isImage) else { throw .broken(.webp) }
            return CheckedImage(width: size.width, height: size.height, bytes: file([Array(first.whole)]))
        }
        let header = ByteReader(Array(first.content))
        guard header.count == 10, let flags = header.byte(0), let width = header.littleEndian(4, bytes: 3),
            let height = header.littleEndian(7, bytes: 3)
        else { throw .broken(.webp) }
        let size = (width: width + 1, height: height + 1)
        try ImageFile.requireSides(size.width, size.height, .webp)
        let images = chunks.dropFirst().filter(isImage)
        let frames = chunks.filter { $0.name == "ANMF" }
        if frames.isEmpty {
            guard images.count == 1, try bitstreamSize(images[0]) == size else { throw .broken(.webp) }
        } else {
            guard images.isEmpty else { throw .broken(.webp) }
            try check(frames, within: size)
        }
        var extended = Array(first.whole)
        // Exif and XMP are no longer there.
        extended[8] = flags & ~0x0C
        let kept = chunks.dropFirst().filter { ["ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L"].contains($0.name) }
        return CheckedImage(
            width: size.width, height: size.height, bytes: file([extended] + kept.map { Array($0.whole) }))
    }

    private static func check(_ frames: [Chunk], within size: (width: Int, height: Int)) throws(ImageError) {
        var counted = ImageFrames()
        for frame in frames {
            let bytes = Array(frame.content)
            let reader = ByteReader(bytes)
            guard let left = reader.littleEndian(0, bytes: 3), let top = reader.littleEndian(3, bytes: 3),
                let width = reader.littleEndian(6, bytes: 3), let height = reader.littleEndian(9, bytes: 3),
                2 * left + width + 1 <= size.width, 2 * top + height + 1 <= size.height,
                let parts = chunks(reader, from: 16, to: reader.count),
                parts.allSatisfy({ isImage($0) || $0.name == "ALPH" }), parts.count(where: isImage) == 1,
                let image = parts.first(where: isImage), try bitstreamSize(image) == (width + 1, height + 1)
            else { throw .broken(.webp) }
            try counted.add(width + 1, height + 1, .webp)
        }
    }

    private static func isImage(_ chunk: Chunk) -> Bool { chunk.name == "VP8 " || chunk.name == "VP8L" }

    /// Nil unless the chunks end where they should.
    private static func chunks(_ reader: ByteReader, from start: Int, to end: Int) -> [Chunk]? {
        var chunks: [Chunk] = []
        var offset = start
        while offset < end {
            guard let type = reader.slice(offset, 4), let length = reader.littleEndian(offset + 4, bytes: 4),
                let content = reader.slice(offset + 8, length),
                let whole = reader.slice(offset, 8 + length + length % 2)
            else { return nil }
            chunks.append(Chunk(name: String(decoding: type, as: UTF8.self), content: content, whole: whole))
            offset += whole.count
        }
        return offset == end ? chunks : nil
    }

    private static func file(_ chunks: [[UInt8]]) -> [UInt8] {
        let body = Array("WEBP".utf8) + chunks.joined()
        return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
    }

    /// The size that the compressed image itself has.
    private static func bitstreamSize(_ chunk: Chunk) throws(ImageError) -> (width: Int, height: Int) {
        let reader = ByteReader(Array(chunk.content))
        let size: (width: Int, height: Int)?
        switch chunk.name {
        case "VP8 ":
            // RFC 6386 section 9.1: the tag of a key frame, its start code, then 14 bits for each dimension.
            guard reader.count >= 10, let tag = reader.byte(0), tag & 1 == 0,
                reader.slice(3, 3).map(Array.init) == [0x9D, 0x01, 0x2A],
                let width = reader.littleEndian(6, bytes: 2), let height = reader.littleEndian(8, bytes: 2)
            else { throw .broken(.webp) }
            size = (width & 0x3FFF, height & 0x3FFF)
        case "VP8L":
            guard reader.count >= 5, reader.byte(0) == 0x2F, let bits = reader.littleEndian(1, bytes: 4),
                bits >> 29 == 0
            else { throw .broken(.webp) }
            size = ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        default: size = nil
        }
        guard let size else { throw .broken(.webp) }
        try ImageFile.requireSides(size.width, size.height, .webp)
        return size
    }
}
