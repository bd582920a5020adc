import SubGuardClient
import Testing

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("https://A.Example", "https://a.example"), ("https://a.example:443/", "https://a.example"),
        ("https://a.example:8443/sub/", "https://a.example:8443/sub"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.9.8.7", "http://127.9.8.7"), ("http://localhost:80", "http://localhost"),
        ("HTTPS://a.example", "https://a.example"),
    ])
    func takes(_ text: String, _ meaning: String) throws {
        #expect(try ServerAddress(text).text == meaning)
    }

    @Test(arguments: [
        "", "a.example", "ftp://a.example", "http://a.example", "http://10.0.0.1", "http://127.0.0.1.example",
        "http://localhost.example", "http://127.0.0.999", "http://127.1", "https://user@a.example",
        "https://user:secret@a.example", "https://a.example?x=1", "https://a.example#x", "https://",
        "https:// a.example",
        "https://a.example:0", "https://a.example:70000", "http://[::2]", "http://[::1]:8080", "https://[2001:db8::1]",
        "http://127.0.0.01", "javascript:alert(1)", "https://é.example",
        "http://127.0.0.1@evil.example",
    ])
    func refuses(_ text: String) {
        #expect(throws: ServerAddress.Invalid.self) { try ServerAddress(text) }
    }
}
