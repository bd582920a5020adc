import CZlib

/// Decompresses `gzip` and `deflate` up to a limit, through zlib.
package enum Inflater {
    package enum Failure: Error, Equatable {
        /// Not the declared coding, truncated, or followed by other data.
        case malformed
        /// Larger than the caller accepts; decompression stopped at the limit.
        case tooLarge
        /// `accepts` rejected the first `byteCount` bytes; nothing more was inflated.
        case refused(byteCount: Int)
        /// The decoders of all bodies take too much memory right now.
        case exhausted
    }

    /// The bare stream of RFC 1951, as zip archives have it.
    package static func inflateBare(_ bytes: [UInt8], maximumBytes: Int) throws(Failure) -> [UInt8] {
        let (result, ending) = try run(bytes, upTo: maximumBytes + 1, isBare: true, 0) { _ in true }
        if result.count > maximumBytes { throw .tooLarge }
        guard ending == .whole else { throw .malformed }
        return result
    }

    /// `deflate` accepts both the zlib wrapper of RFC 9110 section 8.4.1.2 and the bare stream that some clients send.
    ///
    /// - Parameters:
    ///   - prefixCount: how many bytes are inflated before `accepts` is called, or fewer if the body is shorter or
    ///     truncated. 0 passes an empty prefix.
    ///   - accepts: called once, before the rest is inflated. `false` stops decompression.
    package static func inflate(
        _ bytes: [UInt8], maximumBytes: Int, prefixCount: Int = 0, accepts: ([UInt8]) -> Bool = { _ in true }
    ) throws(Failure) -> [UInt8] {
        let (result, ending) = try run(bytes, upTo: maximumBytes + 1, isBare: false, prefixCount, accepts)
        if ending == .refused { throw .refused(byteCount: result.count) }
        if result.count > maximumBytes { throw .tooLarge }
        guard ending == .whole else { throw .malformed }
        return result
    }

    /// Whether the bytes begin like gzip or like zlib. A zlib header has compression method 8 in its low bits and is a
    /// multiple of 31; a bare stream has no header.
    static func isWrapped(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return false }
        return first == 0x1F
            || (first & 0x0F == 8 && bytes.count > 1 && (Int(first) << 8 | Int(bytes[1])) % 31 == 0)
    }

    private enum Ending {
        /// The coding ended, with nothing after it.
        case whole
        /// More data follows, or the body was truncated.
        case open
        case broken
        case refused
    }

    /// Inflates at most `count` bytes.
    private static func run(
        _ bytes: [UInt8], upTo count: Int, isBare: Bool, _ prefixCount: Int, _ accepts: ([UInt8]) -> Bool
    ) throws(Failure) -> ([UInt8], Ending) {
        guard !bytes.isEmpty else { throw .malformed }
        let isWrapped = !isBare && isWrapped(bytes)
        var stream = z_stream()
        guard
            inflateInit2_(
                &stream, isWrapped ? 15 + 32 : -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .malformed }
        defer { inflateEnd(&stream) }
        var source = bytes
        var result: [UInt8] = []
        var status = Z_OK
        var hasSeenPrefix = prefixCount == 0
        var isAccepted = true
        source.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            while status == Z_OK, result.count < count {
                let end = hasSeenPrefix ? count : min(prefixCount, count)
                let room = min(65_536, end - result.count)
                result += [UInt8](unsafeUninitializedCapacity: room) { target, count in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(room)
                    status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    count = room - Int(stream.avail_out)
                }
                if !hasSeenPrefix, result.count == end || status == Z_STREAM_END || status == Z_BUF_ERROR {
                    hasSeenPrefix = true
                    isAccepted = accepts(result)
                    if !isAccepted { return }
                }
            }
        }
        guard isAccepted else { return (result, .refused) }
        switch status {
        case Z_STREAM_END: return (result, stream.avail_in == 0 ? .whole : .broken)
        case Z_OK, Z_BUF_ERROR: return (result, .open)
        default: return (result, .broken)
        }
    }
}
