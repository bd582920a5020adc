import Testing

@testable import SubGuardDomain

/// Rules whose matches have no limit must not look at the same bytes again from each position.
@Suite struct ScannedTextTests {
    private func scanned(_ text: String) -> ScannedText { ScannedText(Array(text.utf8)) }

    @Test func looksAtEachWordOnce() {
        var text = scanned(String(repeating: "a+", count: 1000))
        #expect(text.unknownToken(at: 0) == nil)
        #expect(text.plainWordEnd == 2000)
    }

    @Test(arguments: ["1,", "1'", "1.", "111 "])
    func looksAtEachNumberOnce(_ group: String) {
        var text = scanned(String(repeating: group, count: 500) + "1 x")
        #expect(text.amount(at: 0) == nil)
        #expect(text.plainNumberEnd >= group.utf8.count * 500 - 1)
    }

    @Test(arguments: [
        ("9 1,1,1 EUR", "9 [amount]"), ("1,1,1 x 5 EUR", "1,1,1 x [amount]"), ("1,1,1,1 EUR", "[amount]"),
        ("111 111 x, 111 111 EUR", "111 111 x, [amount]"), ("1,1 2,2 CHF", "1,1 [amount]"),
        ("7 EUR 1,1,1", "[amount] 1,1,1"),
        ("1,1,1 EUR5", "[amount]5"),
    ])
    func masksAmountsBehindNumbers(_ text: String, _ masked: String) {
        var scrubber = CrashScrubber()
        #expect(scrubber.text(text, maximumBytes: 4096) == masked)
    }

    @Test(arguments: [
        ("a+a+a Ab12Cd34Ef56Gh78Ij90Kl12", "a+a+a [token]"), ("x=Ab12Cd34Ef56Gh78Ij90Kl12", "[token]"),
        ("550e8400-e29b-41d4-a716-446655440000+Ab12Cd34Ef56Gh78Ij90Kl12", "[token]+[token]"),
        ("=Ab12Cd34Ef56Gh78Ij90Kl12", "=[token]"), ("a.Ab12Cd34Ef56Gh78Ij90Kl12", "a.[token]"),
    ])
    func masksTokensBehindWords(_ text: String, _ masked: String) {
        var scrubber = CrashScrubber()
        #expect(scrubber.text(text, maximumBytes: 4096) == masked)
    }
}
