package import HTTPTypes

/// Writes a status line and field lines. The caller decides about framing fields, so nothing is written twice.
package enum ResponseHeadWriter {
    package static func appendStatusLine(_ status: HTTPResponse.Status, to output: inout [UInt8]) {
        if status.code == 200 {
            append("HTTP/1.1 200 OK\r\n", to: &output)
            return
        }
        append("HTTP/1.1 ", to: &output)
        appendDecimal(status.code, to: &output)
        output.append(.space)
        output.append(contentsOf: status.reasonPhrase.utf8)
        append("\r\n", to: &output)
    }

    /// Names and values are clean: `HTTPField` refuses or replaces what could end a line early.
    package static func appendField(_ field: HTTPField, to output: inout [UInt8]) {
        output.append(contentsOf: field.name.rawName.utf8)
        append(": ", to: &output)
        output.append(contentsOf: field.value.utf8)
        append("\r\n", to: &output)
    }

    package static func append(_ literal: StaticString, to output: inout [UInt8]) {
        output.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Decimal digits of a number that is not negative.
    package static func appendDecimal(_ number: Int, to output: inout [UInt8]) {
        guard number >= 10 else {
            output.append(0x30 &+ UInt8(truncatingIfNeeded: number))
            return
        }
        let start = output.count
        var rest = number
        while rest > 0 {
            output.append(0x30 &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        output[start...].reverse()
    }
}

/// Frames a body of unknown length (RFC 9112 section 7.1).
package enum ChunkedEncoder {
    /// An empty chunk would end the body, so nothing is written for it.
    package static func append(_ chunk: [UInt8], to output: inout [UInt8]) {
        guard !chunk.isEmpty else { return }
        output.append(contentsOf: String(chunk.count, radix: 16).utf8)
        ResponseHeadWriter.append("\r\n", to: &output)
        output.append(contentsOf: chunk)
        ResponseHeadWriter.append("\r\n", to: &output)
    }

    package static func appendEnd(to output: inout [UInt8]) { ResponseHeadWriter.append("0\r\n\r\n", to: &output) }
}
