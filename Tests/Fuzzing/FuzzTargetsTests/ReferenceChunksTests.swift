import Testing

@testable import FuzzTargets

/// The reference decoder is only useful if it neither accepts nor rejects everything.
@Suite struct ReferenceChunksTests {
    @Test(arguments: [
        ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("1;a=b\r\nx\r\n0\r\nT: u\r\n\r\nmore", "x"),
        ("A \t;q\r\n0123456789\r\n00\r\n\r\n", "0123456789"),
    ])
    func readsWhatIsRight(_ text: String, _ content: String) {
        let chunks = ReferenceChunks(Array(text.utf8))
        #expect(chunks.content == Array(content.utf8))
        #expect(chunks.end == text.utf8.count - (text.hasSuffix("more") ? 4 : 0))
    }

    @Test(arguments: [
        "", "0\r\n", "0\n\r\n", "5\r\nhell\r\n0\r\n\r\n", "5\r\nhelloo\r\n0\r\n\r\n", "+1\r\nx\r\n0\r\n\r\n",
        "1 \r\nx\r\n0\r\n\r\n", "0x1\r\nx\r\n0\r\n\r\n", "1;\u{1}\r\nx\r\n0\r\n\r\n", "0\r\nno colon\r\n\r\n",
        "0\r\n: v\r\n\r\n", "0\r\na b: c\r\n\r\n", "00000000000000001\r\nx\r\n0\r\n\r\n",
    ])
    func refusesWhatIsWrong(_ text: String) {
        #expect(ReferenceChunks(Array(text.utf8)).end == nil)
    }
}
