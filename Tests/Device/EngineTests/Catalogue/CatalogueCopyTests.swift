import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardEngine
import Testing

@Suite struct CatalogueCopyTests {
    private static let server = "https://a.example"

    @Test func isFreshForADayAndNotBeforeItsCheck() throws {
        let fixture = try EngineFixture("2026-11-20T10:00:00Z")
        #expect(try fixture.store.catalogue.copy() == nil)
        _ = try fixture.store.catalogue.apply(
            CatalogueSample.whole([CatalogueSample.item(1, "Netflix")]), from: Self.server, at: fixture.moment)
        let copy = try #require(try fixture.store.catalogue.copy())
        for (now, isFresh, age) in [
            ("2026-11-20T10:00:00Z", true, 0), ("2026-11-21T09:59:59.999Z", true, 86_399),
            ("2026-11-21T10:00:00Z", false, 86_400), ("2026-11-20T09:59:59.999Z", false, 0),
            ("2025-11-20T10:00:00Z", false, 0),
        ] {
            let now = try #require(UTCInstant(rfc3339: now))
            #expect(copy.isUpToDate(at: now) == isFresh, "\(now)")
            #expect(copy.ageSeconds(at: now) == age, "\(now)")
        }
    }

    @Test func itemsComeBackAsTheyWere() throws {
        let fixture = try EngineFixture()
        let items = [
            try CatalogueSample.item(1, "Ärzte & Co", aliases: ["L'Équipe “🎉”", "O'Brien"]),
            try CatalogueSample.item(2, "Zoé"),
        ]
        #expect(try fixture.store.catalogue.apply(CatalogueSample.whole(items), from: Self.server, at: fixture.moment))
        #expect(try fixture.store.catalogue.items() == items)
        #expect(try fixture.store.catalogue.item("arzte-co") == items[0])
        #expect(try fixture.store.catalogue.item(CatalogueSample.id(2).lowercased) == items[1])
        #expect(try fixture.store.catalogue.item("nothing") == nil)
        #expect(try fixture.store.catalogue.search("obrien").map(\.item.id) == [CatalogueSample.id(1)])
    }

    /// As a database may have them that an earlier version wrote.
    @Test func longAliasesAreNotRead() throws {
        let fixture = try EngineFixture()
        let item = try CatalogueSample.item(1, "Netflix", aliases: [String(repeating: "é", count: 121), "nf"])
        _ = try fixture.store.catalogue.apply(CatalogueSample.whole([item]), from: Self.server, at: fixture.moment)
        #expect(try fixture.store.catalogue.items().map(\.aliases) == [["nf"]])
        #expect(try fixture.store.catalogue.search("nf").map(\.item.id) == [item.id])
    }

    /// Changes of many days could otherwise make it ever larger.
    @Test func aCopyHasABound() throws {
        let fixture = try EngineFixture()
        let catalogue = fixture.store.catalogue
        let items = [try CatalogueSample.item(1, "Netflix")]
        _ = try catalogue.apply(CatalogueSample.whole(items), from: Self.server, at: fixture.moment)
        try fixture.store.write(at: fixture.moment) { unit in
            try unit.session.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49999)
                INSERT INTO catalogue_items (id, name, slug, category, amount, currency, cycle, aliases, updated_at)
                SELECT randomblob(16), 'n', 's-' || i, category, amount, currency, cycle, '', updated_at
                FROM n, catalogue_items
                """, [])
        }
        let one = CatalogueSample.delta([try CatalogueSample.item(2, "Two")], since: "t1", token: "t2")
        #expect(throws: DeviceStoreError.self) { try catalogue.apply(one, from: Self.server, at: fixture.moment) }
        #expect(try catalogue.copy()?.itemCount == DeviceStore.Catalogue.maximumItems)
        #expect(try catalogue.copy()?.syncToken == "t1")
    }

    @Test func changesReplaceAddAndDelete() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        let items = try (1...3).map { try CatalogueSample.item($0, "Item \($0)") }
        _ = try store.catalogue.apply(CatalogueSample.whole(items), from: Self.server, at: fixture.moment)
        let changed = try CatalogueSample.item(2, "Other")
        let update = CatalogueSample.delta(
            [changed, try CatalogueSample.item(4, "New")], deleted: [(CatalogueSample.id(1), nil)], since: "t1",
            token: "t2")
        #expect(try store.catalogue.apply(update, from: Self.server, at: fixture.moment))
        #expect(try store.catalogue.items().map(\.name) == ["Item 3", "New", "Other"])
        // If another process was faster, the same changes, or those of another server, have no effect.
        #expect(try !store.catalogue.apply(update, from: Self.server, at: fixture.moment))
        let foreign = CatalogueSample.delta(since: "t2", token: "t3")
        #expect(try !store.catalogue.apply(foreign, from: "https://b.example", at: fixture.moment))
        #expect(try store.catalogue.copy()?.itemCount == 3)
    }

    @Test func linksFollowMergesHoweverOftenAndLate() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        let items = try (1...3).map { try CatalogueSample.item($0, "Item \($0)") }
        _ = try store.catalogue.apply(CatalogueSample.whole(items), from: Self.server, at: fixture.moment)
        let id = try fixture.add("Mine", [.catalogueItemID: CatalogueSample.id(1).lowercased])
        let other = try fixture.add("Unlinked")
        let merges = CatalogueSample.delta(
            deleted: [
                (CatalogueSample.id(1), CatalogueSample.id(2)), (CatalogueSample.id(2), CatalogueSample.id(3)),
            ], since: "t1", token: "t2")
        #expect(try store.catalogue.apply(merges, from: Self.server, at: fixture.moment))
        #expect(try store.subscriptions.load(id).catalogueItemID == CatalogueSample.id(3))
        #expect(try store.subscriptions.load(other).catalogueItemID == nil)
        #expect(try store.catalogue.item(CatalogueSample.id(1).lowercased)?.id == CatalogueSample.id(3))
        // A link added later, for example by another device, is resolved by the next sync.
        try store.subscriptions.edit(id, [.catalogueItemID: CatalogueSample.id(1).lowercased], at: fixture.moment)
        try store.catalogue.confirm(#require(try store.catalogue.copy()), at: fixture.moment)
        #expect(try store.subscriptions.load(id).catalogueItemID == CatalogueSample.id(3))
        // A cycle, which no server should produce, does not cause an endless loop.
        let circle = CatalogueSample.delta(
            deleted: [(CatalogueSample.id(3), CatalogueSample.id(1))], since: "t2", token: "t3")
        #expect(try store.catalogue.apply(circle, from: Self.server, at: fixture.moment))
    }

    /// A server may name any number of merges; those of another server go with its items.
    @Test func aWholeCatalogueForgetsMergesIntoWhatItLacks() throws {
        let fixture = try EngineFixture()
        let catalogue = fixture.store.catalogue
        let items = try (1...3).map { try CatalogueSample.item($0, "Item \($0)") }
        _ = try catalogue.apply(CatalogueSample.whole(items), from: Self.server, at: fixture.moment)
        let merges = CatalogueSample.delta(
            deleted: [
                (CatalogueSample.id(1), CatalogueSample.id(2)), (CatalogueSample.id(9), CatalogueSample.id(77)),
                (CatalogueSample.id(3), CatalogueSample.id(1)),
                (CatalogueSample.id(77), CatalogueSample.id(78)), (CatalogueSample.id(78), CatalogueSample.id(9)),
            ],
            since: "t1", token: "t2")
        _ = try catalogue.apply(merges, from: Self.server, at: fixture.moment)
        _ = try catalogue.apply(CatalogueSample.whole([items[1]]), from: "https://b.example", at: fixture.moment)
        for (linked, followed) in [(1, 2), (3, 2), (9, 9), (78, 78)] {
            let id = try fixture.add("Item \(linked)", [.catalogueItemID: CatalogueSample.id(linked).lowercased])
            try catalogue.confirm(#require(try catalogue.copy()), at: fixture.moment)
            #expect(try fixture.store.subscriptions.load(id).catalogueItemID == CatalogueSample.id(followed))
        }
    }

    @Test func isInNoBackup() throws {
        let fixture = try EngineFixture()
        _ = try fixture.store.catalogue.apply(
            CatalogueSample.whole([CatalogueSample.item(1, "Zzyzx Streaming")]), from: Self.server, at: fixture.moment)
        try fixture.store.suggestions.add("Qwertz Radio", at: fixture.moment)
        try fixture.add()
        let text =
            String(decoding: try fixture.backup(), as: UTF8.self)
            + (try fixture.store.portability.export(.json, language: .english, at: fixture.moment))
        for word in ["Zzyzx", "Qwertz", "a.example", "app_downloaded", "anonymous", "catalogue_items"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains("Netflix"))
    }
}
