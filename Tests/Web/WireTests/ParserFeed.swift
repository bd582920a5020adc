import HTTPTypes

@testable import HTTPWire

/// The events of a parser, with adjacent pieces of body joined: they must not depend on how the input is split.
enum Seen: Equatable {
    case head(SeenHead)
    case body([UInt8])
    case end
}

struct SeenHead: Equatable {
    var method = RequestMethod.get
    var path = "/"
    var query = ""
    var minorVersion: UInt8 = 1
    var framing = BodyFraming.none
    var keepsAlive = true
    var expectsContinue = false
    var fields: [String] = []

    init() {}

    init(_ head: RequestHead) {
        method = head.method
        path = head.path
        query = head.query
        minorVersion = head.minorVersion
        framing = head.framing
        keepsAlive = head.keepsAlive
        expectsContinue = head.expectsContinue
        fields = head.httpFields.map { "\($0.name.rawName): \($0.value)" }
    }
}

/// Feeds a parser like a connection: unconsumed bytes are passed again with further ones.
struct ParserFeed {
    var parser: RequestParser
    var bodyLimit: Int?
    private(set) var seen: [Seen] = []
    private var head = RequestHead()
    private var unconsumed: [UInt8] = []

    init(limits: HTTPLimits = HTTPLimits(), bodyLimit: Int? = nil) {
        parser = RequestParser(limits: limits)
        self.bodyLimit = bodyLimit
    }

    /// Bytes passed and not consumed.
    var pendingCount: Int { unconsumed.count }

    mutating func give(_ piece: some Collection<UInt8>) throws(WireError) {
        unconsumed += piece
        while true {
            let (event, consumed) = try step()
            precondition((0...unconsumed.count).contains(consumed), "the parser consumed what it does not have")
            switch event {
            case .needMore:
                unconsumed.removeFirst(consumed)
                return
            case .head:
                seen.append(.head(SeenHead(head)))
                if let bodyLimit { parser.bodyLimit = bodyLimit }
            case .body(let range):
                precondition(range.upperBound <= consumed, "a body beyond what was consumed")
                noteBody(Array(unconsumed[range]))
            case .end:
                seen.append(.end)
                head.reset()
            }
            unconsumed.removeFirst(consumed)
            if case .end = event, unconsumed.isEmpty { return }
        }
    }

    private mutating func step() throws(WireError) -> (event: RequestParser.Event, consumed: Int) {
        // A copy of exactly its size, so that a sanitizer detects reads beyond the end.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, unconsumed.count), alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: unconsumed)
        return try parser.next(UnsafeRawBufferPointer(rebasing: copy[..<unconsumed.count]), head: &head)
    }

    private mutating func noteBody(_ bytes: [UInt8]) {
        if case .body(let before)? = seen.last {
            seen[seen.count - 1] = .body(before + bytes)
        } else {
            seen.append(.body(bytes))
        }
    }

    /// Everything at once.
    static func parse(
        _ input: [UInt8], limits: HTTPLimits = HTTPLimits(), bodyLimit: Int? = nil
    ) throws(WireError) -> [Seen] {
        var feed = ParserFeed(limits: limits, bodyLimit: bodyLimit)
        try feed.give(input)
        return feed.seen
    }

    /// The error for the input, or `nil`.
    static func refusal(
        _ input: [UInt8], limits: HTTPLimits = HTTPLimits(), bodyLimit: Int? = nil
    ) -> WireError? {
        do {
            _ = try parse(input, limits: limits, bodyLimit: bodyLimit)
            return nil
        } catch {
            return error
        }
    }

    /// The same input one byte at a time.
    static func parseByteByByte(
        _ input: [UInt8], limits: HTTPLimits = HTTPLimits(), bodyLimit: Int? = nil
    ) throws(WireError) -> [Seen] {
        var feed = ParserFeed(limits: limits, bodyLimit: bodyLimit)
        for octet in input { try feed.give(CollectionOfOne(octet)) }
        return feed.seen
    }
}

/// The octets of a literal, one for each scalar up to U+00FF: `\u{A0}` is the octet 0xA0 and not its UTF-8.
func octets(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

func withBytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try octets(text).withUnsafeBytes(body)
}
