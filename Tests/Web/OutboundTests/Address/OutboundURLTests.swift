import Outbound
import Testing

@Suite struct OutboundURLTests {
    @Test(arguments: [
        ("https://hooks.example.org/a?b=c", "hooks.example.org", 443, "https://hooks.example.org"),
        ("http://hooks.example.org:8080", "hooks.example.org", 8080, "http://hooks.example.org:8080"),
        ("http://2130706433/", "127.0.0.1", 80, "http://127.0.0.1"),
        ("http://0x7f.1/", "127.0.0.1", 80, "http://127.0.0.1"),
        ("http://0177.0.0.1/", "127.0.0.1", 80, "http://127.0.0.1"),
        ("http://[::1]:81/", "::1", 81, "http://[::1]:81"),
    ])
    func readsWhereItLeads(_ text: String, _ host: String, _ port: Int, _ label: String) throws {
        let url = try #require(OutboundURL(text, schemes: ["http", "https"]))
        #expect((url.host, url.port, url.label) == (host, port, label))
    }

    @Test(arguments: [
        "", "x", "//example.org/", "http:///x", "ftp://example.org/", "file:///etc/passwd", "http://a b/",
        "http://a@example.org/", "http://a:b@example.org/", "http://example.org:80@127.0.0.1/",
        "http://[fe80::1%25eth0]/",
        "http://example.org:0/", "http://example.org:65536/", "http://éxample.org/", "http://example.org/\r\nX: y",
        "javascript:alert(1)", "http://[::1/", "http://exam\u{0}ple.org/",
    ])
    func refusesWhatIsUnclear(_ text: String) {
        #expect(OutboundURL(text, schemes: ["http", "https"]) == nil)
    }

    @Test func takesCredentialsOnlyWhereTheyAreOfUse() {
        let text = "smtp://user:p%40ss@mail.example.org:587"
        #expect(OutboundURL(text, schemes: ["smtp"]) == nil)
        let url = OutboundURL(text, schemes: ["smtp"], allowsCredentials: true)
        #expect(url?.hasCredentials == true)
        #expect(url?.label == "smtp://mail.example.org:587")
    }
}
