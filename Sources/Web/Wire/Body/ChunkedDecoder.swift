import TextCoding

/// Decodes the chunked transfer coding (RFC 9112 section 7.1). Sizes are hexadecimal digits only, every line ends with
/// CRLF, extensions are skipped and bounded, trailers are checked and dropped.
struct ChunkedDecoder: Sendable {
    enum Step: Equatable {
        /// More input is needed; `consumed` bytes are finished.
        case needMore(consumed: Int)
        /// This range of the input is body; everything up to its end is finished.
        case data(Range<Int>)
        /// The body is complete; everything before `consumed` belonged to it.
        case end(consumed: Int)
    }

    private enum State: Sendable, Equatable {
        case size
        case data(remaining: Int)
        case dataEnd
        case trailer
    }

    private var state = State.size
    private var extensionBytes = 0
    private var trailerBytes = 0
    private var trailerCount = 0

    /// A size line without extensions needs at most 16 digits; leading zeros count.
    private static let maximumSizeDigits = 16

    /// `bodyBytesLeft` is the remaining body limit: a larger chunk is rejected before its bytes arrive.
    mutating func step(
        _ input: UnsafeRawBufferPointer, limits: HTTPLimits, bodyBytesLeft: Int = .max
    ) throws(WireError) -> Step {
        var offset = 0
        while true {
            switch state {
            case .size:
                guard let line = try line(in: input, from: offset, limit: limits.chunkExtensionBytes + 32) else {
                    return .needMore(consumed: offset)
                }
                offset += line.count + 2
                let size = try readSize(line, limits: limits)
                guard size <= bodyBytesLeft else { throw .bodyTooLarge }
                state = size == 0 ? .trailer : .data(remaining: size)
            case .data(let remaining):
                let available = min(remaining, input.count - offset)
                guard available > 0 else { return .needMore(consumed: offset) }
                state = available == remaining ? .dataEnd : .data(remaining: remaining - available)
                return .data(offset..<offset + available)
            case .dataEnd:
                guard input.count > offset else { return .needMore(consumed: offset) }
                guard input[offset] == .carriageReturn else { throw Self.unterminatedChunk }
                guard input.count > offset + 1 else { return .needMore(consumed: offset) }
                guard input[offset + 1] == .lineFeed else { throw Self.unterminatedChunk }
                offset += 2
                state = .size
            case .trailer:
                guard let line = try line(in: input, from: offset, limit: limits.trailerBytes, tooLong: .headerTooLarge)
                else {
                    return .needMore(consumed: offset)
                }
                offset += line.count + 2
                if line.isEmpty { return .end(consumed: offset) }
                try checkTrailer(line, limits: limits)
            }
        }
    }

    private static let unterminatedChunk = WireError.malformed("A chunk does not end with CRLF after its size.")

    /// The line that begins at `start`, without its CRLF; `nil` if it is incomplete.
    private func line(
        in input: UnsafeRawBufferPointer, from start: Int, limit: Int,
        tooLong: WireError = .malformed("A line of the chunked body is too long.")
    ) throws(WireError) -> UnsafeRawBufferPointer? {
        let window = input[start..<min(input.count, start + limit + 2)]
        guard let feed = window.firstIndex(of: .lineFeed) else {
            if window.count > limit + 1 { throw tooLong }
            return nil
        }
        guard feed > start, input[feed - 1] == .carriageReturn else {
            throw .malformed("A line of the chunked body does not end with CRLF.")
        }
        return UnsafeRawBufferPointer(rebasing: input[start..<feed - 1])
    }

    private mutating func readSize(_ line: UnsafeRawBufferPointer, limits: HTTPLimits) throws(WireError) -> Int {
        var size = 0
        var digits = 0
        while digits < line.count, let value = line[digits].hexDigitValue {
            digits += 1
            guard digits <= Self.maximumSizeDigits else { throw .malformed("A chunk size has too many digits.") }
            // 15 digits fit in 60 bits; only leading zeros or a size beyond any limit need a 16th.
            guard size < 1 << 58 else { throw .bodyTooLarge }
            size = size << 4 | Int(value)
        }
        guard digits > 0 else { throw .malformed("A chunk size is missing or not hexadecimal.") }
        guard digits < line.count else { return size }
        var rest = line[digits...]
        while let first = rest.first, first == .space || first == .tab { rest = rest.dropFirst() }
        guard rest.first == UInt8(ascii: ";") else { throw .malformed("A chunk size is followed by something else.") }
        guard rest.allSatisfy(OctetSet.fieldValue.contains) else {
            throw .malformed("A chunk extension holds a control character.")
        }
        extensionBytes += line.count - digits
        guard extensionBytes <= limits.chunkExtensionBytes else {
            throw .malformed("The chunk extensions are longer than this server accepts.")
        }
        return size
    }

    private mutating func checkTrailer(_ line: UnsafeRawBufferPointer, limits: HTTPLimits) throws(WireError) {
        trailerBytes += line.count + 2
        trailerCount += 1
        guard trailerBytes <= limits.trailerBytes, trailerCount <= limits.fieldCount else { throw .headerTooLarge }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            OctetSet.token.containsAll(line, to: colon), OctetSet.fieldValue.containsAll(line, from: colon)
        else { throw .malformed("A trailer field is malformed.") }
    }
}
