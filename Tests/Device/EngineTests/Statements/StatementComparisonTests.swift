import SubGuardDomain
import Testing

@testable import SubGuardEngine
@testable import SubGuardStatementImport

@Suite struct StatementComparisonTests {
    /// Also by changes that stamp no row, and by a restore to older stamps: a comparison is of the data it was made
    /// with.
    @Test func everyChangeMakesAComparisonOutdated() throws {
        let fixture = try EngineFixture()
        let store = fixture.store
        let id = try fixture.add()
        let old = try fixture.backup()
        let changes: [(String, () throws -> Void)] = [
            ("edit", { try store.subscriptions.edit(id, [.notes: "é"], at: fixture.moment) }),
            ("delete", { try store.subscriptions.delete(id, at: fixture.moment) }),
            ("undo", { try store.journal.undo(at: fixture.moment) }),
            ("restore", { try store.backups.restore(old, at: fixture.moment) }),
        ]
        for (name, change) in changes {
            let comparison = try store.read(at: fixture.moment) { try StoredForStatements($0, starter: []) }
                .comparison(with: [], today: fixture.moment.today)
            #expect(try store.read { try comparison.isCurrent(in: $0) }, "\(name)")
            try change()
            #expect(try store.read { try !comparison.isCurrent(in: $0) }, "\(name)")
        }
    }
}
