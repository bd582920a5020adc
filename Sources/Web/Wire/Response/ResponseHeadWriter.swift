package import HTTPTypes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes a status line and field lines. The caller adds the framing fields, so none is written twice.
package enum ResponseHeadWriter {
    package static func appendStatusLine(_ status: HTTPResponse.Status, to output: inout OutputBuffer) {
        if status.code == 200 {
            output.append("HTTP/1.1 200 OK\r\n")
            return
        }
        output.append("HTTP/1.1 ")
        output.appendDecimal(status.code)
        output.append(.space)
        output.appendText(status.reasonPhrase)
        output.append("\r\n")
    }

    /// Names and values are safe: `HTTPField` rejects or replaces characters that could end a line early.
    package static func appendField(_ field: HTTPField, to output: inout OutputBuffer) {
        output.appendText(field.name.rawName)
        output.append(": ")
        output.appendText(field.value)
        output.append("\r\n")
    }
}

/// Frames a body of unknown length (RFC 9112 section 7.1).
package enum ChunkedEncoder {
    /// Writes nothing for an empty chunk, which would end the body.
    package static func append(_ chunk: [UInt8], to output: inout OutputBuffer) {
        guard !chunk.isEmpty else { return }
        output.appendText(String(chunk.count, radix: 16))
        output.append("\r\n")
        output.append(chunk)
        output.append("\r\n")
    }

    package static func appendEnd(to output: inout OutputBuffer) { output.append("0\r\n\r\n") }
}

/// The fixed-length form that `Date` fields use (RFC 9110 section 5.6.7), e.g. `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    /// `secondsSinceEpoch` must not be negative.
    package static func text(secondsSinceEpoch: Int) -> String {
        var (seconds, parts) = (time_t(secondsSinceEpoch), tm())
        gmtime_r(&seconds, &parts)
        // In the locale C, which no program of ours changes.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let start = text.baseAddress else { return "" }
            let count = strftime(start, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: UnsafeRawBufferPointer(text).prefix(count), as: UTF8.self)
        }
    }
}
