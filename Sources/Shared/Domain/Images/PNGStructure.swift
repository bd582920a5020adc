import ZlibCoding

/// PNG (W3C, third edition): a signature, then chunks of length, type, data and CRC from IHDR to IEND.
struct PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Chunks that say how pixels look. Others that a reader may skip hold texts, times and places, and are removed.
    private static let kept: Set = ["PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "bKGD", "pHYs", "cICP"]
    private static let maximumProfileBytes = 1 << 20

    private let header: Header
    private var bytes = signature
    /// The compressed pixels of the frame that is being read.
    private var data: [UInt8] = []
    /// The frame to which ``data`` belongs; nil for the still image.
    private var frame: (width: Int, height: Int)?
    private var hasProfile = false
    private var hasImage = false
    private var announcedFrames: Int?
    private var frames = ImageFrames()

    /// Checks every chunk up to IEND, which must end the file, and that the pixels inflate to just what the sizes need.
    static func read(_ reader: ByteReader) throws(ImageError) -> CheckedImage {
        guard let first = Chunk(reader, at: signature.count), first.type == "IHDR", let header = Header(first.content)
        else { throw .broken(.png) }
        try ImageFile.requireSides(header.width, header.height, .png)
        var structure = PNGStructure(header: header)
        structure.bytes += first.whole
        var offset = signature.count + first.whole.count
        while let chunk = Chunk(reader, at: offset) {
            offset += chunk.whole.count
            if chunk.type == "IEND" {
                guard chunk.content.isEmpty, offset == reader.count else { break }
                try structure.end()
                return CheckedImage(width: header.width, height: header.height, bytes: structure.bytes + chunk.whole)
            }
            try structure.take(chunk)
        }
        throw .broken(.png)
    }

    private init(header: Header) { self.header = header }

    private mutating func take(_ chunk: Chunk) throws(ImageError) {
        switch chunk.type {
        case "IDAT":
            guard frames.count <= 1 else { throw .broken(.png) }
            data += chunk.content
            hasImage = true
        case "fdAT":
            guard hasImage, frame != nil, frames.count > 0 else { throw .broken(.png) }
            data += chunk.content.dropFirst(4)
        case "acTL":
            guard !hasImage, announcedFrames == nil, chunk.content.count == 8 else { throw .broken(.png) }
            announcedFrames = ByteReader(Array(chunk.content)).bigEndian(0, bytes: 4)
        case "fcTL": try takeFrame(ByteReader(Array(chunk.content)))
        case "iCCP":
            // One at most: each is inflated.
            guard !hasProfile, let mark = chunk.content.firstIndex(of: 0),
                (try? Inflater.inflate(
                    Array(chunk.content[mark...].dropFirst(2)), maximumBytes: Self.maximumProfileBytes))
                    != nil
            else { throw .broken(.png) }
            hasProfile = true
        case let type where Self.kept.contains(type): break
        // A lower-case letter: readers may skip it.
        case let type where type.utf8.first.map({ $0 & 0x20 != 0 }) == true: return
        default: throw .broken(.png)
        }
        bytes += chunk.whole
    }

    /// A frame of an animation (APNG).
    private mutating func takeFrame(_ reader: ByteReader) throws(ImageError) {
        guard announcedFrames != nil, reader.count == 26, let width = reader.bigEndian(4, bytes: 4),
            let height = reader.bigEndian(8, bytes: 4), let left = reader.bigEndian(12, bytes: 4),
            let top = reader.bigEndian(16, bytes: 4), width > 0, height > 0, left + width <= header.width,
            top + height <= header.height
        else { throw .broken(.png) }
        try frames.add(width, height, .png)
        if hasImage { try endFrame() }
        // The first one may be the still image.
        guard hasImage || (width, height) == (header.width, header.height) else { throw .broken(.png) }
        frame = (width, height)
    }

    private mutating func endFrame() throws(ImageError) {
        let (width, height) = frame ?? (header.width, header.height)
        let expected = header.pixelBytes(width, height)
        guard let pixels = try? Inflater.inflate(data, maximumBytes: expected), pixels.count == expected else {
            throw .broken(.png)
        }
        data = []
    }

    private mutating func end() throws(ImageError) {
        guard hasImage, announcedFrames ?? 0 == frames.count else { throw .broken(.png) }
        try endFrame()
    }

    private struct Chunk {
        let type: String
        let content: ArraySlice<UInt8>
        /// With length and CRC.
        let whole: ArraySlice<UInt8>

        /// Nil for one that is cut or does not match its CRC.
        init?(_ reader: ByteReader, at offset: Int) {
            guard let length = reader.bigEndian(offset, bytes: 4), let type = reader.slice(offset + 4, 4),
                let content = reader.slice(offset + 8, length), let checked = reader.slice(offset + 4, 4 + length),
                let sum = reader.bigEndian(offset + 8 + length, bytes: 4),
                PNGStructure.checksum(checked) == UInt32(sum),
                let whole = reader.slice(offset, 12 + length)
            else { return nil }
            (self.type, self.content, self.whole) = (String(decoding: type, as: UTF8.self), content, whole)
        }
    }

    private struct Header {
        let width: Int
        let height: Int
        private let bitsPerPixel: Int
        private let isInterlaced: Bool

        init?(_ content: ArraySlice<UInt8>) {
            let reader = ByteReader(Array(content))
            guard reader.count == 13, let width = reader.bigEndian(0, bytes: 4),
                let height = reader.bigEndian(4, bytes: 4),
                let depth = reader.byte(8), let color = reader.byte(9), reader.byte(10) == 0, reader.byte(11) == 0,
                let interlace = reader.byte(12), interlace <= 1
            else { return nil }
            let (channels, depths): (Int, Set<UInt8>) =
                switch color {
                case 0: (1, [1, 2, 4, 8, 16])
                case 2: (3, [8, 16])
                case 3: (1, [1, 2, 4, 8])
                case 4: (2, [8, 16])
                case 6: (4, [8, 16])
                default: (0, [])
                }
            guard depths.contains(depth) else { return nil }
            (self.width, self.height) = (width, height)
            bitsPerPixel = channels * Int(depth)
            isInterlaced = interlace == 1
        }

        /// The bytes of an image before compression: for each row a filter and its pixels (sections 7.2 and 8.1).
        func pixelBytes(_ width: Int, _ height: Int) -> Int {
            func pass(_ width: Int, _ height: Int) -> Int {
                width == 0 ? 0 : height * (1 + (width * bitsPerPixel + 7) / 8)
            }
            guard isInterlaced else { return pass(width, height) }
            return [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
                .reduce(0) { sum, grid in
                    let (left, top, across, down) = grid
                    return sum
                        + pass((max(0, width - left) + across - 1) / across, (max(0, height - top) + down - 1) / down)
                }
        }
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
