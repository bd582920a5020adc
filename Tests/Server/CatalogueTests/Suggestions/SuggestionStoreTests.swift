import BackendTestKit
import Foundation
import SQLDatabase
import SubGuardContract
import SubGuardDomain
import SubGuardSQL
import Testing

@testable import Catalogue
@testable import ServerAccess

struct SuggestionStoreTests {
    private let fixture: BackendFixture
    private let suggestions: SuggestionStore

    init() throws {
        fixture = try BackendFixture()
        suggestions = SuggestionStore(context: fixture.context)
    }

    private func submit(_ names: (UInt64, String)...) throws -> SuggestionReceipt {
        try suggestions.submit(names.map { Suggestion(id: makeID($0.0), name: $0.1) })
    }

    private func groups() throws -> [String] {
        try fixture.texts(
            """
            SELECT name || ' ' || suggestion_count || ' ' || status FROM suggestion_groups ORDER BY first_seen_at, name
            """
        )
    }

    @Test func groupsNamesThatDifferInCaseAndAccents() throws {
        #expect(try submit((1, "Télé-Loisirs"), (2, "TELE LOISIRS"), (3, "“Mubi” 🎬")).accepted == 3)
        fixture.now = fixture.now.adding(days: 1)
        #expect(try submit((4, "télé loisirs")).accepted == 1)
        #expect(try groups() == ["Télé-Loisirs 3 pending", "“Mubi” 🎬 1 pending"])
        #expect(
            try fixture.count("SELECT last_seen_at - first_seen_at FROM suggestion_groups WHERE suggestion_count = 3")
                == 86_400_000)
    }

    /// The nearest item is found before the transaction, in which it may have another name.
    @Test func approvesNothingIntoAnItemThatWasRenamedMeanwhile() throws {
        let catalogue = CatalogueStore(context: fixture.context)
        let item = try catalogue.insert(.sample("Netflix"), id: nil, by: .editor)
        _ = try submit((1, item.name + "x"), (2, item.name + "y"))
        let ids = try fixture.store.read { session in
            try session.query("SELECT id FROM suggestion_groups ORDER BY name") { try $0.uuid(0) }
        }
        func approve(_ id: UUID) throws -> SuggestionOutcome? {
            let nearest = CatalogueNearest(id: item.id, name: item.name, score: 95)
            return try suggestions.moderate([id], .approve, nearest: [id: nearest], by: .editor).first?.outcome
        }
        #expect(try approve(ids[0]) == .approved)
        _ = try catalogue.update(item.id, ifRevision: nil, by: .editor) { current in
            var draft = current.draft
            draft.name = "Spotify"
            return draft
        }
        #expect(try approve(ids[1]) == .noNearestItem)
    }

    /// A merge may leave every field as it was.
    @Test(arguments: [true, false])
    func undoesNoApprovalWhoseItemHasTakenInAnotherSince(_ isAlias: Bool) throws {
        let catalogue = CatalogueStore(context: fixture.context)
        let other = try catalogue.insert(.sample("Mubi", slug: "other"), id: nil, by: .editor)
        _ = try submit((1, "Mubi"))
        let group = try fixture.store.read {
            try #require(try $0.first("SELECT id FROM suggestion_groups") { try $0.uuid(0) })
        }
        let item: CatalogueItem
        if isAlias {
            let target = try catalogue.insert(.sample("Films", slug: "films"), id: nil, by: .editor)
            item = try suggestions.approve(group, mergingInto: target.id, by: .editor).item
        } else {
            item = try suggestions.approve(group, as: nil, by: .editor) { _ in .sample("Mubi", slug: "mubi") }.item
        }
        let merged = try catalogue.merge([other.id], into: item.id, ifRevision: nil, by: .editor)
        #expect(merged.draft == item.draft)
        #expect(try suggestions.moderate([group], .undo, by: .editor).map(\.outcome) == [.itemChanged])
        #expect(try catalogue.find(item.id) == merged)
    }

    @Test func countsAnIDOnceHoweverOftenItIsSent() throws {
        #expect(try submit((1, "Mubi"), (1, "Mubi"), (2, "Mubi")) == SuggestionReceipt(accepted: 2, duplicates: 1))
        #expect(try submit((2, "Something else"), (3, "Mubi")) == SuggestionReceipt(accepted: 1, duplicates: 1))
        #expect(try groups() == ["Mubi 3 pending"])
        #expect(try submit() == SuggestionReceipt(accepted: 0, duplicates: 0))
    }

    @Test func namesOfSignsAloneStayApart() throws {
        #expect(try submit((1, "🎬"), (2, "📺"), (3, "🎬")).accepted == 3)
        #expect(Set(try groups()) == ["🎬 2 pending", "📺 1 pending"])
    }

    /// The list of all statuses is read status by status, the search of few names by their index, and one of the counts
    /// is a difference.
    @Test(arguments: [SuggestionListQuery.Sort.count, .lastSeen])
    func listsAndCountsAllStatusesTogether(_ sort: SuggestionListQuery.Sort) throws {
        let names = ["Anna", "Bert", "Cora", "Dora", "Emil", "Fox_1", "Gert", "Hans", "Ida"]
        for (place, name) in names.enumerated() {
            fixture.now = fixture.now.adding(days: 1)
            for copy in 0..<(place * 7 % 5 + 1) { _ = try submit((UInt64(place * 10 + copy + 1), name)) }
        }
        func page(_ text: String?, after cursor: PageCursor? = nil) throws -> ([SuggestionGroup], PageCursor?) {
            let found = try suggestions.list(
                SuggestionListQuery(status: nil, sort: sort, text: text), after: cursor, limit: 2)
            return (found.groups, found.next)
        }
        for rejected in [0, 2, 6] {
            let all = try suggestions.list(
                SuggestionListQuery(status: nil, sort: sort), after: nil, limit: 100
            ).groups
            for group in all.prefix(rejected) where group.status == .pending {
                try suggestions.reject(group.id, by: .editor)
            }
            var (read, next) = try page(nil)
            while let cursor = next {
                let more = try page(nil, after: cursor)
                read += more.0
                next = more.1
            }
            #expect(read.map(\.id) == all.map(\.id))
            let keys = all.map { sort == .count ? $0.count : $0.lastSeenAt.millisecondsSinceEpoch }
            #expect(keys == keys.sorted(by: >) && keys.count == names.count)
            for _ in 0..<2 {
                let counts = try suggestions.counts()
                #expect(counts == [.pending: Int64(9 - rejected), .approved: 0, .rejected: Int64(rejected)])
            }
        }
        #expect(try page("ER").0.map(\.name).sorted() == ["Bert", "Gert"])
        #expect(try page("x_1").0.map(\.name) == ["Fox_1"])
        #expect(try page("%").0.isEmpty && page("zz").0.isEmpty)
    }

    /// A text in few names is looked up by them, one in many names in the order of the list; both give the same.
    @Test(arguments: [SuggestionListQuery.Sort.count, .lastSeen], [SuggestionGroup.Status.pending, nil])
    func findsFewAndManyNamesInTheSameOrder(
        _ sort: SuggestionListQuery.Sort, _ status: SuggestionGroup.Status?
    ) throws {
        var number: UInt64 = 0
        for part in 0..<5 {
            fixture.now = fixture.now.adding(days: 1)
            let names = (0..<420).map { "Common \(part) \($0)" } + ["Rare \(part)", "Rare 100% \(part)"]
            for repeats in 0..<(part % 3 + 1) {
                let sent = repeats == 0 ? names : Array(names.suffix(100))
                _ = try suggestions.submit(
                    sent.map { name in
                        number += 1
                        return Suggestion(id: makeID(number), name: name)
                    })
            }
        }
        let rejected = try suggestions.list(SuggestionListQuery(status: nil, text: "rare 3"), after: nil, limit: 9)
        for group in rejected.groups { try suggestions.reject(group.id, by: .editor) }
        let all = try suggestions.list(SuggestionListQuery(status: status, sort: sort), after: nil, limit: 5000).groups
        for text in ["common", "rare", "100", "COMMON 2", "nothing"] {
            var read: [SuggestionGroup] = []
            var cursor: PageCursor?
            repeat {
                let found = try suggestions.list(
                    SuggestionListQuery(status: status, sort: sort, text: text), after: cursor, limit: 300)
                read += found.groups
                cursor = found.next
            } while cursor != nil
            let expected = all.filter { $0.name.lowercased().contains(text.lowercased()) }
            #expect(read.map(\.name) == expected.map(\.name), "\(text)")
        }
    }

    @Test func keepsNothingButTheName() throws {
        _ = try submit((1, "Mubi"))
        let columns = try fixture.columns(of: "suggestions")
        #expect(columns == ["id", "group_id"])
    }
}
