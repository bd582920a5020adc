/// A status line and its fields, parsed strictly: a lenient test client would hide errors.
struct ResponseHead {
    private let version: String
    private let status: Int
    private let reason: String
    private let fields: [RawResponse.Field]

    /// `bytes` ends with the empty line.
    init(_ bytes: [UInt8]) throws {
        var lines = try Self.lines(bytes.dropLast(2))
        let parts = lines.removeFirst().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3, let status = Int(parts[1])
        else { throw RawClientError.malformed("status line \"\(parts.joined(separator: " "))\"") }
        version = String(parts[0])
        self.status = status
        reason = String(parts[2])
        fields = try lines.map { line in
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line[..<colon].contains(" ") else {
                throw RawClientError.malformed("field line \"\(line)\"")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return RawResponse.Field(name: String(line[..<colon]), value: String(value))
        }
    }

    private static func lines(_ bytes: ArraySlice<UInt8>) throws -> [String] {
        try bytes.split(separator: 0x0A).map { line in
            guard line.last == 0x0D, !line.dropLast().contains(0x0D) else {
                throw RawClientError.malformed("a line of the head does not end with CRLF")
            }
            return String(decoding: line.dropLast(), as: UTF8.self)
        }
    }

    /// RFC 9112 section 6.3, for the client. Contradictions are errors.
    func framing(answering method: String) throws -> RawResponse.Framing {
        let lengths = values(of: "content-length")
        let codings = values(of: "transfer-encoding")
        guard lengths.count <= 1, codings.count <= 1, lengths.isEmpty || codings.isEmpty else {
            throw RawClientError.malformed("the length of the body is given twice")
        }
        if status < 200 || status == 204 {
            guard lengths.isEmpty, codings.isEmpty else {
                throw RawClientError.malformed("a \(status) must not speak of the length of a body")
            }
            return .none
        }
        if method == "HEAD" || status == 304 { return .none }
        if let coding = codings.first {
            guard coding == "chunked" else { throw RawClientError.malformed("transfer coding \"\(coding)\"") }
            return .chunked([])
        }
        guard let length = lengths.first else { return .untilClose }
        guard let count = Int(length), count >= 0 else { throw RawClientError.malformed("length \"\(length)\"") }
        return .length(count)
    }

    func response(framing: RawResponse.Framing, body: [UInt8]) -> RawResponse {
        RawResponse(version: version, status: status, reason: reason, fields: fields, framing: framing, body: body)
    }

    private func values(of name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }
}
