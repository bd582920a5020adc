import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

/// Compares the document's patterns with the server's rules, on data chosen to reveal differences.
@Suite struct OpenAPIPatternTests {
    private let file: OpenAPIFile

    init() throws { file = try OpenAPIFile() }

    /// A noncharacter, which cannot be written as a literal.
    private static func noncharacter(_ value: UInt16) -> String {
        String(decoding: [value], as: UTF16.self)
    }

    @Test(arguments: [
        "Netflix", "L’Équipe", "Ciné « Le Méliès »", "🎬", "👨‍👩‍👧‍👦 Famille+", "a\u{301}\u{302}", "\" OR 1=1 --",
        "Straße\\1&1", "日本経済新聞",
        " \t Canal+ \u{A0}", "\u{2028}Deezer\u{85}", "x", "", " ", "\u{3000}", "\n", "a\nb", "a\u{0}b", "a\u{7F}",
        "a\u{85}b",
        "a\u{2028}b", "\u{202E}xilfteN", "a\u{2066}b", "a\u{200B}b", "❤\u{FE0F}", "\u{3164}", "a\u{AD}b",
        "a\u{FEFF}", "Net\u{2800}flix", "a\u{E0041}", "a\u{E000}", "a\u{F8FF}b",
        "a\u{F0000}", "\u{10FFFD}",
        "a\u{FFFD}", "a" + Self.noncharacter(0xFFFF), "a" + Self.noncharacter(0xFDD0), "a\u{10000}",
        String(repeating: "é", count: 120), String(repeating: "é", count: 121),
        " " + String(repeating: "x", count: 120) + " ", String(repeating: "a\u{301}", count: 60),
        String(repeating: "a\u{301}", count: 60) + "b", "a" + String(repeating: " ", count: 118) + "b",
        "a" + String(repeating: " ", count: 119) + "b",
    ])
    func takesTheNamesThatTheDomainTakes(_ name: String) throws {
        let accepted = CatalogueRules.nameError(CatalogueRules.trimmed(name), field: "name") == nil
        #expect(try matches(name, "Name") == accepted)
    }

    @Test(arguments: [
        "https://www.netflix.com", "HTTPS://Example.ORG/a?b=c#d", "https://a",
        "https://xn--bcher-kva.example:8443/%C3%A9", "https://[2001:db8::1]/",
        "https://[2001:db8::1]:443", "https://a:65535", "https://a:65536", "https://a:0", "https://a:00080/",
        "https://a:000080/",
        "https://a:", "https://", "http://a", "https:/a", "https://user@a", "https://a b", "https://a/é",
        "https://-a.b", "https://a-.b",
        "https://a..b", "https://a/%4", "https://a/%zz", "https://a/#b#c", "https://a?x=[1]", "https://a/\n",
        "https://[::1", "https://[a]",
        "https://a_b.c", "https://\(String(repeating: "a", count: 63)).b",
        "https://\(String(repeating: "a", count: 64)).b", "https://a/{x}",
    ])
    func takesTheLinksThatTheDomainTakes(_ link: String) throws {
        #expect(try matches(link, "WebLink") == (CatalogueRules.urlError(link, field: "website") == nil))
    }

    @Test(arguments: [
        "streaming", "pro_tools", "a", "_", "0", "Pro", "é", "a-b", "", " a", "a\n", String(repeating: "a", count: 40),
    ])
    func takesTheCategoriesThatTheDomainTakes(_ category: String) throws {
        #expect(try matches(category, "Category") == (CatalogueRules.categoryError(category, field: "category") == nil))
    }

    @Test(arguments: [
        "l-equipe", "1-and-1", "a", "-a", "a-", "a--b", "A", "é", "a_b", "", "a\n", String(repeating: "a", count: 80),
    ])
    func takesTheSlugsThatTheDomainTakes(_ slug: String) throws {
        #expect(try matches(slug, "Slug") == (draft(slug: slug) == nil))
    }

    @Test(arguments: [
        "daily", "weekly", "biweekly", "monthly", "quarterly", "semi_annual", "yearly", "lifetime", "every:10d",
        "every:2w", "every:18m",
        "every:999y", "every:1000y", "every:0d", "every:01m", "every:2", "every:d", "every:2D", "every:-2d",
        "semiannual", "Monthly", "",
        "monthly\n", "every:٣d",
    ])
    func takesTheCyclesThatTheDomainTakes(_ cycle: String) throws {
        #expect(try matches(cycle, "BillingCycle") == (BillingCycle(wire: cycle) != nil))
    }

    @Test(arguments: [
        "12.34", "0", "0.00", "-0", "-0.0", "-0.01", "-1", "1000000", "1000000.00", "1000000.01", "1000000.000",
        "0001000000.0", "1000001",
        "999999.999", "13.4", "13.490", "13.4900", "1200", "00012.3", "+1", "1,5", ".5", "5.", "1e3", "1 000", "", " 1",
        "1\n", "١٢",
        "99999999999999999999",
    ])
    func takesTheAmountsThatTheDomainTakes(_ amount: String) throws {
        let rules = try file.schema("NewCatalogueItem")["allOf"]?.arrayValue ?? []
        var codes: [String] = []
        for rule in rules {
            let ruled = rule["if"]?["properties"]?["currency"]?["enum"]?.strings ?? []
            codes += ruled
            let pattern = try #require(rule["then"]?["properties"]?["typical_amount"]?["pattern"]?.stringValue)
            for code in ruled {
                let currency = try #require(Currency(code: code))
                let money = try? Money(decimal: amount, currency: currency)
                let accepted = money.map { draft(money: $0) == nil } ?? false
                #expect(try Self.matches(amount, pattern) == accepted, "\(amount) \(code)")
            }
        }
        #expect(codes.sorted() == Currency.all.map(\.code))
    }

    @Test(arguments: [
        "2026-11-20T10:00:00Z", "2028-02-29t23:59:59.999999999z", "2026-12-31T23:59:60Z", "2026-12-31T22:59:60Z",
        "2026-11-20T10:00:00+05:30",
        "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "2026-11-20 10:00:00Z",
        "2026-11-20T10:00:00",
        "2026-11-20T10:00:00.Z", "2026-11-20T10:00:00.1234567890Z", "2026-13-01T00:00:00Z", "2026-11-32T00:00:00Z",
        "2026-11-20T24:00:00Z",
        "2026-11-20T10:60:00Z", "2026-11-20T10:00:00+24:00", "2026-11-20T10:00Z", "٢026-11-20T10:00:00Z",
        "2026-11-20T10:00:00Z\n", "",
    ])
    func takesTheInstantsThatTheDomainTakes(_ text: String) throws {
        #expect(try matches(text, "GivenInstant") == (UTCInstant(rfc3339: text) != nil))
        if let instant = UTCInstant(rfc3339: text) { #expect(try matches(instant.rfc3339, "Instant")) }
    }

    @Test(arguments: [
        "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b", "01934F0E-7C2A-7D3E-9B1A-5C6D7E8F9A0B",
        "00000000-0000-0000-0000-000000000000",
        "{01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b}", "01934f0e7c2a7d3e9b1a5c6d7e8f9a0b",
        "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0g",
        "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b\n", "",
    ])
    func takesTheIDsThatTheDomainTakes(_ text: String) throws {
        let id = UUID(strict: text)
        #expect(try matches(text, "GivenID") == (id != nil))
        if let id { #expect(try matches(id.lowercased, "ID")) }
    }

    /// Nil if a draft with these values is valid.
    private func draft(slug: String = "netflix", money: Money? = nil) -> FaultList? {
        let draft = CatalogueDraft(
            name: "Netflix", slug: slug, category: "streaming",
            typicalAmount: money ?? Money(minorUnits: 1234, currency: .eur),
            billingCycle: .monthly)
        do {
            _ = try draft.validated()
            return nil
        } catch {
            return error
        }
    }

    private func matches(_ text: String, _ schema: String) throws -> Bool {
        try Self.matches(text, try #require(try file.schema(schema)["pattern"]?.stringValue))
    }

    /// Whether the pattern matches the whole text, by Unicode scalars. In ICU, unlike JSON Schema, `$` also matches
    /// before a final line end, so the match must reach the end.
    private static func matches(_ text: String, _ pattern: String) throws -> Bool {
        let expression = try NSRegularExpression(pattern: pattern)
        let whole = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: .anchored, range: whole)?.range == whole
    }
}
