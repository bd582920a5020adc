/// The length of a request's body, from its head alone (RFC 9112 section 6).
package enum BodyFraming: Sendable, Equatable {
    case none
    /// `Content-Length`, even if it is 0.
    case length(Int)
    case chunked
}

/// Collects, line by line, the fields that determine the end of the message and of the connection, and checks them at
/// the end of the head. Ambiguous messages are rejected (RFC 9112 sections 3.2, 6 and 9).
struct FramingFacts: Sendable {
    private var hostCount = 0
    private var contentLength: Int?
    private var transferCodingSeen = false
    private var chunked = false
    private var closes = false
    private var asksKeepAlive = false
    private var expectsContinue = false
    private var unknownExpectation = false

    mutating func note(_ field: KnownField, _ value: UnsafeRawBufferPointer) throws(WireError) {
        switch field {
        case .host:
            hostCount += 1
            guard hostCount == 1, HostSyntax.isValid(value) else {
                throw .malformed("There must be one Host field with one valid host.")
            }
        case .contentLength: try noteContentLength(value)
        case .transferEncoding: try noteTransferCoding(value)
        case .connection: noteConnection(value)
        case .expect:
            if value.equalsIgnoringCase("100-continue") { expectsContinue = true } else { unknownExpectation = true }
        default: break
        }
    }

    func settle(into head: inout RequestHead) throws(WireError) {
        if head.minorVersion >= 1, hostCount == 0 { throw .malformed("The Host field is missing.") }
        if transferCodingSeen {
            guard head.minorVersion >= 1 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding.") }
            guard contentLength == nil else {
                throw .malformed("Content-Length and Transfer-Encoding contradict each other.")
            }
            guard chunked else { throw Self.oddCoding }
            head.framing = .chunked
        } else if let contentLength {
            head.framing = .length(contentLength)
        }
        head.keepsAlive = head.minorVersion >= 1 ? !closes : asksKeepAlive && !closes
        if head.minorVersion >= 1 {
            // RFC 9110 section 10.1.1: an HTTP/1.0 client's expectation is ignored.
            if unknownExpectation { throw .unknownExpectation }
            head.expectsContinue = expectsContinue && head.framing != .none && head.framing != .length(0)
        }
    }

    private mutating func noteContentLength(_ value: UnsafeRawBufferPointer) throws(WireError) {
        // Repeated lengths are rejected even if they are equal: a proxy may have used only one of them.
        guard contentLength == nil, !value.isEmpty, OctetSet.digit.containsAll(value) else {
            throw .malformed("There must be at most one Content-Length, of digits only.")
        }
        var length = 0
        for octet in value {
            let (scaled, overflowed) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflowedAgain) = scaled.addingReportingOverflow(Int(octet - 0x30))
            if overflowed || overflowedAgain { throw .bodyTooLarge }
            length = sum
        }
        contentLength = length
    }

    private mutating func noteTransferCoding(_ value: UnsafeRawBufferPointer) throws(WireError) {
        guard !transferCodingSeen else { throw .malformed("Transfer-Encoding is given twice.") }
        transferCodingSeen = true
        if value.equalsIgnoringCase("chunked") {
            chunked = true
            return
        }
        var members = ListMembers(value)
        var endsInChunked = false
        while let coding = members.next() {
            // Only the last coding may be chunked, and each must be a non-empty token.
            guard !endsInChunked, !coding.isEmpty, OctetSet.token.containsAll(coding) else { throw Self.oddCoding }
            endsInChunked = coding.equalsIgnoringCase("chunked")
        }
        throw endsInChunked ? .unknownTransferCoding : Self.oddCoding
    }

    private static let oddCoding = WireError.malformed("The body's last transfer coding is not chunked.")

    private mutating func noteConnection(_ value: UnsafeRawBufferPointer) {
        var members = ListMembers(value)
        while let option = members.next() {
            if option.equalsIgnoringCase("close") { closes = true }
            if option.equalsIgnoringCase("keep-alive") { asksKeepAlive = true }
        }
    }
}
