#if os(Linux)
    import CZlib
    import Foundation

    /// Searches transmitted bytes for secrets in every encoding that could hide them.
    package enum LeakScan {
        /// Maximum number of nested encodings.
        private static let maximumDepth = 4

        /// The secrets contained in the bytes: verbatim or in another case, percent-encoded, with JSON escapes, in
        /// Base64 of either alphabet, hexadecimal, UTF-16, compressed with gzip or zlib, and in nested combinations.
        package static func secrets(_ secrets: [String], in bytes: [UInt8]) -> Set<String> {
            let wanted = secrets.map { (secret: $0, bytes: Array($0.lowercased().utf8)) }
            var found: Set<String> = []
            var seen: Set<[UInt8]> = []
            var waiting = [(bytes, 0)]
            while let (layer, depth) = waiting.popLast() {
                guard seen.insert(layer).inserted else { continue }
                let folded = Array(String(decoding: layer, as: UTF8.self).lowercased().utf8)
                for (secret, needle) in wanted where contains(folded, needle) { found.insert(secret) }
                guard depth < maximumDepth else { continue }
                for decoded in decodings(layer) where decoded != layer { waiting.append((decoded, depth + 1)) }
            }
            return found
        }

        private static func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
            guard !needle.isEmpty else { return false }
            return Data(bytes).range(of: Data(needle)) != nil
        }

        private static func decodings(_ bytes: [UInt8]) -> [[UInt8]] {
            [percentDecoded(bytes), jsonUnescaped(bytes), bytes.filter { $0 != 0 }]
                + runs(bytes) { isBase64($0) }.compactMap(base64Decoded)
                + runs(bytes) { isHexadecimal($0) }.map(hexDecoded)
                + compressed(bytes)
        }

        private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
            var decoded: [UInt8] = []
            var index = 0
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                    let value = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
                {
                    decoded.append(value)
                    index += 3
                } else {
                    decoded.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                    index += 1
                }
            }
            return decoded
        }

        private static func jsonUnescaped(_ bytes: [UInt8]) -> [UInt8] {
            var units: [UInt16] = []
            let text = Array(String(decoding: bytes, as: UTF8.self).utf16)
            var index = 0
            while index < text.count {
                if text[index] == 0x5C, index + 1 < text.count {
                    if text[index + 1] == UInt16(UInt8(ascii: "u")), index + 5 < text.count,
                        let unit = UInt16(String(decoding: text[index + 2...index + 5], as: UTF16.self), radix: 16)
                    {
                        units.append(unit)
                        index += 6
                    } else {
                        units.append(text[index + 1])
                        index += 2
                    }
                } else {
                    units.append(text[index])
                    index += 1
                }
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }

        /// Runs of at least eight such bytes.
        private static func runs(_ bytes: [UInt8], _ belongs: (UInt8) -> Bool) -> [[UInt8]] {
            bytes.split { !belongs($0) }.filter { $0.count >= 8 }.map(Array.init)
        }

        private static func isHexadecimal(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
        }

        private static func hexDecoded(_ run: [UInt8]) -> [UInt8] {
            stride(from: 0, to: run.count - 1, by: 2).compactMap {
                UInt8(String(decoding: run[$0...$0 + 1], as: UTF8.self), radix: 16)
            }
        }

        private static func isBase64(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "+/-_=".utf8.contains(byte)
        }

        private static func base64Decoded(_ run: [UInt8]) -> [UInt8]? {
            var text = String(decoding: run, as: UTF8.self).replacing("-", with: "+").replacing("_", with: "/")
                .replacing("=", with: "")
            while text.utf8.count % 4 != 0 { text += "=" }
            return Data(base64Encoded: text).map { Array($0) }
        }

        /// The inflated data from each position where gzip or zlib data could begin.
        private static func compressed(_ bytes: [UInt8]) -> [[UInt8]] {
            guard bytes.count > 8 else { return [] }
            return (0..<bytes.count - 2).compactMap { start in
                let isGzip = bytes[start] == 0x1F && bytes[start + 1] == 0x8B
                let isZlib = bytes[start] == 0x78 && (Int(bytes[start]) << 8 | Int(bytes[start + 1])) % 31 == 0
                return isGzip || isZlib ? inflated(Array(bytes[start...])) : nil
            }
        }

        private static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
            var stream = z_stream()
            // 15 bits of window, plus 32 to detect gzip or zlib by the header.
            guard inflateInit2_(&stream, 47, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                return nil
            }
            defer { inflateEnd(&stream) }
            var input = bytes
            var output = [UInt8](repeating: 0, count: 1 << 20)
            let count = input.withUnsafeMutableBufferPointer { source in
                output.withUnsafeMutableBufferPointer { sink in
                    stream.next_in = source.baseAddress
                    stream.avail_in = UInt32(source.count)
                    stream.next_out = sink.baseAddress
                    stream.avail_out = UInt32(sink.count)
                    _ = inflate(&stream, Z_SYNC_FLUSH)
                    return sink.count - Int(stream.avail_out)
                }
            }
            return count > 0 ? Array(output[..<count]) : nil
        }
    }
#endif
