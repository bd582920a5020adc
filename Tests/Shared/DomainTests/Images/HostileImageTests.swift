import SubGuardDomain
import TestKit
import Testing
import ZlibCoding

/// Files whose containers lie, that cost a reader far more than they cost the sender, or that tell about people.
@Suite struct HostileImageTests {
    private static let secret = Array("Zoë, 48.8584 N 2.2945 E".utf8)

    private static func big(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    private static func little(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func broken(_ bytes: [UInt8], _ error: ImageError, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: error, sourceLocation: sourceLocation) { try ImageFile(bytes) }
    }

    // MARK: PNG

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        var sum: UInt32 = .max
        for byte in checked {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
        return big(content.count) + checked + big(Int(~sum))
    }

    private static func png(_ width: Int, _ height: Int, _ chunks: [[UInt8]]) -> [UInt8] {
        let header = chunk("IHDR", big(width) + big(height) + [8, 6, 0, 0, 0])
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunks.joined() + chunk("IEND", [])
    }

    private static func deflated(_ count: Int) throws -> [UInt8] {
        try #require(Gzip.compress([UInt8](repeating: 0, count: count), level: 9))
    }

    /// The pixels of an RGBA image: a filter byte for each row.
    private static func pixels(_ width: Int, _ height: Int) throws -> [UInt8] { try deflated(height * (1 + 4 * width)) }

    private static func frame(_ number: Int, _ width: Int, _ height: Int, _ left: Int = 0) -> [UInt8] {
        chunk("fcTL", big(number) + big(width) + big(height) + big(left) + big(0) + [0, 1, 0, 10, 0, 0])
    }

    @Test func textsTimesAndPlacesAreRemovedFromAPNG() throws {
        let data = Self.chunk("IDAT", try Self.pixels(3, 2))
        let plain = Self.png(3, 2, [Self.chunk("gAMA", Self.big(45_455)), data])
        let told = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "prVt", "caBX"].map { Self.chunk($0, Self.secret) }
        let image = try ImageFile(
            Self.png(3, 2, [told[0], Self.chunk("gAMA", Self.big(45_455))] + told + [data] + told))
        #expect(image.bytes == plain)
        #expect(try ImageFile(plain).bytes == plain)
        broken(Self.png(3, 2, [Self.chunk("XXXX", []), data]), .broken(.png))
    }

    @Test func aPNGInflatesToWhatItsSizeNeeds() throws {
        let size = 1024 * (1 + 4 * 1024)
        #expect(try ImageFile(Self.png(1024, 1024, [Self.chunk("IDAT", Self.deflated(size))])).width == 1024)
        for count in [0, 1, size - 1, size + 1, 400_000_000] {
            broken(Self.png(1024, 1024, [Self.chunk("IDAT", try Self.deflated(count))]), .broken(.png))
        }
        let data = Self.chunk("IDAT", try Self.pixels(1, 1))
        broken(
            Self.png(1, 1, [Self.chunk("iCCP", [0x61, 0, 0] + (try Self.deflated(50_000_000))), data]), .broken(.png))
        let profile = Self.chunk("iCCP", [0x61, 0, 0] + (try Self.deflated(100)))
        #expect(try ImageFile(Self.png(1, 1, [profile, data])).width == 1)
        broken(Self.png(1, 1, [profile, profile, data]), .broken(.png))
        broken(Self.png(60_000, 60_000, [data]), .tooManyPixels)
    }

    @Test func anAnimationIsBounded() throws {
        let data = Self.chunk("IDAT", try Self.pixels(8, 8))
        func animation(_ count: Int, announced: Int? = nil, _ width: Int = 8, left: Int = 0) throws -> [UInt8] {
            let part = Self.chunk("fdAT", Self.big(0) + (try Self.pixels(width, 8)))
            let more = (1..<max(1, count)).flatMap { [Self.frame($0, width, 8, left), part] }
            let control = Self.chunk("acTL", Self.big(announced ?? count) + Self.big(0))
            return Self.png(8, 8, [control, Self.frame(0, 8, 8), data] + more)
        }
        #expect(try ImageFile(animation(3)).bytes == animation(3))
        #expect(try ImageFile(animation(100, 4, left: 4)).width == 8)
        broken(try animation(5_000), .tooManyPixels)
        broken(try animation(3, announced: 2), .broken(.png))
        broken(try animation(2, 16), .broken(.png))
        broken(try animation(2, 8, left: 1), .broken(.png))
        broken(Self.png(8, 8, [Self.frame(0, 8, 8), data]), .broken(.png))
        let large = Self.chunk("fdAT", Self.big(0) + (try Self.deflated(1_000_000)))
        broken(
            Self.png(
                8, 8,
                [Self.chunk("acTL", Self.big(2) + Self.big(0)), Self.frame(0, 8, 8), data, Self.frame(1, 8, 8), large]),
            .broken(.png))
    }

    // MARK: JPEG

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + Array(big(content.count + 2).suffix(2)) + content
    }

    @Test func whatTellsAboutPeopleIsRemovedFromAJPEG() throws {
        let bytes = try RepositoryFile.logo(6)
        let told =
            Self.segment(0xE1, Array("Exif\0\0".utf8) + Self.secret) + Self.segment(0xFE, Self.secret)
            + Self.segment(0xED, Self.secret) + Self.segment(0xE0, Array("JFXX\0".utf8) + Self.secret)
        let kept = Self.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1])
        let plain = try ImageFile(Array(bytes[..<2]) + kept + Array(bytes[2...])).bytes
        #expect(try ImageFile(Array(bytes[..<2]) + told + kept + told + Array(bytes[2...])).bytes == plain)
        #expect(plain.count >= bytes.count / 2 && plain.starts(with: [0xFF, 0xD8, 0xFF, 0xE2]))
    }

    @Test func scansAreBoundedAndTheHeightStays() throws {
        let bytes = try ImageFile(try RepositoryFile.logo(6)).bytes
        let body = Array(bytes.dropLast(2))
        let scan = Self.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0]
        func file(_ extra: [UInt8]) -> [UInt8] { body + extra + [0xFF, 0xD9] }
        #expect(try ImageFile(file(Array(repeatElement(scan, count: 50).joined()))).height == 5)
        broken(file(Array(repeatElement(scan, count: 20_000).joined())), .broken(.jpeg))
        broken(file(Self.segment(0xDC, [0xFF, 0xFF])), .broken(.jpeg))
        broken([0xFF, 0xD8] + Self.segment(0xC3, [8, 0, 1, 0, 1, 1, 1, 17, 0]) + scan + [0xFF, 0xD9], .broken(.jpeg))
    }

    // MARK: WebP

    private static func part(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func webp(_ parts: [[UInt8]]) -> [UInt8] {
        let body = Array("WEBP".utf8) + parts.joined()
        return Array("RIFF".utf8) + little(body.count) + body
    }

    private static func canvas(_ width: Int, _ height: Int, flags: UInt8 = 0) -> [UInt8] {
        part("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    private static func lossless(_ width: Int, _ height: Int) -> [UInt8] {
        part("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14) + [0, 0, 0, 0])
    }

    @Test func aWebPIsAsLargeWithinAsOutside() throws {
        #expect(try ImageFile(Self.webp([Self.canvas(7, 3), Self.lossless(7, 3)])).width == 7)
        broken(Self.webp([Self.canvas(1, 1), Self.lossless(16_384, 16_384)]), .tooManyPixels)
        broken(Self.webp([Self.canvas(1, 1), Self.lossless(2, 1)]), .broken(.webp))
        broken(Self.webp([Self.canvas(7, 3), Self.lossless(7, 3), Self.lossless(7, 3)]), .broken(.webp))
        broken(Self.webp([Self.lossless(7, 3), Self.lossless(7, 3)]), .broken(.webp))
        broken(Self.webp([Self.canvas(7, 3)]), .broken(.webp))
        func frames(_ count: Int, _ width: Int, within: Int) -> [UInt8] {
            let content = Self.little(0, 3) + Self.little(0, 3) + Self.little(width - 1, 3) + Self.little(0, 3)
            let frame = Self.part("ANMF", content + [0, 0, 0, 0] + Self.lossless(within, 1))
            return Self.webp(
                [Self.canvas(8, 1, flags: 2), Self.part("ANIM", [0, 0, 0, 0, 0, 0])]
                    + Array(repeating: frame, count: count))
        }
        #expect(try ImageFile(frames(3, 8, within: 8)).bytes == frames(3, 8, within: 8))
        broken(frames(1, 9, within: 9), .broken(.webp))
        broken(frames(1, 8, within: 16_384), .tooManyPixels)
        broken(frames(5_000, 8, within: 8), .tooManyPixels)
    }

    @Test func whatTellsAboutPeopleIsRemovedFromAWebP() throws {
        let told = [Self.part("EXIF", Self.secret), Self.part("XMP ", Self.secret), Self.part("SECR", Self.secret)]
        let image = try ImageFile(Self.webp([Self.canvas(7, 3, flags: 0x1C)] + told + [Self.lossless(7, 3)] + told))
        #expect(image.bytes == Self.webp([Self.canvas(7, 3, flags: 0x10), Self.lossless(7, 3)]))
        #expect(try ImageFile(Self.webp([Self.lossless(7, 3)] + told)).bytes == Self.webp([Self.lossless(7, 3)]))
    }
}
