import Foundation
import SQLDatabase
import SubGuardContract
import SubGuardDomain

/// Options of an import.
package struct CatalogueImportOptions: Sendable {
    /// Only report what would change.
    package var isDryRun = false
    /// Skip failed rows instead of rejecting the file.
    package var skipsBadRows = false
    /// Called from time to time with the number of finished steps; each row has two steps, checking and writing.
    package var progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }

    package init() {}
}

extension CatalogueStore {
    private enum Step {
        case insert(CatalogueDraft, id: UUID?)
        case update(CatalogueItem, CatalogueDraft)
        case keep
        case fail(FaultList)
    }

    private static let stepsBetweenReports = 500

    /// Inserts or updates one item per row, matched by slug, in one transaction with one audit row per change. A failed
    /// row rejects the whole file unless bad rows are skipped. Importing the same rows again changes nothing.
    ///
    /// A dry run only reads.
    package func importItems(
        _ rows: [CatalogueImportRow], by actor: Actor, options: CatalogueImportOptions = CatalogueImportOptions()
    ) throws -> CatalogueImportReport {
        if options.isDryRun {
            return try context.store.read { try Self.plan(rows, options, in: $0).report }
        }
        let now = context.now()
        return try context.store.write { transaction in
            var (steps, report) = try Self.plan(rows, options, in: transaction)
            guard report.failedCount == 0 || options.skipsBadRows else { return report }
            for (index, step) in steps.enumerated() {
                switch step {
                case .insert(let draft, let id):
                    _ = try insert(
                        draft, id: id ?? context.makeID(), action: .catalogueImport, by: actor, at: now,
                        in: transaction)
                case .update(let item, let draft):
                    _ = try update(item, to: draft, action: .catalogueImport, by: actor, at: now, in: transaction)
                case .keep, .fail: break
                }
                Self.report(rows.count + index + 1, rows, options)
            }
            report.isApplied = true
            return report
        }
    }

    private static func report(_ done: Int, _ rows: [CatalogueImportRow], _ options: CatalogueImportOptions) {
        guard done % stepsBetweenReports == 0 || done == rows.count * 2 else { return }
        options.progress(done, rows.count * 2)
    }

    private static func plan(
        _ rows: [CatalogueImportRow], _ options: CatalogueImportOptions, in session: any SQLSession
    ) throws -> (steps: [Step], report: CatalogueImportReport) {
        var steps: [Step] = []
        var report = CatalogueImportReport()
        report.rows = rows.count
        var slugs: Set<String> = []
        var ids: Set<UUID> = []
        for (index, row) in rows.enumerated() {
            let step = try step(for: row, slugs: &slugs, ids: &ids, in: session)
            steps.append(step)
            switch step {
            case .insert: report.inserted += 1
            case .update: report.updated += 1
            case .keep: report.unchanged += 1
            case .fail(let errors): report.note(row.number, errors)
            }
            Self.report(index + 1, rows, options)
        }
        return (steps, report)
    }

    private static func step(
        for row: CatalogueImportRow, slugs: inout Set<String>, ids: inout Set<UUID>, in session: any SQLSession
    ) throws -> Step {
        let new: NewCatalogueItem
        switch row.content {
        case .unreadable(let errors): return .fail(errors)
        case .item(let readable): new = readable
        }
        var draft = new.draft()
        // Duplicates skip the query: a file that repeats one row compresses to almost nothing.
        let isDuplicate = slugs.contains(draft.slug)
        let item = isDuplicate ? nil : try CatalogueRow.find(slug: draft.slug, in: session)
        if let item { draft = new.draft(completing: item) }
        var errors = FaultList()
        do {
            draft = try draft.validated()
        } catch {
            errors = error.within(row.pointer)
        }
        if isDuplicate {
            errors.note(
                Fault(row.pointer + "/slug", .duplicate, "An earlier row has the same slug."))
        }
        guard errors.isEmpty else { return .fail(errors) }
        slugs.insert(draft.slug)
        guard let item else {
            if let id = new.id, try !ids.insert(id).inserted || isTaken(id, in: session) {
                return .fail([
                    Fault(row.pointer + "/id", .idTaken, "Another item has, or had, this id.")
                ])
            }
            return .insert(draft, id: new.id)
        }
        return draft == item.draft ? .keep : .update(item, draft)
    }

    /// Also true for the id of a merged item, which redirects to its primary.
    private static func isTaken(_ id: UUID, in session: any SQLSession) throws -> Bool {
        try CatalogueRow.find(id, in: session) != nil || MergedReferences.primary(of: id, in: session) != id
    }
}
