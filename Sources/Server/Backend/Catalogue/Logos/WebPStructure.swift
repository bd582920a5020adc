/// WebP (RFC 9649): a RIFF file whose chunks are padded to an even length.
enum WebPStructure {
    /// Nil unless the chunks fill the file exactly and the first one tells the size.
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
            // RFC 6386 section 9.1: a key frame's tag, its start code, then 14 bits each.
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
