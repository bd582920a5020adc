import Foundation
import SQLDatabase
import SubGuardDomain

extension CatalogueStore {
    private enum Step {
        case insert(CatalogueDraft)
        case update(CatalogueItem, CatalogueDraft)
        case keep
        case fail([FieldError])
    }

    /// Inserts or updates an item for each row, found by its slug, in one transaction with an audit row for each change.
    /// One row that fails keeps all of them out. Importing the same rows again changes nothing.
    ///
    /// A dry run only reads.
    package func importItems(
        _ rows: [CatalogueImportRow], by actor: Actor, dryRun: Bool
    ) throws -> CatalogueImportReport {
        if dryRun {
            return try context.store.read { try Self.plan(rows, in: $0).report }
        }
        let now = context.now()
        return try context.store.write { transaction in
            var (steps, report) = try Self.plan(rows, in: transaction)
            guard report.failed.isEmpty else { return report }
            for step in steps {
                switch step {
                case .insert(let draft):
                    _ = try insert(
                        draft, id: context.makeID(), action: "catalogue.import", by: actor, at: now, in: transaction)
                case .update(let item, let draft):
                    _ = try update(item, to: draft, action: "catalogue.import", by: actor, at: now, in: transaction)
                case .keep, .fail: break
                }
            }
            report.isApplied = true
            return report
        }
    }

    private static func plan(
        _ rows: [CatalogueImportRow], in session: any SQLSession
    ) throws -> (steps: [Step], report: CatalogueImportReport) {
        var steps: [Step] = []
        var report = CatalogueImportReport()
        var slugs: Set<String> = []
        for row in rows {
            let step = try step(for: row, taken: &slugs, in: session)
            steps.append(step)
            switch step {
            case .insert: report.inserted += 1
            case .update: report.updated += 1
            case .keep: report.unchanged += 1
            case .fail(let errors):
                report.failed.append(CatalogueImportReport.FailedRow(number: row.number, errors: errors))
            }
        }
        return (steps, report)
    }

    private static func step(
        for row: CatalogueImportRow, taken slugs: inout Set<String>, in session: any SQLSession
    ) throws -> Step {
        var draft: CatalogueDraft
        switch row.content {
        case .unreadable(let errors): return .fail(errors)
        case .draft(let readable): draft = readable
        }
        let item = try CatalogueRow.find(slug: draft.slug, in: session)
        if let item { draft = CatalogueImportRow.completed(draft, keeping: row.keptFields, from: item) }
        do {
            draft = try draft.validated()
        } catch {
            return .fail(error.errors.map(FieldError.init))
        }
        guard slugs.insert(draft.slug).inserted else {
            return .fail([
                FieldError(pointer: "#/slug", code: "duplicate", detail: "An earlier row has the same slug.")
            ])
        }
        guard let item else { return .insert(draft) }
        return draft == item.draft ? .keep : .update(item, draft)
    }
}
