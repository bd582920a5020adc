#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Parses a request head line by line as its bytes arrive. Errors are thrown as soon as they are certain, so that a
/// client of another protocol does not wait for a deadline.
struct RequestHeadParser: Sendable {
    /// Bytes of the unfinished line that contain no line end.
    private var searched = 0
    /// Offset in the head of the first field line, once there is a request line.
    private var fieldsStart = 0
    private var hasRequestLine = false
    private var skippedEmptyLine = false
    private var facts = FramingFacts()

    /// Continues in `input`, which begins with the first byte of a line. Moves complete lines to `head`, so that only
    /// the unfinished one has to be kept by the caller.
    ///
    /// Returns how many bytes were consumed, and whether the head is complete.
    mutating func parse(
        _ input: UnsafeRawBufferPointer, limits: HTTPLimits, into head: inout RequestHead
    ) throws(WireError) -> (consumed: Int, isComplete: Bool) {
        // Offsets in the head are those in the input, plus the lines that earlier calls have kept.
        let kept = head.bytes.count
        var position = 0
        var isKept = false
        defer { if !isKept { head.keep(UnsafeRawBufferPointer(rebasing: input[..<position])) } }
        while true {
            guard let feed = lineFeed(in: input, from: position) else {
                try refuseEarly(input[position...], at: kept + position, limits: limits)
                return (position, false)
            }
            guard feed > position, input[feed - 1] == .carriageReturn else {
                throw .malformed("A line of the head does not end with CRLF.")
            }
            let line = UnsafeRawBufferPointer(rebasing: input[position..<feed - 1])
            let start = kept + position
            try refuseOverlong(line.count, at: start, limits: limits)
            position = feed + 1
            if !hasRequestLine {
                if line.isEmpty {
                    // RFC 9112 section 2.2: a single empty line before the request line is ignored.
                    guard !skippedEmptyLine else { throw .malformed("The request line is missing.") }
                    skippedEmptyLine = true
                    continue
                }
                try readRequestLine(line, at: start, into: &head)
                hasRequestLine = true
                fieldsStart = kept + position
            } else if line.isEmpty {
                try facts.settle(into: &head)
                head.keep(UnsafeRawBufferPointer(rebasing: input[..<position]))
                isKept = true
                head.completePath()
                return (position, true)
            } else {
                guard head.fields.count < limits.fieldCount else { throw .headerTooLarge }
                try readField(line, at: start, into: &head)
            }
        }
    }

    /// The end of the line that begins at `start`.
    private mutating func lineFeed(in input: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let from = start + searched
        guard from < input.count, let base = input.baseAddress,
            let found = memchr(base + from, 0x0A, input.count - from)
        else {
            searched = input.count - start
            return nil
        }
        searched = 0
        return base.distance(to: UnsafeRawPointer(found))
    }

    /// Checks an incomplete line. Its last octet may be the CR of its line end.
    private func refuseEarly(
        _ pending: Slice<UnsafeRawBufferPointer>, at start: Int, limits: HTTPLimits
    ) throws(WireError) {
        guard let first = pending.first, let last = pending.last else { return }
        if !hasRequestLine, first != .carriageReturn, !OctetSet.token.contains(first) {
            throw .malformed("The method is not a token.")
        }
        try refuseOverlong(last == .carriageReturn ? pending.count - 1 : pending.count, at: start, limits: limits)
    }

    /// `length` excludes the line end; the total of the fields includes line ends. `start` is the line's offset in the
    /// head.
    private func refuseOverlong(_ length: Int, at start: Int, limits: HTTPLimits) throws(WireError) {
        if !hasRequestLine {
            if length > limits.requestLineBytes { throw .requestLineTooLong }
        } else if length > 0, start - fieldsStart + length + 2 > limits.headerBytes {
            throw .headerTooLarge
        }
    }

    private func readRequestLine(
        _ line: UnsafeRawBufferPointer, at start: Int, into head: inout RequestHead
    ) throws(WireError) {
        guard let methodEnd = line.index(of: .space), methodEnd > 0 else {
            throw .malformed("The request line is not METHOD target HTTP/1.1.")
        }
        guard OctetSet.token.containsAll(line, to: methodEnd) else { throw .malformed("The method is not a token.") }
        let targetStart = methodEnd + 1
        guard let targetEnd = line.index(of: .space, from: targetStart), targetEnd > targetStart else {
            throw .malformed("The request line is not METHOD target HTTP/1.1.")
        }
        head.minorVersion = try readVersion(UnsafeRawBufferPointer(rebasing: line[(targetEnd + 1)...]))
        guard let method = RequestMethod(UnsafeRawBufferPointer(rebasing: line[..<methodEnd])) else {
            throw .unknownMethod
        }
        head.method = method
        let target = UnsafeRawBufferPointer(rebasing: line[targetStart..<targetEnd])
        let parts = try RequestTarget.parse(target, method: method)
        let base = start + targetStart
        head.authorityRange = base + parts.authority.lowerBound..<base + parts.authority.upperBound
        head.pathRange = base + parts.path.lowerBound..<base + parts.path.upperBound
        head.queryRange = base + parts.query.lowerBound..<base + parts.query.upperBound
    }

    private func readVersion(_ version: UnsafeRawBufferPointer) throws(WireError) -> UInt8 {
        guard version.count == 8, UnsafeRawBufferPointer(rebasing: version[..<5]).equals("HTTP/"),
            OctetSet.digit.contains(version[5]), version[6] == UInt8(ascii: "."), OctetSet.digit.contains(version[7])
        else { throw .malformed("The request line does not end with HTTP/1.1.") }
        guard version[5] == UInt8(ascii: "1") else { throw .unknownVersion }
        return version[7] == UInt8(ascii: "0") ? 0 : 1
    }

    private mutating func readField(
        _ line: UnsafeRawBufferPointer, at start: Int, into head: inout RequestHead
    ) throws(WireError) {
        guard line[0] != .space, line[0] != .tab else {
            throw .malformed("A field line is folded or begins with a blank.")
        }
        guard let colon = OctetSet.token.firstStranger(line, from: 0, to: line.count), colon > 0,
            line[colon] == UInt8(ascii: ":")
        else { throw .malformed("A field line does not begin with a name and a colon.") }
        var valueStart = colon + 1
        var valueEnd = line.count
        while valueStart < valueEnd, line[valueStart] == .space || line[valueStart] == .tab { valueStart += 1 }
        while valueEnd > valueStart, line[valueEnd - 1] == .space || line[valueEnd - 1] == .tab { valueEnd -= 1 }
        let known = KnownField(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        let value = UnsafeRawBufferPointer(rebasing: line[valueStart..<valueEnd])
        guard OctetSet.isFieldValue(value) else { throw .malformed("A field value holds a control character.") }
        try facts.note(known, value)
        head.fields.append(
            RequestHead.Field(
                nameStart: UInt32(start), nameCount: UInt32(colon), valueStart: UInt32(start + valueStart),
                valueCount: UInt32(valueEnd - valueStart), known: known))
    }
}
