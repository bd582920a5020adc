import CZlib

/// A zlib stream (RFC 1950).
package enum ZlibStream {
    package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(UInt(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(size))
        compress(&compressed, &size, bytes, UInt(bytes.count))
        return Array(compressed.prefix(Int(size)))
    }
}
