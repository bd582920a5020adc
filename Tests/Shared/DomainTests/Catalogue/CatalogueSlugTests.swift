import SubGuardDomain
import TestKit
import Testing

@Suite struct CatalogueSlugTests {
    @Test(arguments: [
        ("Netflix", "netflix"), ("L'Équipe", "l-equipe"), ("Disney+", "disney-plus"),
        ("  Canal+ / Séries!! ", "canal-plus-series"), ("Straße № 5", "strasse-no-5"),
        ("Яндекс", ""), ("Яндекс Plus 2", "plus-2"), ("🎮", ""), ("", ""), ("---", ""), ("٣ jours", "jours"),
        ("a_b.c", "a-b-c"), ("K-ﬁ Ⅷ", "k-fi-viii"),
    ])
    func spellsTheNameInASCII(_ name: String, _ slug: String) {
        #expect(CatalogueDraft.slug(from: name) == slug)
    }

    @Test func cutsAtAWord() {
        let words = Array(repeating: "abcdefghi", count: 12).joined(separator: " ")
        let slug = CatalogueDraft.slug(from: words)
        #expect(slug == Array(repeating: "abcdefghi", count: 8).joined(separator: "-"))
        #expect(CatalogueDraft.slug(from: String(repeating: "x", count: 200)).utf8.count == 80)
    }

    @Test func proposesOnlyValidSlugs() {
        var generator = SeededRandom(seed: 80)
        let pool = ["a", "B", "é", " ", "-", "+", "9", "ß", "日", "🎮", "\u{301}", ".", "İ"]
        for _ in 0..<500 {
            let name = (0..<Int.random(in: 0...120, using: &generator)).map { _ in
                pool.randomElement(using: &generator) ?? ""
            }.joined()
            let slug = CatalogueDraft.slug(from: name)
            guard !slug.isEmpty else { continue }
            let draft = CatalogueDraft(
                name: "x", slug: slug, category: "x", typicalAmount: Money(minorUnits: 0, currency: .eur),
                billingCycle: .monthly)
            #expect(throws: Never.self, "\(name)") { try draft.validated() }
        }
    }
}
