/// Turns bytes into events: one request after another on one connection, as a value without sockets or clocks.
///
/// Pass all unconsumed bytes to ``next(_:head:)``, handle the event, drop the consumed bytes, repeat. After
/// ``Event/end`` the parser is ready for the next request; after an error the connection must be closed.
package struct RequestParser: Sendable {
    package enum Event: Equatable {
        /// More bytes are needed.
        case needMore
        /// The head is complete. Set ``bodyLimit`` before continuing if the route has its own.
        case head
        /// This range of the input is body.
        case body(Range<Int>)
        case end
    }

    private enum State: Sendable {
        case head(RequestHeadParser)
        case framing
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    package let limits: HTTPLimits
    /// Maximum bytes of this request's body as sent. Reset with each request.
    package var bodyLimit: Int
    private var state = State.head(RequestHeadParser())
    private var bodyBytes = 0

    package init(limits: HTTPLimits) {
        self.limits = limits
        bodyLimit = limits.bodyBytes
    }

    /// Whether no byte of another request has been read, so that closing loses nothing.
    package var isBetweenRequests: Bool {
        if case .head = state { true } else { false }
    }

    /// Whether the next bytes are body as a whole, so that a long read costs no more than a short one.
    package var isInPlainBody: Bool {
        if case .length = state { true } else { false }
    }

    /// Throws ``WireError``. `consumed` counts from the start of `input`.
    package mutating func next(
        _ input: UnsafeRawBufferPointer, head: inout RequestHead
    ) throws(WireError) -> (event: Event, consumed: Int) {
        switch state {
        case .head(var parser):
            let (consumed, isComplete) = try parser.parse(input, limits: limits, into: &head)
            guard isComplete else {
                state = .head(parser)
                return (.needMore, consumed)
            }
            state = .framing
            bodyLimit = limits.bodyBytes
            bodyBytes = 0
            return (.head, consumed)
        case .framing:
            switch head.framing {
            case .none: return finish(consumed: 0)
            case .length(let length):
                guard length <= bodyLimit else { throw .bodyTooLarge }
                state = .length(remaining: length)
            case .chunked: state = .chunked(ChunkedDecoder())
            }
            return try next(input, head: &head)
        case .length(let remaining):
            guard remaining > 0 else { return finish(consumed: 0) }
            let count = min(remaining, input.count)
            guard count > 0 else { return (.needMore, 0) }
            state = .length(remaining: remaining - count)
            return (.body(0..<count), count)
        case .chunked(var decoder):
            let step = try decoder.step(input, limits: limits, bodyBytesLeft: bodyLimit - bodyBytes)
            state = .chunked(decoder)
            switch step {
            case .needMore(let consumed): return (.needMore, consumed)
            case .end(let consumed): return finish(consumed: consumed)
            case .data(let range):
                bodyBytes += range.count
                return (.body(range), range.upperBound)
            }
        }
    }

    private mutating func finish(consumed: Int) -> (event: Event, consumed: Int) {
        state = .head(RequestHeadParser())
        return (.end, consumed)
    }
}
