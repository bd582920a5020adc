import Testing
import TextCoding

@Suite struct PercentCodingTests {
    private static func octets(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    @Test(arguments: [
        ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b+c/d?e&f=g", "a%20b%2Bc%2Fd%3Fe%26f%3Dg"), ("caf\u{E9}", "caf%C3%A9"),
        ("\r\n<>", "%0D%0A%3C%3E"),
    ])
    func encodesEverythingButUnreservedCharacters(_ text: String, _ encoded: String) {
        #expect(PercentCoding.encode(text) == encoded)
        #expect(PercentCoding.decode(Array(encoded.utf8)) == text)
    }

    @Test func keepsWhatItIsTold() {
        #expect(PercentCoding.encode("/a b/c", keeping: "/") == "/a%20b/c")
    }

    @Test(arguments: [
        ("", ""), ("a-b", "a-b"), ("%41%6a%6A", "Ajj"), ("%2e%2E", ".."), ("a%2Fb", "a/b"), ("100%25", "100%"),
        ("%2525", "%25"), ("caf%C3%A9", "caf\u{E9}"), ("%F0%9F%8D%95", "\u{1F355}"), ("a+b", "a+b"), ("%0D%0A", "\r\n"),
    ])
    func decodes(_ encoded: String, _ decoded: String) {
        #expect(PercentCoding.decode(Self.octets(encoded)) == decoded)
    }

    @Test func readsPlusAsABlankInQueriesOnly() {
        #expect(PercentCoding.decode(Self.octets("a+b%2B"), plusIsSpace: true) == "a b+")
        #expect(PercentCoding.decode(Self.octets("a+b%2B")) == "a+b+")
    }

    @Test(arguments: [
        "%", "%4", "a%", "%g1", "%1g", "%-1", "%+1", "% 1", "%00", "a%00b", "%FF", "%C3", "%C3%28", "%C0%AF",
        "%ED%A0%80",
        "%F4%90%80%80", "\u{E9}",
    ])
    func refuses(_ encoded: String) {
        #expect(PercentCoding.decode(Self.octets(encoded)) == nil)
    }

    @Test func refusesLongRunsOfMarksAndFlags() {
        let run = { (count: Int) in PercentCoding.decode(Array(("e" + String(repeating: "%CC%81", count: count)).utf8))
        }
        #expect(run(255)?.unicodeScalars.count == 256)
        #expect(run(256) == nil)
        let flags = { (count: Int) in
            PercentCoding.decode(Array(String(repeating: "%F0%9F%87%A6", count: count).utf8))
        }
        #expect(flags(64)?.unicodeScalars.count == 64)
        #expect(flags(65) == nil)
    }
}
