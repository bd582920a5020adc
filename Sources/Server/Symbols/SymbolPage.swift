import Foundation
import TextCoding

/// Some functions of an image in the order of their addresses, as stored: the records of a Breakpad symbol file, with
/// the names of source files in place of their numbers.
package enum SymbolPage {
    /// A page and the address of its first function.
    package struct Written: Sendable {
        package let first: UInt64
        package let bytes: [UInt8]
    }

    /// A page ends with the function that makes it as long. A look-up reads a page of each part.
    private static let length = 8192

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
        page.withUnsafeBytes { page in
            var found = 0..<0
            var position = 0
            while position < page.count, self.address(page, at: position) <= address {
                let start = position
                repeat {
                    position = lineEnd(page, from: position)
                } while position < page.count
                    && page[position] != UInt8(ascii: "F")
                found = start..<position
            }
            return function(UnsafeRawBufferPointer(rebasing: page[found]))
        }
    }

    /// That of the function whose line begins at a position.
    private static func address(_ page: UnsafeRawBufferPointer, at position: Int) -> UInt64 {
        var address: UInt64 = 0
        var position = position + "FUNC ".utf8.count
        while position < page.count, let digit = page[position].hexDigitValue {
            address = address << 4 | UInt64(digit)
            position += 1
        }
        return address
    }

    /// Where the next line begins. Lines of functions begin with `FUNC`, those of sources with a digit in lower case.
    private static func lineEnd(_ page: UnsafeRawBufferPointer, from position: Int) -> Int {
        guard let base = page.baseAddress,
            let end = memchr(base + position, 0x0A, page.count - position)
        else { return page.count }
        return UnsafeRawPointer(end) - base + 1
    }

    /// A function and its lines; nil for no bytes.
    private static func function(_ record: UnsafeRawBufferPointer) -> ImageSymbol? {
        let lines = record.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self)[...] }
        var found = lines.first.flatMap { function($0.dropFirst("FUNC ".count)) }
        for line in lines.dropFirst() { if let read = self.line(line) { found?.lines.append(read) } }
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
