import Testing

@testable import DeviceSimulation
@testable import LoadTester

@Suite struct AnswerReaderTests {
    private func answers(_ text: String, pieceLength: Int) throws -> [Answer] {
        var reader = AnswerReader()
        var answers: [Answer] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieceLength) {
            Array(bytes[start..<min(start + pieceLength, bytes.count)]).withUnsafeBytes { reader.append($0) }
            while let answer = try reader.next() { answers.append(answer) }
        }
        return answers
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func putsAnswersTogetherHoweverTheyArrive(_ pieceLength: Int) throws {
        let text =
            "HTTP/1.1 202 Accepted\r\ncontent-LENGTH:  5\r\n\r\n\r\n\r\nx"
            + "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n"
            + "HTTP/1.1 304 Not Modified\r\nContent-Length: 900\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\né"
        let answers = try answers(text, pieceLength: pieceLength)
        #expect(answers.map(\.status) == [202, 503, 304, 200])
        #expect(answers.map { String(decoding: $0.body, as: UTF8.self) } == ["\r\n\r\nx", "", "", "é"])
        #expect(answers.map(\.closes) == [false, true, false, false])
    }

    @Test(
        arguments: [
            "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", "\r\n\r\n",
        ])
    func anythingElseIsAnError(_ text: String) {
        #expect(throws: LoadFault.malformed) { try answers(text, pieceLength: 1_000) }
    }

    @Test func aHeadWithoutAnEndIsGivenUp() {
        let text = "HTTP/1.1 200 OK\r\n" + String(repeating: "x", count: 70_000)
        #expect(throws: LoadFault.malformed) { try answers(text, pieceLength: 5_000) }
    }

    @Test(arguments: [1, 500, 50_000])
    func tellsTagCodingPauseAndSizeOnTheWire(_ pieceLength: Int) throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"a:b c\"\r\nContent-Encoding: GZIP\r\nContent-Length: 40000\r\n\r\n"
        let large = head + String(repeating: "x", count: 40_000)
        let busy = "HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"
        let answers = try answers(large + busy + large, pieceLength: pieceLength)
        #expect(answers.map(\.entityTag) == ["\"a:b c\"", nil, "\"a:b c\""])
        #expect(answers.map(\.isCompressed) == [true, false, true])
        #expect(answers.map(\.retryAfter) == [nil, 7, nil])
        #expect(answers.map(\.wireBytes) == [large.utf8.count, busy.utf8.count, large.utf8.count])
        #expect(answers.map(\.body.count) == [40_000, 0, 40_000])
    }

    @Test func halfAnAnswerIsNone() throws {
        #expect(try answers("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", pieceLength: 10).isEmpty)
    }
}
