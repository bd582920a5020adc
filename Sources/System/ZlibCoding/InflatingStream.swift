import CZlib

/// Decompresses `gzip` and `deflate` as they arrive.
package final class InflatingStream: DecompressingStream {
    // zlib keeps a pointer to its state, which must therefore not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var first: [UInt8] = []
    private var isBegun = false
    package private(set) var isEnded = false

    package init() { stream.initialize(to: z_stream()) }

    deinit {
        if isBegun { inflateEnd(stream) }
        stream.deallocate()
    }

    package func inflate(_ piece: [UInt8], room: Int, _ visit: (ArraySlice<UInt8>) throws -> Void) throws {
        guard !piece.isEmpty else { return }
        guard !isEnded else { throw Inflater.Failure.malformed }
        var source = piece
        if !isBegun {
            first += piece
            // The two bytes of a zlib header, or of gzip's magic number.
            guard first.count >= 2 else { return }
            source = first
            first = []
            try begin(source)
        }
        var output = [UInt8](repeating: 0, count: room)
        try source.withUnsafeMutableBufferPointer { source in
            stream.pointee.next_in = source.baseAddress
            stream.pointee.avail_in = UInt32(source.count)
            defer { stream.pointee.next_in = nil }
            var isFull = true
            while !isEnded, stream.pointee.avail_in > 0 || isFull {
                let (status, count) = output.withUnsafeMutableBufferPointer { target in
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(room)
                    let status = CZlib.inflate(stream, Z_NO_FLUSH)
                    return (status, room - Int(stream.pointee.avail_out))
                }
                isFull = count == room
                switch status {
                case Z_STREAM_END: isEnded = true
                case Z_OK: break
                // It needs more input.
                case Z_BUF_ERROR where count == 0: return
                default: throw Inflater.Failure.malformed
                }
                if count > 0 { try visit(output[..<count]) }
            }
            guard stream.pointee.avail_in == 0 else { throw Inflater.Failure.malformed }
        }
    }

    private func begin(_ source: [UInt8]) throws {
        let isWrapped = Inflater.isWrapped(source)
        let status = inflateInit2_(
            stream, isWrapped ? 15 + 32 : -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw Inflater.Failure.malformed }
        isBegun = true
    }
}
