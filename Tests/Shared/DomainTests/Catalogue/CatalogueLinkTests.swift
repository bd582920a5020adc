import SubGuardDomain
import Testing

@Suite struct CatalogueLinkTests {
    @Test(arguments: [
        "https://a.fr", "https://www.netflix.com/cancelplan", "HTTPS://Example.COM/", "https://example.com:443",
        "https://example.com:65535/x", "https://localhost/x",
        "https://xn--caf-dma.fr/", "https://192.0.2.1/", "https://[2001:db8::1]:8443/x", "https://a.fr?x=1&y=%20",
        "https://a.fr#top", "https://a.fr/a;b=(c)!$'*+,@:~",
        "https://a.fr/%C3%89t%c3%a9", "https://a.fr/?u=user@host", "https://a-b.c-d.fr/",
    ])
    func acceptsLinks(_ url: String) {
        #expect(CatalogueRules.urlError(url, field: "website") == nil)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "https:/a.fr", "https:a.fr", "//a.fr", "/x", "a.fr", "www.a.fr", "http://a.fr",
        "ftp://a.fr", "javascript:alert(1)", "https://?x",
        "https://#x", "https://user@a.fr", "https://user:pw@a.fr", "https://@a.fr", "https://a.fr\\@b.fr",
        "https://a.fr /x", " https://a.fr", "https://a.fr ",
        "https://a.fr/a b", "https://a.fr/\n", "https://a.fr/\u{0}", "https://a.fr/\t", "https://a.fr/é",
        "https://café.fr", "https://a.fr/\"x\"", "https://a.fr/<x>",
        "https://a.fr/%", "https://a.fr/%2", "https://a.fr/%2G", "https://a.fr/{x}", "https://a.fr/^", "https://a.fr/`",
        "https://a.fr/|", "https://a.fr/#a#b",
        "https://a.fr:", "https://a.fr:0", "https://a.fr:65536", "https://a.fr:123456", "https://a.fr:8a",
        "https://:443", "https://.fr", "https://a..fr", "https://a.fr./",
        "https://-a.fr", "https://a-.fr", "https://a_b.fr", "https://[::1", "https://[]", "https://[1234]",
        "https://[::1]x", "https://[::1%25eth0]/", "https://a.fr,b.fr",
    ])
    func refusesEverythingElse(_ url: String) {
        #expect(CatalogueRules.urlError(url, field: "website")?.code == .invalidURL)
    }

    @Test func boundsTheLength() {
        let url = "https://a.fr/" + String(repeating: "x", count: 487)
        #expect(CatalogueRules.urlError(url, field: "website") == nil)
        #expect(CatalogueRules.urlError(url + "x", field: "website")?.code == .outOfRange)
        let label = String(repeating: "a", count: 63)
        #expect(CatalogueRules.urlError("https://\(label).fr", field: "website") == nil)
        #expect(CatalogueRules.urlError("https://\(label)a.fr", field: "website") != nil)
        #expect(
            CatalogueRules.urlError(
                "https://" + Array(repeating: label, count: 4).joined(separator: "."), field: "website") != nil)
    }
}
