import Testing

@testable import HTTPWire

@Suite struct PercentCodingTests {
    @Test(arguments: [
        ("", ""), ("a-b", "a-b"), ("%41%6a%6A", "Ajj"), ("%2e%2E", ".."), ("a%2Fb", "a/b"), ("100%25", "100%"),
        ("%2525", "%25"), ("caf%C3%A9", "caf\u{E9}"), ("%F0%9F%8D%95", "\u{1F355}"), ("a+b", "a+b"), ("%0D%0A", "\r\n"),
    ])
    func decodes(_ encoded: String, _ decoded: String) {
        #expect(PercentCoding.decode(octets(encoded)) == decoded)
    }

    @Test func readsPlusAsABlankInQueriesOnly() {
        #expect(PercentCoding.decode(octets("a+b%2B"), plusIsSpace: true) == "a b+")
        #expect(PercentCoding.decode(octets("a+b%2B")) == "a+b+")
    }

    @Test(arguments: [
        "%", "%4", "a%", "%g1", "%1g", "%-1", "%+1", "% 1", "%00", "a%00b", "%FF", "%C3", "%C3%28", "%C0%AF",
        "%ED%A0%80",
        "%F4%90%80%80", "\u{E9}",
    ])
    func refuses(_ encoded: String) {
        #expect(PercentCoding.decode(octets(encoded)) == nil)
    }
}
