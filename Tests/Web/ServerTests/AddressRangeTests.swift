import HTTPServer
import Testing

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], ["9.255.255.255", "11.0.0.0", "::a00:1"]),
        ("192.0.2.77", ["192.0.2.77"], ["192.0.2.76", "192.0.2.78"]),
        ("192.0.2.77/30", ["192.0.2.76", "192.0.2.79"], ["192.0.2.75", "192.0.2.80"]),
        ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::1", "2001:db8::1"]),
        ("2001:db8::/33", ["2001:db8::", "2001:db8:7fff::1"], ["2001:db8:8000::", "2001:db7::"]),
        ("2001:db8::1:0/112", ["2001:db8::1:ffff"], ["2001:db8::2:0", "2001:db8:0:0:1::1:0"]),
        ("::1", ["::1"], ["::2", "127.0.0.1"]), ("::/0", ["2001:db8::1", "1.2.3.4"], []),
    ])
    func holdsWhatSharesItsFirstBits(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(text))
        for address in inside { #expect(range.contains(try #require(SocketAddress(numeric: address))), "\(address)") }
        for address in outside { #expect(!range.contains(try #require(SocketAddress(numeric: address))), "\(address)") }
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/0008",
        "10.0.0/8",
        "::/129", "::1/ 8", "localhost", "10.0.0.0/255.0.0.0", "[::1]", "10.0.0.0 /8",
    ])
    func isNothingElse(text: String) { #expect(AddressRange(text) == nil) }
}
