import HTTPTypes
import Testing

@testable import HTTPWire

@Suite struct ResponseHeadWriterTests {
    private static func text(_ write: (inout OutputBuffer) -> Void) -> String {
        var output = OutputBuffer(capacity: 64)
        write(&output)
        return String(decoding: output.bytes(), as: UTF8.self)
    }

    @Test(arguments: [
        (HTTPResponse.Status.ok, "HTTP/1.1 200 OK\r\n"),
        (.noContent, "HTTP/1.1 204 No Content\r\n"),
        (.notModified, "HTTP/1.1 304 Not Modified\r\n"),
        (.unprocessableContent, "HTTP/1.1 422 Unprocessable Content\r\n"),
        (.serviceUnavailable, "HTTP/1.1 503 Service Unavailable\r\n"),
        (HTTPResponse.Status(code: 299), "HTTP/1.1 299 \r\n"),
    ])
    func writesTheStatusLine(_ status: HTTPResponse.Status, _ line: String) {
        #expect(Self.text { ResponseHeadWriter.appendStatusLine(status, to: &$0) } == line)
    }

    @Test(arguments: [0, 1, 9, 10, 11, 99, 100, 12_34, 1_048_576, 9_007_199_254_740_993, .max])
    func writesDecimals(_ number: Int) {
        #expect(Self.text { $0.appendDecimal(number) } == String(number))
    }

    @Test func writesDecimalsBehindWhatIsThere() {
        #expect(
            Self.text {
                $0.append("Age: ")
                $0.appendDecimal(1234)
            } == "Age: 1234")
    }

    @Test(arguments: [
        (UInt64.min, "0000000000000000"), (.max, "ffffffffffffffff"), (0x01_23_45_67_89_AB_CD_EF, "0123456789abcdef"),
    ])
    func writesHexadecimals(_ number: UInt64, _ text: String) {
        #expect(Self.text { $0.appendHexadecimal(number) } == text)
    }

    @Test func growsWithWhatIsAppended() {
        let piece = Array("12.34 € ".utf8)
        let text = Self.text { output in for _ in 0..<1000 { output.append(piece) } }
        #expect(text == String(repeating: "12.34 € ", count: 1000))
    }

    /// CVE-2026-28970: a value must not be able to end its line and begin another.
    @Test(arguments: ["a\r\nSet-Cookie: x", "a\nb", "a\rb", "a\0b"])
    func aFieldStaysOneLine(_ value: String) throws {
        let field = HTTPField(name: try #require(HTTPField.Name("X-Echo")), value: value)
        let line = Self.text { ResponseHeadWriter.appendField(field, to: &$0) }
        #expect(line.hasPrefix("X-Echo: "))
        #expect(line.unicodeScalars.filter { $0 == "\r" || $0 == "\n" || $0 == "\0" }.count == 2)
        #expect(line.hasSuffix("\r\n"))
    }

    @Test func aReasonStaysOneLine() {
        let status = HTTPResponse.Status(code: 299, reasonPhrase: "a\r\nX: y")
        let line = Self.text { ResponseHeadWriter.appendStatusLine(status, to: &$0) }
        #expect(line.unicodeScalars.filter { $0 == "\r" || $0 == "\n" }.count == 2)
    }

    @Test func framesChunks() {
        let body = Self.text {
            ChunkedEncoder.append(octets("12.34"), to: &$0)
            ChunkedEncoder.append([], to: &$0)
            ChunkedEncoder.append([UInt8](repeating: 0x61, count: 26), to: &$0)
            ChunkedEncoder.appendEnd(to: &$0)
        }
        #expect(body == "5\r\n12.34\r\n1a\r\n\(String(repeating: "a", count: 26))\r\n0\r\n\r\n")
    }
}
