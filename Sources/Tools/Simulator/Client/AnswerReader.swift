/// A complete response.
package struct Answer: Equatable {
    package let status: Int
    package let body: [UInt8]
    /// The server will close the connection.
    package let closes: Bool
    /// Including its quotation marks.
    package var entityTag: String?
    /// The `Retry-After` of the response, in seconds.
    package var retryAfter: Int?
    /// Whether the body is compressed with gzip.
    package var isCompressed = false
    /// Size of head and body as received.
    package var wireBytes = 0
}

/// Parses responses from received bytes. Supports what the servers under test send, HTTP/1.1 with `Content-Length`;
/// anything else is an error.
package struct AnswerReader {
    package struct Malformed: Error {}

    private struct Head {
        let length: Int
        let status: Int
        let bodyLength: Int
        let closes: Bool
        let entityTag: String?
        let retryAfter: Int?
        let isCompressed: Bool
    }

    /// Larger buffers are released: of ten thousand connections, few have such a response at a time.
    private static let keptBytes = 16_384

    private var bytes: [UInt8] = []
    private var head: Head?

    package init() {}

    package mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Returns the next response once it is complete.
    package mutating func next() throws(Malformed) -> Answer? {
        if head == nil { head = try readHead() }
        guard let head, bytes.count >= head.length + head.bodyLength else { return nil }
        let end = head.length + head.bodyLength
        let answer = Answer(
            status: head.status, body: Array(bytes[head.length..<end]), closes: head.closes, entityTag: head.entityTag,
            retryAfter: head.retryAfter, isCompressed: head.isCompressed, wireBytes: end)
        if end == bytes.count, end > Self.keptBytes { bytes = [] } else { bytes.removeFirst(end) }
        self.head = nil
        return answer
    }

    mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        head = nil
    }

    private func readHead() throws(Malformed) -> Head? {
        guard let length = headLength() else {
            guard bytes.count < 65_536 else { throw Malformed() }
            return nil
        }
        let lines = String(decoding: bytes[..<(length - 4)], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3)),
            (200...599).contains(status)
        else { throw Malformed() }
        var bodyLength: Int?
        var closes = false
        var entityTag: String?
        var retryAfter: Int?
        var isCompressed = false
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw Malformed() }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "content-length": bodyLength = Int(value)
            case "connection": closes = value.lowercased() == "close"
            case "etag": entityTag = String(value)
            case "retry-after": retryAfter = Int(value)
            case "content-encoding": isCompressed = value.lowercased() == "gzip"
            case "transfer-encoding": throw Malformed()
            default: break
            }
        }
        if status == 204 || status == 304 { bodyLength = 0 }
        guard let bodyLength, bodyLength >= 0 else { throw Malformed() }
        return Head(
            length: length, status: status, bodyLength: bodyLength, closes: closes, entityTag: entityTag,
            retryAfter: retryAfter, isCompressed: isCompressed)
    }

    /// Length through the empty line.
    private func headLength() -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var index = 3
            while index < bytes.count {
                if bytes[index] == 0x0A, bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A, bytes[index - 3] == 0x0D {
                    return index + 1
                }
                index += 1
            }
            return nil
        }
    }
}
