import BackendTestKit
import SubGuardContract
import SubGuardDomain
import Testing

@testable import Backend

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
            "SELECT name || ' ' || suggestion_count || ' ' || status FROM suggestion_groups ORDER BY first_seen_at, name"
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

    @Test func keepsNothingButTheName() throws {
        _ = try submit((1, "Mubi"))
        let columns = try fixture.columns(of: "suggestions")
        #expect(columns == ["id", "group_id"])
    }
}
