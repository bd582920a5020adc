import BackendTestKit
import Catalogue
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct RankingStoreTests {
    private let fixture: BackendFixture
    private let ingest: EventIngest
    private let catalogue: CatalogueStore
    private let ranking: RankingStore

    init() throws {
        fixture = try BackendFixture()
        ingest = EventIngest(log: EventLog(context: fixture.context))
        catalogue = CatalogueStore(context: fixture.context)
        ranking = RankingStore(context: fixture.context)
        for (number, slug) in ["cine", "ete", "zoe"].enumerated() {
            try catalogue.insert(.sample(slug, slug: slug), id: makeID(UInt64(number)), by: .editor)
        }
    }

    private func add(_ item: UInt64, events: ClosedRange<UInt64>, name: String = "subscription_added") async throws {
        try await ingest.store(
            try events.map { number in
                try event(
                    number, name, user: Int(number % 3), at: "2026-11-20T09:00:00Z",
                    properties: #"{"app_version":"1","catalogue_item_id":"\#(makeID(item).lowercased)"}"#)
            })
    }

    private func lines(_ limit: Int = 10) throws -> [String] {
        try ranking.ranking(limit: limit).items.map { "\($0.name) \($0.count)" }
    }

    @Test func countsAdditionsOfKnownItemsEachEventOnce() async throws {
        try await add(0, events: 1...2)
        try await add(1, events: 3...5)
        try await add(1, events: 3...5)
        try await add(2, events: 6...7)
        try await add(2, events: 20...29, name: "subscription_removed")
        try await add(77, events: 30...49)
        #expect(try lines() == ["ete 3", "cine 2", "zoe 2"])
        #expect(try lines(1) == ["ete 3"])
    }

    @Test func writesNothingWhileThereIsNothingToRank() async throws {
        #expect(try lines() == [])
        // Items outside the catalogue do not count either.
        try await add(77, events: 30...49)
        #expect(try lines() == [])
        let refreshes = try fixture.context.store.read { session in
            try session.first("SELECT count(*) FROM ranking_refreshes") { try $0.integer(0) }
        }
        #expect(refreshes == 0, "reading must not cost a write each time")
    }

    @Test func standsForADay() async throws {
        #expect(try lines() == [])
        try await add(0, events: 1...1)
        #expect(try lines() == ["cine 1"], "an empty ranking is taken anew")
        let takenAt = fixture.now
        try await add(1, events: 2...9)
        fixture.now = takenAt.adding(milliseconds: 86_400_000 - 1)
        #expect(try lines() == ["cine 1"])
        #expect(try !ranking.refreshIfDue())
        #expect(try ranking.ranking(limit: 10).computedAt == takenAt)
        fixture.now = takenAt.adding(days: 1)
        #expect(try ranking.refreshIfDue())
        #expect(try lines() == ["ete 8", "cine 1"])
        fixture.now = takenAt
        #expect(try ranking.refreshIfDue(), "a clock that was set back does not freeze it")
    }

    @Test(arguments: [
        "UPDATE ranking_entries SET addition_count = addition_count + 1",
        "UPDATE ranking_entries SET addition_count = addition_count - 1", "DELETE FROM ranking_entries",
    ])
    func isVerifiedWithTheFigures(_ change: String) async throws {
        try await add(0, events: 1...2)
        fixture.now = fixture.now.adding(seconds: 1)
        #expect(try lines() == ["cine 2"])
        // Counted in the figures and not in the ranking, which stands for a day.
        try await add(0, events: 3...9)
        try await add(1, events: 10...12)
        #expect(try lines() == ["cine 2"])
        let verifier = FigureVerifier(context: fixture.context)
        #expect(try verifier.verify().differences == [])
        try fixture.store.write { try $0.execute(change) }
        let differences = try verifier.verify().differences
        #expect(differences.count == 1)
        #expect(differences.first?.subject.hasPrefix("ranking of 2026-11-20T10:00:01Z: item") == true)
    }

    @Test func countsMergedItemsWithTheirPrimaryAndLeavesDeletedOnesOut() async throws {
        try await add(0, events: 1...1)
        try await add(1, events: 2...3)
        try await add(2, events: 4...7)
        #expect(try lines() == ["zoe 4", "ete 2", "cine 1"])
        // 2 was merged into 1 and 1 into 0, after the ranking was computed.
        _ = try fixture.store.write { transaction in
            for (from, into) in [(2, 1), (1, 0)] as [(UInt64, UInt64)] {
                try transaction.execute("DELETE FROM catalogue_items WHERE id = ?", [.blob(makeID(from).rawBytes)])
                try transaction.execute(
                    "INSERT INTO catalogue_tombstones (id, merged_into, revision, deleted_at) VALUES (?, ?, 9, 0)",
                    [.blob(makeID(from).rawBytes), .blob(makeID(into).rawBytes)])
            }
        }
        #expect(try lines() == ["cine 7"])
        try catalogue.delete(makeID(0), ifRevision: nil, by: .editor)
        #expect(try lines() == [])
    }
}
