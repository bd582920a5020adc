import CZlib

/// Content codings of whole bodies, through zlib.
package enum Gzip {
    /// `level` 1 (fast) … 9 (small). `nil` only when zlib has no memory.
    package static func compress(_ bytes: [UInt8], level: Int32 = 5) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, plus 16 for the gzip wrapper instead of zlib's.
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var source = bytes
        return source.withUnsafeMutableBufferPointer { source in
            let compressed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(bound)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? bound - Int(stream.avail_out) : 0
            }
            return compressed.isEmpty ? nil : compressed
        }
    }
}
