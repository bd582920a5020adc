import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing
import ZlibCoding

/// Databases that released programs wrote, with a row of most features. Whatever comes later must migrate them and read
/// them; their checksums also fail for a released migration that was edited.
@Suite struct ReleasedStoreTests {
    @Test func aStoreOfTheFirstReleaseIsMigratedAndRead() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let packed = try RepositoryFile.bytes("Tests/Device/EngineTests/Fixtures/store-0.1.0.sqlite.gz")
        try Data(try Inflater.inflate(packed, maximumBytes: 1 << 24)).write(to: URL(filePath: path))
        let moment = try EngineFixture.moment("2026-12-24")
        let store = try EngineFixture.open(path, now: moment.now)
        let subscriptions = try store.subscriptions.all()
        #expect(subscriptions.map(\.name) == ["Été “26” 🎉", "Le Monde", "Gym"])
        #expect(subscriptions.map(\.scope) == [.personal, .personal, .pro])
        #expect(subscriptions.first?.notes == #"a;b "c""# && subscriptions.first?.prices.count == 1)
        let first = try #require(subscriptions.first)
        #expect(try store.ledger.history(first.id, at: moment).count >= 10)
        #expect(try store.sharing.people().map(\.name) == ["Ali", "Zoé"])
        #expect(try store.sharing.groups().map(\.memberIDs.count) == [2])
        #expect(try store.budgets.list(at: moment).count == 1)
        #expect(try store.journal.entries(at: moment).count >= 10)
        try store.journal.undo(at: moment)
        try store.subscriptions.edit(first.id, [.notes: "x"], at: moment)
        try store.close()
    }
}
