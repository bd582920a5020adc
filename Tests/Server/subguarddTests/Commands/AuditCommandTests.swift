import TestKit
import Testing

extension ProgramTests {
    struct AuditCommandTests {
        private func installationWithChanges() async throws -> Installation {
            let installation = try await Installation.migrated()
            try await installation.importSmallCatalogue()
            _ = try await installation.makeToken()
            return installation
        }

        @Test func findsTheChainIntact() async throws {
            let installation = try await installationWithChanges()
            let outcome = try await installation.run("audit", "verify")
            #expect(outcome.succeeded)
            #expect(outcome.output == "5 rows, chain intact\n")
        }

        @Test(arguments: [
            ("UPDATE audit_entries SET after_json = replace(after_json, '12.34', '12.35')", 2),
            ("UPDATE audit_entries SET happened_at = happened_at + 1 WHERE sequence = 4", 4),
            ("DELETE FROM audit_entries WHERE sequence = 3", 3), ("DELETE FROM audit_entries WHERE sequence = 5", 5),
        ])
        func namesTheFirstRowThatWasEdited(edit: String, sequence: Int) async throws {
            let installation = try await installationWithChanges()
            let triggers = ["update", "delete", "replace"].map { "DROP TRIGGER audit_entries_refuse_\($0)" }
            try installation.execute(triggers + [edit])
            let outcome = try await installation.run("audit", "verify")
            #expect(outcome.ending == .exited(1))
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("audit chain broken"))
            #expect(outcome.errors.contains(try Regex("\\b\(sequence)\\b")))
        }
    }
}
