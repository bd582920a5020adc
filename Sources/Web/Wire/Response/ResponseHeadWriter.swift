package import HTTPTypes

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
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `secondsSinceEpoch` must not be negative.
    package static func text(secondsSinceEpoch: Int) -> String {
        let days = secondsSinceEpoch / 86_400
        let second = secondsSinceEpoch % 86_400
        let (year, month, day) = civil(daysSinceEpoch: days)
        let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(weekdays[days % 7]), \(twoDigits(day)) \(months[month - 1]) \(year) \(time) GMT"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Converts days to year, month and day by 400-year eras that begin on 1 March, so that the leap day comes last.
    private static func civil(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
