import BackendTestKit
import Catalogue
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Testing

struct CatalogueImportTests {
    private let fixture: BackendFixture
    private let catalogue: CatalogueStore

    init() throws {
        fixture = try BackendFixture()
        catalogue = CatalogueStore(context: fixture.context)
    }

    private func row(_ number: Int, _ draft: CatalogueDraft) -> CatalogueImportRow {
        CatalogueImportRow(number: number, content: .item(NewCatalogueItem(draft)))
    }

    private func run(_ rows: [CatalogueImportRow], dryRun: Bool = false) throws -> CatalogueImportReport {
        try catalogue.importItems(rows, by: .commandLine(user: "root"), dryRun: dryRun)
    }

    @Test func insertsUpdatesAndLeavesAloneBySlug() throws {
        let kept = try catalogue.insert(.sample("Kept", slug: "kept"), id: nil, by: .editor)
        let old = try catalogue.insert(.sample("Old", slug: "old"), id: nil, by: .editor)
        let rows = [
            row(2, .sample("Kept", slug: "kept")), row(3, .sample("New name", slug: "old", amount: 1999)),
            row(4, .sample("Brand “new” 🆕", slug: "new")),
        ]
        let report = try run(rows)
        #expect(report.isApplied)
        #expect((report.inserted, report.updated, report.unchanged) == (1, 1, 1))
        #expect(report.failed.isEmpty)
        #expect(try catalogue.find(kept.id) == kept)
        #expect(try catalogue.find(old.id)?.name == "New name")
        #expect(try catalogue.currentRevision() == 4)
        #expect(try fixture.count("SELECT count(*) FROM audit_entries WHERE action = 'catalogue.import'") == 2)

        let again = try run(rows)
        #expect((again.inserted, again.updated, again.unchanged) == (0, 0, 3))
        #expect(try catalogue.currentRevision() == 4)
    }

    /// Rows are written in parts.
    @Test func writesManyRowsInTheirOrderWithAnAuditRowEach() throws {
        let old = try catalogue.insert(.sample("Old", slug: "s700"), id: nil, by: .editor)
        let gone = try catalogue.insert(.sample("Gone", slug: "gone"), id: makeID(9), by: .editor)
        try catalogue.delete(gone.id, ifRevision: nil, by: .editor)
        _ = try catalogue.insert(.sample("Same", slug: "s3"), id: nil, by: .editor)
        var rows = (1...1_201).map { row($0 + 1, .sample($0 == 3 ? "Same" : "Zoé \($0)", slug: "s\($0)")) }
        rows.append(
            CatalogueImportRow(
                number: 1_203, content: .item(NewCatalogueItem(id: gone.id, .sample("Back", slug: "back")))))
        let report = try run(rows)
        #expect((report.inserted, report.updated, report.unchanged) == (1_200, 1, 1))
        #expect(try catalogue.find(old.id)?.name == "Zoé 700")
        #expect(try catalogue.find(gone.id)?.name == "Back")
        #expect(try fixture.count("SELECT count(*) FROM catalogue_tombstones") == 0)
        #expect(try catalogue.currentRevision() == 4 + 1_201)
        let slugs = try fixture.texts("SELECT slug FROM catalogue_items ORDER BY revision")
        #expect(slugs == ["s3"] + (1...1_201).filter { $0 != 3 }.map { "s\($0)" } + ["back"])
        let verified = try AuditLog(context: fixture.context).verify()
        #expect((verified.count, verified.firstBroken == nil) == (4 + 1_201, true))
    }

    /// A file of the largest size keeps the report small.
    @Test func keepsTheFirstChangesOnly() throws {
        let old = try catalogue.insert(.sample("Old", slug: "s1"), id: nil, by: .editor)
        let most = CatalogueImportReport.maximumChanges
        let report = try run((1...most + 5).map { row($0 + 1, .sample("Zoé \($0)", slug: "s\($0)")) }, dryRun: true)
        #expect((report.inserted, report.updated, report.changes.count) == (most + 4, 1, most))
        let first = try #require(report.changes.first)
        #expect((first.number, first.before, first.after.name) == (2, old.draft, "Zoé 1"))
        #expect(report.changes.dropFirst().allSatisfy { $0.before == nil })
        // The item behind all new ones is the one whose values are lost.
        let late = (1...most + 5).map { row($0, .sample("Zoé \($0)", slug: "n\($0)")) }
        let changed = try run(late + [row(most + 6, .sample("Gone", slug: "s1"))], dryRun: true).changes
        #expect((changed.count, changed.last?.number, changed.last?.before) == (most, most + 6, old.draft))
        #expect(changed.dropLast().map(\.number) == Array(1..<most))
    }

    @Test func oneBadRowKeepsAllOut() throws {
        let unreadable = CatalogueImportRow(
            number: 7,
            content: .unreadable([Fault("#/typical_amount", .invalidAmount, "x")]))
        let report = try run([
            row(2, .sample(slug: "good")), row(3, .sample("", slug: "Bad!")), unreadable,
            row(8, .sample(slug: "good")),
        ])
        #expect(!report.isApplied)
        #expect(report.failed.map(\.number) == [3, 7, 8])
        #expect(
            report.failed.map { $0.errors.map(\.pointer) } == [["#/name", "#/slug"], ["#/typical_amount"], ["#/slug"]])
        #expect(report.failed.last?.errors.map(\.code) == [.duplicate])
        #expect(report.inserted == 1)
        #expect(try catalogue.loadSnapshot().items.isEmpty)
        #expect(try catalogue.currentRevision() == 0)
        #expect(try fixture.count("SELECT count(*) FROM audit_entries") == 0)
    }

    @Test func aDryRunReportsTheSameAndWritesNothing() throws {
        try catalogue.insert(slugs: ["a"])
        let rows = [row(2, .sample("A", slug: "a")), row(3, .sample(slug: "b"))]
        let dry = try run(rows, dryRun: true)
        #expect(!dry.isApplied)
        #expect(try catalogue.currentRevision() == 1)
        var wet = try run(rows)
        #expect(wet.isApplied)
        wet.isApplied = false
        #expect(dry == wet)
    }

    @Test func keepsWhatTheFileDoesNotSpeakOf() throws {
        let item = try catalogue.insert(.sample(slug: "a", aliases: ["x"]), id: nil, by: .editor)
        let header = "name,slug,category,typical_amount,currency,billing_cycle"
        let fields = [
            item.name, "a", item.category, item.typicalAmount.decimal, item.typicalAmount.currency.code,
            item.billingCycle.wire,
        ].joined(separator: ",")
        #expect(try run(try CatalogueCSV.parse(Array("\(header)\n\(fields)\n".utf8))).unchanged == 1)
        let emptied = "\(header),cancel_url,notice_days\n\(fields),,\n"
        #expect(try run(try CatalogueCSV.parse(Array(emptied.utf8))).updated == 1)
        let changed = try #require(try catalogue.find(item.id))
        #expect(changed.website == item.website)
        #expect(changed.aliases == ["x"])
        #expect(changed.cancelURL == nil)
        #expect(changed.noticeDays == nil)
    }

    @Test func anEmptyImportIsFine() throws {
        #expect(try run([]).isApplied)
    }
}
