import TextCoding

/// Some functions of an image in the order of their addresses, as stored: the records of a Breakpad symbol file, with
/// the names of source files in place of their numbers.
package enum SymbolPage {
    /// A page and the address of its first function.
    package struct Written: Sendable {
        package let first: UInt64
        package let bytes: [UInt8]
    }

    /// A page ends with the function that makes it as long.
    private static let length = 32_768

    /// Sorts functions and writes them. Of several names of one address, one is kept.
    package static func write(_ symbols: [ImageSymbol]) -> [Written] {
        // Sorting keeps the order of the list among equals.
        let sorted = symbols.sorted { ($0.address, $1.precedes($0) ? 1 : 0) < ($1.address, $0.precedes($1) ? 1 : 0) }
        var pages: [Written] = []
        var bytes: [UInt8] = []
        var first: UInt64?
        var last: UInt64?
        for symbol in sorted where symbol.address != last {
            last = symbol.address
            first = first ?? symbol.address
            append(symbol, to: &bytes)
            if bytes.count >= length, let start = first {
                pages.append(Written(first: start, bytes: bytes))
                bytes = []
                first = nil
            }
        }
        if let first { pages.append(Written(first: first, bytes: bytes)) }
        return pages
    }

    private static func append(_ symbol: ImageSymbol, to bytes: inout [UInt8]) {
        bytes += "FUNC \(String(symbol.address, radix: 16)) \(String(symbol.size, radix: 16)) \(symbol.rank) ".utf8
        bytes += symbol.name.utf8
        bytes.append(0x0A)
        for line in symbol.lines.sorted(by: { $0.address < $1.address }) {
            let numbers = "\(String(line.address, radix: 16)) \(String(line.size, radix: 16)) \(line.number) "
            bytes += numbers.utf8
            bytes += line.file.utf8
            bytes.append(0x0A)
        }
    }

    /// The last function of the page that begins at or before an address; nil if there is none.
    package static func symbol(at address: UInt64, in page: [UInt8]) -> ImageSymbol? {
        var found: ImageSymbol?
        for bytes in page.split(separator: 0x0A) {
            let line = String(decoding: bytes, as: UTF8.self)[...]
            if line.hasPrefix("FUNC ") {
                guard let symbol = function(line.dropFirst(5)) else { continue }
                guard symbol.address <= address else { break }
                found = symbol
            } else if let read = self.line(line) {
                found?.lines.append(read)
            }
        }
        return found
    }

    private static func function(_ line: Substring) -> ImageSymbol? {
        guard let (address, afterAddress) = SymbolLine.number(line, digits: 1...16),
            let (size, afterSize) = SymbolLine.number(afterAddress, digits: 1...16),
            let (rank, name) = SymbolLine.number(afterSize, digits: 1...2)
        else { return nil }
        return ImageSymbol(
            address: address, size: size, name: String(name), rank: UInt8(truncatingIfNeeded: rank))
    }

    private static func line(_ line: Substring) -> ImageSymbol.Line? {
        guard let (address, afterAddress) = SymbolLine.number(line, digits: 1...16),
            let (size, afterSize) = SymbolLine.number(afterAddress, digits: 1...16),
            let blank = afterSize.firstIndex(of: " "), let number = UInt64(afterSize[..<blank])
        else { return nil }
        return ImageSymbol.Line(
            address: address, size: size, number: number,
            file: String(afterSize[afterSize.index(after: blank)...]))
    }
}
