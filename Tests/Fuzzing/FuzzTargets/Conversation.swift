import HTTPTypes
import HTTPWire

/// The events of a request parser for the bytes of one connection. They must not depend on how the bytes are split.
struct Conversation: Equatable {
    enum Moment: Equatable {
        case head(HeadFacts)
        case body([UInt8])
        case end
    }

    private(set) var moments: [Moment] = []
    private(set) var refusal: WireError?
    /// Bytes consumed by the parser.
    private(set) var consumed = 0

    /// Feeds `input` like a connection: unconsumed bytes are passed again with further ones. `pieceLength` returns the
    /// number of further bytes.
    init(
        _ input: [UInt8], limits: HTTPLimits, bodyLimit: Int? = nil, pieceLength: () -> Int
    ) throws(BrokenPromise) {
        var parser = RequestParser(limits: limits)
        var head = RequestHead()
        var arrived = 0
        while refusal == nil, arrived < input.count {
            arrived = min(input.count, arrived + pieceLength())
            var needsMore = false
            while refusal == nil, !needsMore {
                let pending = Array(input[consumed..<arrived])
                do {
                    let (event, count) = try pending.withUnsafeBytes { bytes throws(WireError) in
                        try parser.next(bytes, head: &head)
                    }
                    try hold(count >= 0 && count <= pending.count, "the parser consumed what it does not have")
                    consumed += count
                    needsMore = try take(event, count, pending, &head)
                    if event == .head, let bodyLimit { parser.bodyLimit = bodyLimit }
                } catch let error as WireError {
                    try hold((400...599).contains(error.status.code), "a refusal without a status for it")
                    refusal = error
                } catch let error as BrokenPromise {
                    throw error
                } catch {
                    throw BrokenPromise("an error of another kind: \(error)")
                }
            }
        }
    }

    /// Whether the parser waits for more bytes.
    private mutating func take(
        _ event: RequestParser.Event, _ count: Int, _ pending: [UInt8], _ head: inout RequestHead
    ) throws(BrokenPromise) -> Bool {
        switch event {
        case .needMore: return true
        case .head:
            try hold(count > 0, "a head of no bytes")
            moments.append(.head(try HeadFacts(head)))
        case .body(let range):
            try hold(!range.isEmpty && range.lowerBound >= 0, "a piece of body without a byte")
            try hold(range.upperBound == count, "a body beyond what was consumed, or less than it")
            note(pending[range])
        case .end:
            try checkLength()
            moments.append(.end)
            head.reset()
            // Without remaining bytes, the next call could only report that bytes are missing.
            return count == pending.count
        }
        return false
    }

    private mutating func note(_ body: ArraySlice<UInt8>) {
        if case .body(let before)? = moments.last {
            moments[moments.count - 1] = .body(before + body)
        } else {
            moments.append(.body(Array(body)))
        }
    }

    /// The body of the finished request has the announced length.
    private func checkLength() throws(BrokenPromise) {
        var length = 0
        for moment in moments.reversed() {
            switch moment {
            case .body(let bytes): length += bytes.count
            case .end: throw BrokenPromise("a request without a head")
            case .head(let head):
                switch head.framing {
                case .none: try hold(length == 0, "a body that no head announced")
                case .length(let announced): try hold(length == announced, "a body of another length than announced")
                case .chunked: break
                }
                return
            }
        }
        throw BrokenPromise("an end before any head")
    }

    /// The completed requests. How much of the body of an unfinished or rejected one was reported depends on the split.
    var finished: ArraySlice<Moment> {
        moments.prefix(through: moments.lastIndex(of: .end) ?? moments.startIndex - 1)
    }
}
