import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine
import Synchronization
import TestKit
import Testing
import ZlibCoding

/// The catalogue of a device that has none of a server.
@Suite struct StarterCatalogueTests {
    private static let csv = """
        name,slug,category,typical_amount,currency,billing_cycle,website,cancel_url,notice_days,aliases
        Ciné “Séries”,cine-series,streaming,12.34,EUR,monthly,https://example.com/?q=%C3%A9,https://example.com/x,\
        30,CS|Ciné
        "Pain, vin & co",pain,food,1500,JPY,yearly,,,,
        Broken,broken,streaming,12.345,EUR,monthly,,,,
        """

    private let folder: TemporaryFolder
    private let moment: Moment
    private let reads = Reads()

    private final class Reads: Sendable {
        let count = Atomic<Int>(0)
    }

    init() throws {
        folder = try TemporaryFolder()
        moment = try EngineFixture.moment("2026-11-20")
    }

    private func open() throws -> DeviceStore {
        let starter = StarterCatalogue(day: try #require(CalendarDay(iso: "2026-11-01")), itemCount: 2) { [reads] in
            reads.count.add(1, ordering: .relaxed)
            return Gzip.compress(Array(Self.csv.utf8)) ?? []
        }
        return try DeviceStore(
            path: folder.file("store.sqlite"), now: moment.now, entitlement: .premium(until: nil), consent: .granted,
            starter: starter)
    }

    private func add(_ item: CatalogueItem, to store: DeviceStore) throws -> UUID {
        var draft = item.subscriptionDraft
        draft[.nextBillingOn] = "2026-12-24"
        return try store.subscriptions.add(draft, at: moment).id
    }

    @Test func isReadOnceWhenAskedFor() throws {
        let store = try open()
        #expect(try store.catalogue.starter()?.day.iso == "2026-11-01" && store.catalogue.copy() == nil)
        #expect(reads.count.load(ordering: .relaxed) == 0)
        let items = try store.catalogue.items()
        #expect(items.map(\.slug) == ["cine-series", "pain"], "what is not understood is left out")
        #expect(items[0].aliases == ["CS", "Ciné"] && items[0].noticeDays == 30 && items[0].logoURL == nil)
        #expect(items[1].typicalAmount.decimal == "1500" && items[1].name == "Pain, vin & co")
        #expect(try store.catalogue.search("cine").map(\.item.slug) == ["cine-series"])
        #expect(try store.catalogue.item("pain")?.id == items[1].id)
        #expect(try store.catalogue.item(items[1].id.lowercased)?.slug == "pain")
        #expect(try store.catalogue.item("broken") == nil)
        if case .sure(let item) = try store.catalogue.guess("cs") {
            #expect(item.slug == "cine-series")
        } else {
            Issue.record("the alias is not known")
        }
        #expect(reads.count.load(ordering: .relaxed) == 1)
    }

    @Test func aServersCatalogueReplacesIt() throws {
        let store = try open()
        let starter = try store.catalogue.items()
        let linked = try add(starter[0], to: store)
        let other = try add(starter[1], to: store)
        let subscription = try store.subscriptions.load(linked)
        #expect(try store.subscriptions.cancellationRoute(subscription) != nil)
        var served = try CatalogueSample.item(7, "Ciné “Séries”")
        served.slug = "cine-series"
        #expect(try store.catalogue.apply(CatalogueSample.whole([served]), from: "https://a.example", at: moment))
        #expect(try store.catalogue.starter() == nil)
        #expect(try store.catalogue.items().map(\.id) == [served.id])
        #expect(try store.catalogue.item("pain") == nil && store.catalogue.search("pain").isEmpty)
        // Linked by the slug; what the server does not have stays as it is.
        #expect(try store.subscriptions.load(linked).catalogueItemID == served.id)
        #expect(try store.subscriptions.load(other).catalogueItemID == starter[1].id)
        // An empty catalogue of a server is one too.
        #expect(
            try store.catalogue.apply(CatalogueSample.whole([], token: "t2"), from: "https://b.example", at: moment))
        #expect(try store.catalogue.items().isEmpty && store.catalogue.starter() == nil)
    }

    /// Its ids are this device's: no server knows them.
    @Test func itsIdsAreInNoEvent() throws {
        let store = try open()
        let item = try #require(try store.catalogue.items().first)
        let id = try add(item, to: store)
        try store.subscriptions.delete(id, at: moment)
        let events = try store.analytics.preview(limit: 100).entries
        #expect(Set(["subscription_added", "subscription_removed"]).isSubset(of: Set(events.map(\.name))))
        #expect(events.allSatisfy { $0.properties["catalogue_item_id"] == nil })
    }
}
