import Testing

@testable import HTTPWire

@Suite struct HostSyntaxTests {
    @Test(arguments: [
        "h", "example.org", "EXAMPLE.org:8080", "localhost:0", "h:", "h:65535", "192.0.2.1:80", "[::1]", "[::1]:443",
        "[2001:DB8::192.0.2.1]", "_sub-domain.example", "a~b!c",
    ])
    func accepts(_ host: String) {
        #expect(withBytes(host) { HostSyntax.isValid($0) })
    }

    @Test(arguments: [
        "", ":", ":80", "a b", "a\tb", "a/b", "a?b", "a#b", "u@h", "a\\b", "h:80:80", "h:8a", "h:-1", "h:65536",
        "h:000080",
        "[", "[]", "[::1", "::1", "[::1]80", "[::1]:x", "[g::]", "[:::]", "[::1::]", "[12345::]", "[::1.2.3.999]",
        "[1:2:3:4:5:6:7:8:9]", "[v1.a]", "a[::1]", "h%41", "\u{E9}", "h\0", "\"h\"",
    ])
    func refuses(_ host: String) {
        #expect(!withBytes(host) { HostSyntax.isValid($0) })
    }
}
