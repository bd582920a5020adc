/// A second decoder of the chunked coding (RFC 9112 section 7.1), written without regard to speed, pieces or limits, as
/// a reference.
struct ReferenceChunks {
    private(set) var content: [UInt8] = []
    /// The end of the body; `nil` if it is malformed or incomplete.
    private(set) var end: Int?
    private(set) var trailerCount = 0

    init(_ bytes: [UInt8]) {
        var lines = Lines(bytes: bytes)
        while let line = lines.next() {
            guard let size = Self.size(of: line) else { return }
            guard size > 0 else { break }
            guard let data = lines.take(size), lines.next() == [] else { return }
            content += data
        }
        while let line = lines.next() {
            if line.isEmpty {
                end = lines.position
                return
            }
            guard Self.isTrailer(line) else { return }
            trailerCount += 1
        }
    }

    private static func size(of line: [UInt8]) -> Int? {
        let text = String(decoding: line, as: UTF8.self).unicodeScalars
        let digits = text.prefix { $0.isASCII && $0.properties.isASCIIHexDigit }
        guard (1...16).contains(digits.count), let size = Int(String(digits), radix: 16) else { return nil }
        let rest = text.dropFirst(digits.count)
        guard !rest.isEmpty else { return size }
        guard rest.drop(while: { $0 == " " || $0 == "\t" }).first == ";", line.allSatisfy(isText) else { return nil }
        return size
    }

    private static func isTrailer(_ line: [UInt8]) -> Bool {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let marks = Array("!#$%&'*+-.^_`|~".utf8)
        return line.allSatisfy(isText)
            && parts[0].allSatisfy { octet in
                let scalar = Unicode.Scalar(octet)
                return marks.contains(octet) || (scalar.isASCII && (scalar.properties.isAlphabetic || isDigit(octet)))
            }
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }

    private static func isText(_ octet: UInt8) -> Bool { octet == 0x09 || (octet >= 0x20 && octet != 0x7F) }
}

/// Removes lines that end with CRLF, and counted bytes, from the front. A bare CR belongs to its line and is rejected.
private struct Lines {
    let bytes: [UInt8]
    private(set) var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> [UInt8]? {
        guard let feed = bytes[position...].firstIndex(of: 0x0A), feed > position, bytes[feed - 1] == 0x0D else {
            return nil
        }
        defer { position = feed + 1 }
        return Array(bytes[position..<feed - 1])
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
