import BackendTestKit
import Catalogue
import ServerAccess
import SubGuardDomain
import Testing

struct CatalogueListingTests {
    private let fixture: BackendFixture
    private let catalogue: CatalogueStore

    init() throws {
        fixture = try BackendFixture()
        catalogue = CatalogueStore(context: fixture.context)
    }

    /// Every page from the first, with `between` called after each.
    private func walk(
        _ query: CatalogueListQuery, limit: Int, between: () throws -> Void = {}
    ) throws -> [CatalogueItem] {
        var items: [CatalogueItem] = []
        var cursor: PageCursor?
        repeat {
            let page = try catalogue.list(matching: query, after: cursor, limit: limit)
            #expect(page.items.count <= limit)
            items += page.items
            // Encoded and decoded, as by a client.
            cursor = try page.next.map { try #require(PageCursor($0.encoded(for: query.list), of: query.list)) }
            #expect(cursor == page.next)
            try between()
        } while cursor != nil
        return items
    }

    @Test func ordersByNameWithoutCaseAndAccents() throws {
        for (name, slug) in [("zoom", "z"), ("Émile", "e"), ("eric", "r"), ("Apple", "a"), ("éclair", "c")] {
            try catalogue.insert(.sample(name, slug: slug), id: nil, by: .editor)
        }
        let query = CatalogueListQuery()
        #expect(try walk(query, limit: 2).map(\.name) == ["Apple", "éclair", "Émile", "eric", "zoom"])
        let descending = CatalogueListQuery(sort: CatalogueSort(field: .name, isDescending: true))
        #expect(try walk(descending, limit: 2).map(\.name) == ["zoom", "eric", "Émile", "éclair", "Apple"])
    }

    @Test(arguments: CatalogueSort.Field.allCases, [false, true])
    func visitsEachItemOnceInEveryOrderWhateverThePageSize(field: CatalogueSort.Field, isDescending: Bool) throws {
        // Two times for nine items, one category and one name for all: most keys are equal.
        for number in 0..<9 {
            fixture.now = try instant(number < 5 ? "2026-11-20T10:00:00Z" : "2024-02-29T10:00:00Z")
            try catalogue.insert(.sample("Same", slug: "slug-\(number)"), id: nil, by: .editor)
        }
        let query = CatalogueListQuery(sort: CatalogueSort(field: field, isDescending: isDescending))
        let whole = try walk(query, limit: 100)
        #expect(Set(whole.map(\.id)).count == 9)
        for limit in 1...10 { #expect(try walk(query, limit: limit) == whole) }
        let reversed = CatalogueListQuery(sort: CatalogueSort(field: field, isDescending: !isDescending))
        #expect(try walk(reversed, limit: 4) == whole.reversed())
    }

    @Test func pagingNeitherSkipsNorRepeatsWhileRowsComeAndGo() throws {
        let stay = (10..<40).map { "m\($0)" }
        try catalogue.insert(slugs: stay)
        let query = CatalogueListQuery(sort: CatalogueSort(field: .slug))
        var round = 0
        let seen = try walk(query, limit: 7) {
            // Inserts one item before the page and one after it, and deletes one of the previous round.
            try catalogue.insert(slugs: ["a\(round)", "z\(round)"])
            if round > 0, let item = try catalogue.loadSnapshot().items.first(where: { $0.slug == "a\(round - 1)" }) {
                try catalogue.delete(item.id, ifRevision: nil, by: .editor)
            }
            round += 1
        }
        #expect(seen.map(\.slug).filter { $0.hasPrefix("m") } == stay)
        #expect(Set(seen.map(\.id)).count == seen.count)
        #expect(!seen.contains { $0.slug.hasPrefix("a") })
    }

    @Test func findsInNameSlugAndAliasesFolded() throws {
        try catalogue.insert(.sample("Disney+", slug: "disney-plus", aliases: ["Star"]), id: nil, by: .editor)
        try catalogue.insert(.sample("Ciné+ OCS", slug: "ocs", aliases: ["Orange Cinéma Séries"]), id: nil, by: .editor)
        try catalogue.insert(.sample("100 % vélo", slug: "velo"), id: nil, by: .editor)
        func found(_ text: String?) throws -> [String] {
            try walk(CatalogueListQuery(text: text), limit: 10).map(\.slug).sorted()
        }
        #expect(try found("SNEY") == ["disney-plus"])
        #expect(try found("disney plus") == ["disney-plus"])
        #expect(try found("disney-plus") == ["disney-plus"])
        #expect(try found("cinema") == ["ocs"])
        #expect(try found("VÉLO") == ["velo"])
        #expect(try found("star disney").isEmpty)
        #expect(try found("_").isEmpty)
        #expect(try found("netflix").isEmpty)
        #expect(try found(nil).count == 3)
        #expect(try found("  ").count == 3)
    }

    @Test func signsInASearchMeanThemselves() throws {
        try catalogue.insert(.sample("🎬_🎬", slug: "a"), id: nil, by: .editor)
        try catalogue.insert(.sample("🎬x🎬", slug: "b"), id: nil, by: .editor)
        try catalogue.insert(.sample("%", slug: "c"), id: nil, by: .editor)
        #expect(try walk(CatalogueListQuery(text: "%"), limit: 10).map(\.slug) == ["c"])
        #expect(try walk(CatalogueListQuery(text: "🎬_🎬"), limit: 10).map(\.slug) == ["a"])
    }

    @Test func filtersByCategoryAndText() throws {
        try catalogue.insert(slugs: ["netflix", "netto"])
        var draft = CatalogueDraft.sample("Net press", slug: "net-press")
        draft.category = "press"
        try catalogue.insert(draft, id: nil, by: .editor)
        #expect(try walk(CatalogueListQuery(category: "press"), limit: 1).map(\.slug) == ["net-press"])
        #expect(try walk(CatalogueListQuery(text: "net", category: "streaming"), limit: 1).count == 2)
        #expect(try walk(CatalogueListQuery(category: "'; DROP TABLE"), limit: 1).isEmpty)
    }

    @Test func readsTheNamesOfTheSorts() {
        #expect(CatalogueSort(rawValue: "-updated_at") == CatalogueSort(field: .updatedAt, isDescending: true))
        #expect(CatalogueSort(rawValue: "slug") == CatalogueSort(field: .slug))
        for wrong in ["", "-", "--name", "Name", "id", "name ", "updatedAt"] {
            #expect(CatalogueSort(rawValue: wrong) == nil)
        }
        for field in CatalogueSort.Field.allCases {
            for isDescending in [false, true] {
                let sort = CatalogueSort(field: field, isDescending: isDescending)
                #expect(CatalogueSort(rawValue: sort.rawValue) == sort)
            }
        }
    }
}
