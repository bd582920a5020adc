import HTTPTypes
import HTTPWire
import Testing

@testable import HTTPWire

@Suite struct ChunkedDecoderTests {
    /// The body, and the bytes after it.
    struct Decoded: Equatable {
        var body = ""
        var rest = ""
    }

    private static func decode(
        _ input: [UInt8], limits: HTTPLimits = HTTPLimits(), byPieces size: Int = .max
    ) throws(WireError) -> Decoded? {
        var decoder = ChunkedDecoder()
        var pending: [UInt8] = []
        var body: [UInt8] = []
        var given = 0
        while true {
            var step = ChunkedDecoder.Step.needMore(consumed: 0)
            do {
                step = try pending.withUnsafeBytes { try decoder.step($0, limits: limits) }
            } catch let error as WireError {
                throw error
            } catch {
                Issue.record("an untyped error: \(error)")
            }
            switch step {
            case .data(let range):
                body += pending[range]
                pending.removeFirst(range.upperBound)
            case .end(let consumed):
                let rest = pending[consumed...] + input[given...]
                return Decoded(body: text(body), rest: text(rest))
            case .needMore(let consumed):
                pending.removeFirst(consumed)
                guard given < input.count else { return nil }
                let count = min(size, input.count - given)
                pending += input[given..<given + count]
                given += count
            }
        }
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: [
        ("0\r\n\r\n", "", ""),
        ("5\r\n12.34\r\n0\r\n\r\n", "12.34", ""),
        ("5\r\n12.34\r\n0\r\n\r\nGET /", "12.34", "GET /"),
        ("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc", ""),
        ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789", ""),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789", ""),
        ("0000000000000003\r\nabc\r\n0\r\n\r\n", "abc", ""),
        ("3\r\nabc\r\n0000000000000000\r\n\r\n", "abc", ""),
        ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n", ""),
        ("3;x\r\nabc\r\n0;y=z\r\n\r\n", "abc", ""),
        ("3 \t; x = \"a;b\" ; y\r\nabc\r\n0\r\n\r\n", "abc", ""),
        ("3\r\nabc\r\n0\r\nX-Sum: 12\r\nY:\r\n\r\n!", "abc", "!"),
    ])
    func decodes(_ input: String, _ body: String, _ rest: String) throws {
        let expected = Decoded(body: body, rest: rest)
        #expect(try Self.decode(octets(input)) == expected)
        #expect(try Self.decode(octets(input), byPieces: 1) == expected)
    }

    @Test(arguments: [
        ("plus sign", "+3\r\nabc\r\n0\r\n\r\n"),
        ("minus sign", "-3\r\nabc\r\n0\r\n\r\n"),
        ("minus zero", "-0\r\n\r\n"),
        ("hexadecimal prefix", "0x3\r\nabc\r\n0\r\n\r\n"),
        ("underscore", "0_3\r\nabc\r\n0\r\n\r\n"),
        ("not hexadecimal", "g\r\nabc\r\n0\r\n\r\n"),
        ("a digit that is not ASCII", "\u{B3}\r\nabc\r\n0\r\n\r\n"),
        ("no size", "\r\nabc\r\n0\r\n\r\n"),
        ("only an extension", ";x\r\nabc\r\n0\r\n\r\n"),
        ("blank before the size", " 3\r\nabc\r\n0\r\n\r\n"),
        ("blank after the size", "3 \r\nabc\r\n0\r\n\r\n"),
        ("TAB after the size", "3\t\r\nabc\r\n0\r\n\r\n"),
        ("second word", "3 x\r\nabc\r\n0\r\n\r\n"),
        ("comma", "3,x\r\nabc\r\n0\r\n\r\n"),
        ("NUL after the size", "3\0\r\nabc\r\n0\r\n\r\n"),
        ("too many digits", "00000000000000003\r\nabc\r\n0\r\n\r\n"),
        ("bare LF after the size", "3\nabc\r\n0\r\n\r\n"),
        ("bare CR after the size", "3\rabc\r\n0\r\n\r\n"),
        ("CR CR LF after the size", "3\r\r\nabc\r\n0\r\n\r\n"),
        ("bare LF in an extension", "3;x\nabc\r\n0\r\n\r\n"),
        ("bare CR in an extension", "3;x\ry\r\nabc\r\n0\r\n\r\n"),
        ("NUL in an extension", "3;x\0\r\nabc\r\n0\r\n\r\n"),
        ("bare LF after the data", "3\r\nabc\n0\r\n\r\n"),
        ("bare CR after the data", "3\r\nabc\r0\r\n\r\n"),
        ("two octets instead of CRLF", "3\r\nabcXX0\r\n\r\n"),
        ("LF CR instead of CRLF", "3\r\nabc\n\r0\r\n\r\n"),
        ("more data than the size says", "3\r\nabcd\r\n0\r\n\r\n"),
        ("less data than the size says", "5\r\nabc\r\n0\r\n\r\n"),
        ("bare LF at the end", "0\r\n\n"),
        ("bare LF after the last size", "0\n\r\n"),
        ("trailer without colon", "0\r\nX\r\n\r\n"),
        ("trailer without name", "0\r\n: x\r\n\r\n"),
        ("blank before a trailer's colon", "0\r\nX : x\r\n\r\n"),
        ("folded trailer", "0\r\nX: x\r\n y\r\n\r\n"),
        ("NUL in a trailer", "0\r\nX: \0\r\n\r\n"),
        ("bare LF in the trailers", "0\r\nX: x\nY: y\r\n\r\n"),
        ("bare CR in the trailers", "0\r\nX: x\rY: y\r\n\r\n"),
    ])
    func refusesWith400(_ what: String, _ input: String) {
        let whole = Result { try Self.decode(octets(input)) }
        let byBytes = Result { try Self.decode(octets(input), byPieces: 1) }
        for outcome in [whole, byBytes] {
            guard case .failure(let error as WireError) = outcome else {
                Issue.record("\(what) was taken: \(outcome)")
                continue
            }
            #expect(error.status == .badRequest)
            #expect(error.code == .malformedRequest)
        }
    }

    @Test(arguments: ["ffffffffffffffff", "7fffffffffffffff", "8000000000000000", "8000000000000003"])
    func neverWrapsAroundASize(_ size: String) {
        #expect(throws: WireError.bodyTooLarge) { try Self.decode(octets("\(size)\r\nabc\r\n0\r\n\r\n")) }
    }

    @Test func waitsForTheRestOfABodyThatIsCutShort() throws {
        let input = octets("3;x\r\nabc\r\n0\r\nX: y\r\n\r\n")
        for count in 0..<input.count { #expect(try Self.decode(Array(input[..<count])) == nil, "\(count)") }
    }

    @Test func countsExtensionsOfOneChunk() throws {
        // ';' and the name form the extension: 4096 bytes are the maximum.
        let name = String(repeating: "e", count: 4095)
        #expect(try Self.decode(octets("1;\(name)\r\na\r\n0\r\n\r\n")) == Decoded(body: "a"))
        #expect(throws: WireError.self) { try Self.decode(octets("1;\(name)e\r\na\r\n0\r\n\r\n")) }
    }

    @Test func countsExtensionsOfAllChunksTogether() throws {
        // CVE-2023-39326, CVE-2024-22019: many small chunks, each with an extension.
        let chunk = "1;eeeeeee\r\na\r\n"
        #expect(try Self.decode(octets(String(repeating: chunk, count: 512) + "0\r\n\r\n"))?.body.count == 512)
        #expect(throws: WireError.self) { try Self.decode(octets(String(repeating: chunk, count: 513) + "0\r\n\r\n")) }
    }

    @Test func stopsAnExtensionThatNeverEnds() {
        let endless = octets("1;" + String(repeating: "e", count: 5000))
        #expect(throws: WireError.self) { try Self.decode(endless) }
        #expect(throws: WireError.self) { try Self.decode(endless, byPieces: 100) }
    }

    @Test func countsTrailersInBytes() throws {
        // Two lines of 4096 bytes with their line ends are the maximum of 8192.
        let line = "X: " + String(repeating: "t", count: 4091) + "\r\n"
        #expect(try Self.decode(octets("0\r\n\(line)\(line)\r\n")) == Decoded())
        #expect(throws: WireError.headerTooLarge) { try Self.decode(octets("0\r\n\(line)X\(line)\r\n")) }
        #expect(throws: WireError.self) { try Self.decode(octets("0\r\nX: " + String(repeating: "t", count: 9000))) }
    }

    @Test func countsTrailersInLines() throws {
        let hundred = String(repeating: "X: t\r\n", count: 100)
        #expect(try Self.decode(octets("0\r\n\(hundred)\r\n")) == Decoded())
        #expect(throws: WireError.headerTooLarge) { try Self.decode(octets("0\r\n\(hundred)Y: t\r\n\r\n")) }
    }
}
