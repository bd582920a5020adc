import HTTPWire

/// Input: two bytes that determine the pieces and the limits, then the bytes of a client.
enum RequestFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard input.count > 2 else { return }
        let bytes = Array(input[2...])
        let limits = input[1] & 1 == 0 ? HTTPLimits() : Self.small
        let bodyLimit: Int? = input[1] & 2 == 0 ? nil : 40
        var plan = PiecePlan(input[0], input[1])
        let whole = try Conversation(bytes, limits: limits, bodyLimit: bodyLimit) { bytes.count }
        let pieces = try Conversation(bytes, limits: limits, bodyLimit: bodyLimit) { plan.next() }
        try agree(whole, pieces)
        if bytes.count <= 256 {
            try agree(whole, try Conversation(bytes, limits: limits, bodyLimit: bodyLimit) { 1 })
        }
    }

    /// Small enough that the fuzzer reaches all of them.
    private static let small: HTTPLimits = {
        var limits = HTTPLimits()
        limits.requestLineBytes = 48
        limits.headerBytes = 128
        limits.fieldCount = 6
        limits.chunkExtensionBytes = 16
        limits.trailerBytes = 32
        limits.bodyBytes = 64
        return limits
    }()

    static func agree(_ whole: Conversation, _ pieces: Conversation) throws(BrokenPromise) {
        try hold((whole.refusal == nil) == (pieces.refusal == nil), "refused or not, depending on the pieces")
        try hold(whole.finished == pieces.finished, "other requests, depending on the pieces")
        // The final state is the same too: heads, and every received byte of body.
        if whole.refusal == nil {
            try hold(whole == pieces, "another unfinished request, depending on the pieces")
        }
    }
}
