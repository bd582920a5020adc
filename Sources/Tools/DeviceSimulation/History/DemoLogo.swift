import CZlib
import ZlibCoding

/// A logo of a demo: two colours and one of four shapes. Real logos are trademarks, so none is part of the program.
struct DemoLogo {
    private static let side = 96
    private static let colours: [(UInt8, UInt8, UInt8)] = [
        (0x1F, 0x6F, 0xEB), (0xC2, 0x3B, 0x22), (0x1A, 0x7F, 0x37), (0x8A, 0x3F, 0xC7), (0xB3, 0x6B, 0x00),
        (0x0B, 0x75, 0x85), (0xB0, 0x2A, 0x6F), (0x44, 0x4C, 0x56), (0x2D, 0x33, 0x9C),
    ]

    let number: Int

    /// A PNG image with a palette of two colours and one bit a pixel.
    var png: [UInt8] {
        let colour = Self.colours[number % Self.colours.count]
        let header: [UInt8] = [Self.side, Self.side].flatMap { Self.word(UInt32($0)) } + [1, 3, 0, 0, 0]
        let palette = [colour.0, colour.1, colour.2, 0xFF, 0xFF, 0xFF]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
            + Self.chunk("PLTE", palette) + Self.chunk("IDAT", ZlibStream.compressed(rows)) + Self.chunk("IEND", [])
    }

    /// Each row begins with the number of its filter, 0.
    private var rows: [UInt8] {
        var rows: [UInt8] = []
        for row in 0..<Self.side {
            rows.append(0)
            for start in stride(from: 0, to: Self.side, by: 8) {
                var byte: UInt8 = 0
                for column in start..<start + 8 { byte = byte << 1 | (isWhite(column, row) ? 1 : 0) }
                rows.append(byte)
            }
        }
        return rows
    }

    private func isWhite(_ column: Int, _ row: Int) -> Bool {
        let (x, y) = (column - Self.side / 2, row - Self.side / 2)
        let square = x * x + y * y
        switch number % 4 {
        case 0: return square < 28 * 28
        case 1: return (18 * 18..<30 * 30).contains(square)
        case 2: return abs(x) + abs(y) < 32
        default: return abs(x) < 26 && abs(y + x / 2) < 10
        }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return word(UInt32(content.count)) + named + word(UInt32(crc32(0, named, UInt32(named.count))))
    }

    private static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
}
