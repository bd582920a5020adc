import BackendTestKit
import Catalogue
import Foundation
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Testing

struct CatalogueStoreTests {
    private let fixture: BackendFixture
    private let catalogue: CatalogueStore

    init() throws {
        fixture = try BackendFixture(now: "2024-02-29T23:59:59.123Z")
        catalogue = CatalogueStore(context: fixture.context)
    }

    private func auditActions() throws -> [String] {
        try fixture.texts("SELECT action FROM audit_entries ORDER BY sequence")
    }

    @Test func keepsEveryFieldExactly() throws {
        var draft = CatalogueDraft.sample(aliases: ["OCS | \"Max\"", "Ciné\\Séries", "e\u{301}", "🎬📺"])
        draft.typicalAmount = Money(minorUnits: 12345, currency: try #require(Currency(code: "TND")))
        draft.billingCycle = try #require(BillingCycle(wire: "every:18m"))
        let inserted = try catalogue.insert(draft, id: nil, by: .editor)
        #expect(inserted.draft == draft)
        #expect(inserted.typicalAmount.decimal == "12.345")
        #expect(inserted.updatedAt == fixture.now)
        #expect(inserted.revision == 1)
        let found = try #require(try catalogue.find(inserted.id))
        #expect(found == inserted)
        // String equality ignores normal forms; names are stored unchanged.
        #expect(found.aliases.map { Array($0.utf8) } == draft.aliases.map { Array($0.utf8) })
    }

    @Test func takesTheIDItIsGivenAndRefusesItTwice() throws {
        let id = makeID(1)
        #expect(try catalogue.insert(.sample(), id: id, by: .editor).id == id)
        #expect {
            try catalogue.insert(.sample(slug: "other"), id: id, by: .editor)
        } throws: { isConflict($0, .idTaken) }
    }

    /// Devices follow a merged id to the primary permanently; the id must not be reused.
    @Test func anIDThatWasMergedAwayIsNotGivenOutAgain() throws {
        let primary = try catalogue.insert(.sample("A", slug: "a"), id: makeID(1), by: .editor)
        let duplicate = try catalogue.insert(.sample("B", slug: "b"), id: makeID(2), by: .editor)
        _ = try catalogue.merge([duplicate.id], into: primary.id, ifRevision: nil, by: .editor)
        #expect {
            try catalogue.insert(.sample("C", slug: "c"), id: duplicate.id, by: .editor)
        } throws: { isConflict($0, .idTaken) }
        let logos = LogoTable(store: fixture.store)
        #expect(try catalogue.undo(nil, of: duplicate.id, ifRevision: nil, by: .editor, logos: logos)?.name == "B")
    }

    @Test func refusesATakenSlugAndChangesNothing() throws {
        try catalogue.insert(.sample(), id: nil, by: .editor)
        let other = try catalogue.insert(.sample("Other", slug: "other"), id: nil, by: .editor)
        #expect {
            try catalogue.insert(.sample("Same name is fine"), id: nil, by: .editor)
        } throws: { isConflict($0, .slugTaken) }
        #expect {
            try catalogue.update(other.id, ifRevision: nil, by: .editor) { _ in .sample() }
        } throws: { isConflict($0, .slugTaken) }
        #expect(try catalogue.currentRevision() == 2)
        #expect(try auditActions() == ["catalogue.insert", "catalogue.insert"])
        try catalogue.insert(.sample("Other", slug: "another", aliases: ["OCS"]), id: nil, by: .editor)
    }

    @Test func namesEveryFieldThatBreaksARule() throws {
        var draft = CatalogueDraft.sample(" ", slug: "Bad Slug", amount: -1, aliases: ["ok", "bad\u{0}"])
        draft.website = "http://example.com"
        #expect {
            try catalogue.insert(draft, id: nil, by: .editor)
        } throws: { error in
            guard case .invalid(let errors) = error as? BackendError else { return false }
            return errors.map(\.pointer) == ["#/name", "#/slug", "#/typical_amount", "#/website", "#/aliases/1"]
        }
        #expect(try catalogue.currentRevision() == 0)
        #expect(try auditActions().isEmpty)
    }

    @Test func updatesOnlyFromTheRevisionThatTheCallerSaw() throws {
        let item = try catalogue.insert(.sample(), id: nil, by: .editor)
        fixture.now = fixture.now.adding(seconds: 1)
        let updated = try catalogue.update(item.id, ifRevision: item.revision, by: .editor) { current in
            #expect(current == item)
            var draft = current.draft
            draft.name = "Renamed"
            return draft
        }
        #expect(updated.revision == 2)
        #expect(updated.updatedAt == fixture.now)
        #expect(throws: BackendError.preconditionFailed(currentRevision: 2)) {
            try catalogue.update(item.id, ifRevision: 1, by: .editor) { $0.draft }
        }
        #expect(throws: BackendError.preconditionFailed(currentRevision: 2)) {
            try catalogue.delete(item.id, ifRevision: 1, by: .editor)
        }
        #expect(throws: BackendError.notFound(what: "catalogue item")) {
            try catalogue.update(makeID(404), ifRevision: 1, by: .editor) { $0.draft }
        }
        #expect(throws: BackendError.notFound(what: "catalogue item")) {
            try catalogue.delete(makeID(404), ifRevision: nil, by: .editor)
        }
    }

    @Test func aChangeOfNothingIsNoChange() throws {
        let item = try catalogue.insert(.sample(), id: nil, by: .editor)
        fixture.now = fixture.now.adding(seconds: 1)
        #expect(try catalogue.update(item.id, ifRevision: nil, by: .editor) { $0.draft } == item)
        #expect(try catalogue.currentRevision() == 1)
        #expect(try auditActions() == ["catalogue.insert"])
    }

    @Test func anErrorOfTheCallersOwnRollsBackAndComesThrough() throws {
        let item = try catalogue.insert(.sample(), id: nil, by: .editor)
        #expect(throws: MalformedTestData.self) {
            try catalogue.update(item.id, ifRevision: nil, by: .editor) { _ in throw MalformedTestData() }
        }
        #expect(try catalogue.find(item.id) == item)
    }

    @Test func revisionsOnlyGrowAcrossDeletionAndReturn() throws {
        let id = makeID(1)
        try catalogue.insert(.sample(), id: id, by: .editor)
        try catalogue.delete(id, ifRevision: 1, by: .editor)
        let gone = try catalogue.loadSnapshot()
        #expect(gone.items.isEmpty)
        #expect(gone.tombstones == [CatalogueTombstone(id: id, mergedInto: nil, revision: 2)])
        #expect(try catalogue.find(id) == nil)

        let back = try catalogue.insert(.sample(), id: id, by: .editor)
        #expect(back.revision == 3)
        let snapshot = try catalogue.loadSnapshot()
        #expect(snapshot.revision == 3)
        #expect(snapshot.items == [back])
        #expect(snapshot.tombstones.isEmpty)
        try catalogue.delete(id, ifRevision: 3, by: .editor)
        #expect(try catalogue.loadSnapshot().tombstones.map(\.revision) == [4])
        #expect(
            try auditActions() == ["catalogue.insert", "catalogue.delete", "catalogue.insert", "catalogue.delete"])
        #expect(try AuditLog(context: fixture.context).verify().isIntact)
    }

    @Test func theSnapshotIsOrderedAndSeesOtherProcesses() throws {
        try catalogue.insert(slugs: ["b", "a-2", "a", "c"])
        let other = try fixture.reopened()
        try CatalogueStore(context: other.context).insert(slugs: ["aa"])
        #expect(try catalogue.currentRevision() == 5)
        let snapshot = try catalogue.loadSnapshot()
        #expect(snapshot.items.map(\.slug) == ["a", "a-2", "aa", "b", "c"])
        #expect(Set(snapshot.items.map(\.revision)) == [1, 2, 3, 4, 5])
        #expect(snapshot.epoch == (try StoreIdentity(context: other.context).epoch))
        #expect(snapshot.horizon == 0)
    }

    @Test func purgingTombstonesRaisesTheHorizonToTheNewestOfThem() throws {
        try catalogue.insert(slugs: ["a", "b", "c"])
        let items = try catalogue.loadSnapshot().items
        let start = fixture.now
        for (day, item) in items.enumerated() {
            fixture.now = start.adding(days: day)
            try catalogue.delete(item.id, ifRevision: nil, by: .editor)
        }
        #expect(try catalogue.purgeTombstones(olderThan: start) == 0)
        #expect(try catalogue.loadSnapshot().horizon == 0)
        #expect(try catalogue.purgeTombstones(olderThan: start.adding(days: 2)) == 2)
        let snapshot = try catalogue.loadSnapshot()
        #expect(snapshot.horizon == 5)
        #expect(snapshot.tombstones.map(\.revision) == [6])
        #expect(try catalogue.purgeTombstones(olderThan: start.adding(days: 2)) == 0)
        #expect(try catalogue.loadSnapshot().horizon == 5)
    }

    @Test func theAuditHoldsTheStateBeforeAndAfter() throws {
        let item = try catalogue.insert(.sample("Say \"hi\" \\ 🦊"), id: nil, by: .editor)
        try catalogue.delete(item.id, ifRevision: nil, by: .editor)
        let entries = try AuditLog(context: fixture.context).list(after: nil, limit: 10)
        #expect(entries.map(\.change.subjectID) == [item.id, item.id])
        #expect(entries.first?.change.after == nil)
        #expect(entries.first?.change.before == entries.last?.change.after)
        #expect(entries.last?.change.before == nil)
        #expect(entries.last?.change.after?.contains(#""name":"Say \"hi\" \\ 🦊""#) == true)
        #expect(entries.last?.change.after?.contains(#""typical_amount":"12.99","currency":"EUR""#) == true)
        #expect(entries.allSatisfy { $0.change.actor == .editor })
    }
}

func isConflict(_ error: any Error, _ code: ProblemCode) -> Bool {
    guard case .conflict(let found, _) = error as? BackendError else { return false }
    return found == code
}
