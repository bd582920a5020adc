import TestKit
import Testing

extension ProgramTests {
    struct FiguresCommandTests {
        @Test func saysWhetherKeptAndRecomputedFiguresAgree() async throws {
            let installation = try await Installation.migrated()
            let fine = try await installation.run("figures", "verify")
            #expect(fine.succeeded)
            #expect(fine.output == "0 events, 0 users, no difference\n")
            try installation.execute("UPDATE figure_totals SET users = 7")
            let wrong = try await installation.run("figures", "verify")
            #expect(wrong.ending == .exited(1))
            #expect(wrong.output.isEmpty)
            #expect(
                wrong.errorLines == ["total users: stored 7, recomputed 0", "0 events, 0 users, 1 differences"])
        }
    }
}
