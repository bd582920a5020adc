import SubGuardDomain
import Testing

@Suite struct CrashScrubberTests {
    private func text(_ text: String) -> String {
        var scrubber = CrashScrubber()
        return scrubber.text(text, maximumBytes: 4096)
    }

    private func symbol(_ text: String) -> String {
        var scrubber = CrashScrubber()
        return scrubber.symbol(text, maximumBytes: 4096)
    }

    @Test(arguments: [
        ("mail bob@example.org now", "mail [email] now"), ("<Bob.O+x@Sub.Example.co.uk>", "<[email]>"),
        ("'zoé@exämple.fr'", "'[email]'"), ("a%40b.example", "[email]"), ("to=bob@example.org.", "[email]."),
        ("bob@[192.0.2.1]", "[email]"), ("x@localhost", "x@localhost"), ("app@1.2.3", "app@1.2.3"),
        ("v a@b.exam0.1", "v [email].1"), ("a@b.example.v..2.", "[email].v..2."),
        ("@State var", "@State var"),
    ])
    func masksMailAddresses(_ text: String, _ masked: String) { #expect(self.text(text) == masked) }

    @Test(arguments: [
        ("from 192.0.2.17:8080", "from [address]:8080"), ("(10.0.0.1)", "([address])"), ("256.1.1.1", "256.1.1.1"),
        ("version 1.2.3", "version 1.2.3"), ("v1.2.3.4", "v1.2.3.4"), ("1.2.3.4.5", "1.2.3.4.5"),
        ("at 2001:db8::1.", "at [address]."), ("[fe80::1%eth0]:443", "[[address]]:443"), ("::1", "[address]"),
        ("::ffff:192.0.2.1 x", "[address] x"), ("2001:DB8:0:0:8:800:200C:417A", "[address]"),
        ("de:ad:be:ef:00:01", "[address]"), ("DE-AD-BE-EF-00-01", "[address]"), ("12:34:56", "12:34:56"),
        ("std::vector", "std::vector"), ("abc::def", "abc::def"), ("a: b", "a: b"),
        ("2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z"),
    ])
    func masksAddresses(_ text: String, _ masked: String) { #expect(self.text(text) == masked) }

    @Test(arguments: [
        ("password=hunter2 and", "password=[token] and"), ("\"api_key\": \"abc\"", "\"api_key\": \"[token]\""),
        ("Authorization: Bearer abc.def.ghi", "Authorization: Bearer [token]"), ("X-Api-Key:k1", "X-Api-Key:[token]"),
        ("sent Bearer abcdefg12345", "sent Bearer [token]"), ("the bearer of news", "the bearer of news"),
        ("Basic authentication failed", "Basic authentication failed"), ("unexpected token }", "unexpected token }"),
        ("ghp_abcdefghijkl0123", "[token]"), ("(sk_live_abcdefghijklmnop)", "([token])"),
        ("AKIAIOSFODNN7EXAMPLE", "[token]"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[token]"),
        ("id 01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b.", "id [token]."), ("0x00007fff5fbff8c0", "0x00007fff5fbff8c0"),
        ("9f86d081884c7d659a2feaa0c55ad015", "[token]"), ("aB3dE5fG7hI9jK1lM3nO5pQ7", "[token]"),
        ("internationalisationHandler", "internationalisationHandler"),
    ])
    func masksSecrets(_ text: String, _ masked: String) { #expect(self.text(text) == masked) }

    @Test(arguments: [
        ("/Users/zoe/Library/x.swift", "/Users/[user]/Library/x.swift"), ("/home/zoe", "/home/[user]"),
        ("/Users/Zoë Plantée/x", "/Users/[user]/x"), (#"C:\Users\zoe\x.cs"#, #"C:\Users\[user]\x.cs"#),
        ("open /home/zoe failed", "open /home/[user] failed"), ("/usr/home-made", "/usr/home-made"),
        ("https://h.example/a?b=c&d=e more", "https://h.example/a?[query] more"),
        ("https://h.example/a?secret", "https://h.example/a?[query]"),
        ("https://u:p@h.example/", "https://[token]@h.example/"), ("GET /x?mail=1#f", "GET /x?[query]"),
        ("really? yes", "really? yes"), ("x ?? y", "x ?? y"), ("/cb#access=abc", "/cb#[query]"),
    ])
    func masksPathsAndLinks(_ text: String, _ masked: String) { #expect(self.text(text) == masked) }

    @Test(arguments: [
        ("card 4111 1111 1111 1111 declined", "card [number] declined"), ("4111-1111-1111-1111", "[number]"),
        ("378282246310005", "[number]"), ("4111 1111 1111 1112", "4111 1111 1111 1112"), ("12345", "12345"),
    ])
    func masksCardNumbers(_ text: String, _ masked: String) { #expect(self.text(text) == masked) }

    @Test(arguments: [
        ("pay 12.34 EUR", "pay [amount]"), ("pay 12,34 €.", "pay [amount]."), ("€12.34 due", "[amount] due"),
        ("$1,299.00", "[amount]"), ("US$5", "US[amount]"), ("CHF 1'299.50;", "[amount];"), ("CHF -12", "[amount]"),
        ("1\u{202F}299,00\u{A0}€", "[amount]"), ("1 299,00 EUR", "[amount]"), ("price=29.00EUR", "price=[amount]"),
        ("12 euros, 5 Dollars", "[amount], [amount]"), ("99 kr", "[amount]"), ("9,99 zł", "[amount]"),
        ("¥1000 + ₹20", "[amount] + [amount]"), ("(12.34 eur)", "([amount])"), ("GBP12", "[amount]"),
        // Numbers without a currency, and words that only look like one.
        ("pay 12.34", "pay 12.34"), ("5 items", "5 items"), ("12 EURO5", "12 EURO5"), ("3 krill", "3 krill"),
        ("HTTP 404", "HTTP 404"), ("error 5 in EUR", "error 5 in EUR"), ("EUR", "EUR"),
        ("12 europeans", "12 europeans"),
        ("$s8SubGuard4body", "$s8SubGuard4body"), ("a12 EUR", "a12 EUR"), ("AEUR 5", "AEUR 5"), ("12 %", "12 %"),
    ])
    func masksAmounts(_ text: String, _ masked: String) { #expect(self.text(text) == masked) }

    @Test func controlCharactersAreMadeVisible() {
        var scrubber = CrashScrubber()
        let text = scrubber.text("a\u{0}b\u{202E}c\u{7F}d\ne\tf €", maximumBytes: 100)
        #expect(text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\ne\tf €")
    }

    @Test func leavesMangledNamesOfFunctionsAlone() {
        let mangled = "$s8SubGuard16SubscriptionListV4bodyQrvg2a3B4c5D6e7F8g9H"
        #expect(symbol(mangled) == mangled)
        #expect(symbol("/Users/zoe/a.swift bob@example.org 192.0.2.1") == "/Users/[user]/a.swift [email] [address]")
    }

    @Test func countsWhatItMasks() {
        var scrubber = CrashScrubber()
        _ = scrubber.text("a@b.example c@d.example 192.0.2.1", maximumBytes: 100)
        #expect(scrubber.counts == [.email: 2, .address: 1])
    }

    @Test func cutsAtACharacterAndMasksWhatTheCutWouldSplit() {
        var scrubber = CrashScrubber()
        #expect(scrubber.text("ééé", maximumBytes: 5) == "éé")
        #expect(scrubber.text("0123456789 bob@example.org", maximumBytes: 20) == "0123456789 [email]")
    }

    @Test(arguments: [
        "a@b.example?x=1", "://a@b@c.example", "password=password=x", "/home//home/x/y", "::1::1%x",
        "eyJ" + String(repeating: "a", count: 5000),
    ])
    func masksNothingTwice(_ text: String) {
        let once = self.text(text)
        #expect(self.text(once) == once)
    }
}
