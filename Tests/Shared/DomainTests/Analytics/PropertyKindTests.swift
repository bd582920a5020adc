import SubGuardDomain
import Testing

@Suite struct PropertyKindTests {
    @Test(arguments: [
        ("1.2.3", true), ("iOS 18.1 (22B83)", true), ("~", true), (String(repeating: "x", count: 64), true),
        (String(repeating: "x", count: 65), false), ("", false),
        ("a\nb", false), ("\u{0}", false), ("\u{7F}", false), ("é", false), ("😀", false),
    ])
    func takesShortPrintableText(_ text: String, _ isAccepted: Bool) throws {
        let kind = try kind("app_version")
        #expect(kind.accepts(text: text) == isAccepted)
        #expect(!kind.accepts(integer: 1))
    }

    @Test(arguments: [
        ("fr", true), ("fr_FR", true), ("fr-CH", true), ("zh-Hans-CN", true), ("de-1996", true),
        ("sl-rozaj-biske-1994", true), ("FR", true), ("en_US_POSIX", true),
        ("", false), ("f", false), ("1r", false), ("fr-", false), ("-fr", false), ("fr--FR", false), ("fr FR", false),
        ("fr_FR@currency=EUR", false),
        ("abcdefghi", false), ("fr-abcdefghi", false), ("français", false),
        ("en-aaaaaaaa-bbbbbbbb-cccccccc-ddddd", true), ("en-aaaaaaaa-bbbbbbbb-cccccccc-dddddd", false),
    ])
    func takesLanguageTags(_ text: String, _ isAccepted: Bool) throws {
        #expect(try kind("locale").accepts(text: text) == isAccepted)
    }

    @Test func takesIds() throws {
        let kind = try kind("catalogue_item_id")
        #expect(kind.accepts(text: "0190a1b2-c3d4-7e5f-89ab-cdefabcdef09"))
        #expect(!kind.accepts(text: "0190a1b2c3d47e5f89abcdefabcdef09"))
        #expect(!kind.accepts(text: "Netflix"))
        #expect(!kind.accepts(integer: 0))
    }

    @Test func takesDaysWithinTheRange() throws {
        let kind = try kind("days_since_first_launch")
        for (value, isAccepted) in [
            (0, true), (36_500, true), (-1, false), (36_501, false), (Int64.max, false), (Int64.min, false),
        ] {
            #expect(kind.accepts(integer: value) == isAccepted)
        }
        #expect(!kind.accepts(text: "7"))
    }

    private func kind(_ name: String) throws -> PropertyKind {
        let events = ["premium_conversion", "subscription_added"].compactMap { EventRegistry.definition(named: $0) }
        return try #require(events.lazy.compactMap { $0.property(named: name) }.first).kind
    }
}
