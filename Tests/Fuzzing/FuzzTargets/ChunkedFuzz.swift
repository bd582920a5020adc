import HTTPWire

/// Input: two bytes that determine the pieces, then a chunked body and the bytes after it.
enum ChunkedFuzz {
    static let head = Array("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard input.count > 2 else { return }
        let body = Array(input[2...])
        let reference = ReferenceChunks(body)
        // The bytes after the body belong to the next request and would only cause its rejection.
        let bytes = head + (reference.end.map { Array(body[..<$0]) } ?? body)
        var plan = PiecePlan(input[0], input[1])
        let whole = try Conversation(bytes, limits: HTTPLimits()) { bytes.count }
        let pieces = try Conversation(bytes, limits: HTTPLimits()) { plan.next() }
        try RequestFuzz.agree(whole, pieces)

        if whole.moments.last == .end {
            try hold(reference.end != nil, "a body that ends for us alone")
            try hold(whole.consumed == bytes.count, "a body that ends at another byte")
            let told = whole.moments.count == 3 ? whole.moments[1] : .body([])
            try hold(told == .body(reference.content), "another content")
        } else if whole.refusal == nil {
            try hold(reference.end == nil, "a body that does not end for us alone")
        } else {
            let isWithinLimits = bytes.count < HTTPLimits().chunkExtensionBytes && reference.trailerCount <= 100
            try hold(reference.end == nil || !isWithinLimits, "a correct body refused")
        }
    }
}
