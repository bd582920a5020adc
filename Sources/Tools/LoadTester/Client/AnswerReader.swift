import DeviceSimulation

/// Parses responses from received bytes. Supports what the servers under test send, HTTP/1.1 with `Content-Length`;
/// anything else is ``LoadFault/malformed``.
struct AnswerReader {
    /// Larger buffers are released: of ten thousand connections, few have such a response at a time.
    private static let keptBytes = 16_384
    private static let maximumHeadBytes = 65_536
    /// The longest body; no server under test sends more.
    private static let maximumBodyBytes = 64 << 20

    private var bytes: [UInt8] = []
    /// The response without its body, and the length of its head.
    private var head: (answer: Answer, length: Int)?

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Returns the next response once it is complete.
    mutating func next() throws(LoadFault) -> Answer? {
        if head == nil { head = try readHead() }
        guard case (var answer, let length)? = head, bytes.count >= answer.wireBytes else { return nil }
        answer.body = Array(bytes[length..<answer.wireBytes])
        bytes.removeFirst(answer.wireBytes)
        if bytes.isEmpty, bytes.capacity > Self.keptBytes { bytes = [] }
        head = nil
        return answer
    }

    private func readHead() throws(LoadFault) -> (Answer, Int)? {
        let end = bytes.indices.dropFirst(3).first { index in
            bytes[index] == 0x0A && bytes[index - 1] == 0x0D && bytes[index - 2] == 0x0A && bytes[index - 3] == 0x0D
        }
        guard let end else {
            guard bytes.count < Self.maximumHeadBytes else { throw .malformed }
            return nil
        }
        let lines = String(decoding: bytes[..<(end - 3)], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3)),
            (200...599).contains(status)
        else { throw .malformed }
        var answer = Answer(status: status)
        var bodyLength: Int?
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "content-length": bodyLength = Int(value)
            case "connection": answer.closes = value.lowercased() == "close"
            case "etag": answer.entityTag = String(value)
            case "retry-after": answer.retryAfter = Int(value)
            case "content-encoding": answer.isCompressed = value.lowercased() == "gzip"
            case "transfer-encoding": throw .malformed
            default: break
            }
        }
        if [204, 304].contains(status) { bodyLength = 0 }
        guard let bodyLength, (0...Self.maximumBodyBytes).contains(bodyLength) else { throw .malformed }
        answer.wireBytes = end + 1 + bodyLength
        return (answer, end + 1)
    }
}
