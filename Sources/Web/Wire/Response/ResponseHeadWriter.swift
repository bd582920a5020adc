package import HTTPTypes

/// Writes a status line and field lines. The caller decides about framing fields, so nothing is written twice.
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

    /// Names and values are clean: `HTTPField` refuses or replaces what could end a line early.
    package static func appendField(_ field: HTTPField, to output: inout OutputBuffer) {
        output.appendText(field.name.rawName)
        output.append(": ")
        output.appendText(field.value)
        output.append("\r\n")
    }
}

/// Frames a body of unknown length (RFC 9112 section 7.1).
package enum ChunkedEncoder {
    /// An empty chunk would end the body, so nothing is written for it.
    package static func append(_ chunk: [UInt8], to output: inout OutputBuffer) {
        guard !chunk.isEmpty else { return }
        output.appendText(String(chunk.count, radix: 16))
        output.append("\r\n")
        output.append(chunk)
        output.append("\r\n")
    }

    package static func appendEnd(to output: inout OutputBuffer) { output.append("0\r\n\r\n") }
}
