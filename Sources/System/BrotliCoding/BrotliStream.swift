import CBrotli
import ZlibCoding

/// Decompresses Brotli (RFC 7932) as it arrives.
///
/// A few bytes can make the decoder reserve the window that they announce, so its memory is bounded: for a stream, and
/// for all together (``BrotliMemory``).
package final class BrotliStream: DecompressingStream {
    private let memory = BrotliMemory()
    private let state: OpaquePointer?
    package private(set) var isEnded = false

    package init() {
        state = BrotliDecoderCreateInstance(
            { BrotliMemory.allocate($0, $1) }, { BrotliMemory.free($0, $1) },
            // The decoder is destroyed before the object that this points to.
            Unmanaged.passUnretained(memory).toOpaque())
    }

    deinit {
        if let state { BrotliDecoderDestroyInstance(state) }
    }

    package func inflate(_ piece: [UInt8], room: Int, _ visit: (ArraySlice<UInt8>) throws -> Void) throws {
        guard !piece.isEmpty else { return }
        guard let state else { throw Inflater.Failure.exhausted }
        guard !isEnded else { throw Inflater.Failure.malformed }
        var output = [UInt8](repeating: 0, count: room)
        try piece.withUnsafeBufferPointer { source in
            var next = source.baseAddress
            var left = source.count
            var result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
            while result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT {
                let count = output.withUnsafeMutableBufferPointer { target in
                    var place = target.baseAddress
                    var free = room
                    result = BrotliDecoderDecompressStream(state, &left, &next, &free, &place, nil)
                    return room - free
                }
                if result == BROTLI_DECODER_RESULT_ERROR {
                    throw memory.refusal ?? Inflater.Failure.malformed
                }
                isEnded = result == BROTLI_DECODER_RESULT_SUCCESS
                if count > 0 { try visit(output[..<count]) }
            }
            guard left == 0 else { throw Inflater.Failure.malformed }
        }
    }
}
