import Cryptography
import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardContract
import SubGuardDomain

/// What an import may do.
package enum CatalogueImportMode: String, Sendable, CaseIterable {
    /// Rows create items, or change those that have their slug.
    case upsert
    /// Rows of unknown slugs fail.
    case update
    /// Rows of known slugs fail.
    case create
}

/// Options of an import.
package struct CatalogueImportOptions: Sendable {
    /// Only report what would change.
    package var isDryRun = false
    /// Skip failed rows instead of rejecting the file.
    package var skipsBadRows = false
    package var mode = CatalogueImportMode.upsert
    package var digest = Digest.none
    /// Called from time to time with the number of finished steps; each row has two steps, checking and writing.
    package var progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }

    /// The digest of what the rows change.
    package enum Digest: Sendable, Equatable {
        case none
        case reported
        /// That of an earlier report. With another one now, nothing is written, and the report is stale.
        case expected([UInt8])
    }

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
        return try context.write { transaction, now in
            var (steps, report) = try Self.plan(rows, options, in: transaction)
            if case .expected(let digest) = options.digest, digest != report.digest {
                report.isStale = true
                return report
            }
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
            let step = try step(for: row, options.mode, slugs: &slugs, ids: &ids, in: session)
            steps.append(step)
            switch step {
            case .insert(let draft, _): report.note(row.number, nil, becomes: draft)
            case .update(let item, let draft): report.note(row.number, item.draft, becomes: draft)
            case .keep: report.unchanged += 1
            case .fail(let errors): report.note(row.number, errors)
            }
            Self.report(index + 1, rows, options)
        }
        if options.digest != .none { report.digest = digest(of: steps) }
        return (steps, report)
    }

    /// What would be written, and to which state of each item.
    private static func digest(of steps: [Step]) -> [UInt8] {
        var hash = SHA256()
        func entry(_ head: String, _ draft: CatalogueDraft) -> [UInt8] {
            let json = NewCatalogueItem(draft).json()
            return Array("\(head) \(json.count) ".utf8) + json
        }
        for step in steps {
            switch step {
            case .insert(let draft, let id): hash.update(entry("insert \(id?.lowercased ?? "")", draft))
            case .update(let item, let draft):
                hash.update(entry("update \(item.id.lowercased) \(item.revision)", draft))
            case .keep, .fail: break
            }
        }
        return hash.finish()
    }

    private static func step(
        for row: CatalogueImportRow, _ mode: CatalogueImportMode, slugs: inout Set<String>, ids: inout Set<UUID>,
        in session: any SQLSession
    ) throws -> Step {
        let new: NewCatalogueItem
        let item: CatalogueItem?
        // Duplicates skip the query: a file that repeats one row compresses to almost nothing.
        let isDuplicate: Bool
        switch row.content {
        case .unreadable(let errors): return .fail(errors)
        case .item(let readable):
            new = readable
            isDuplicate = slugs.contains(new.slug)
            item = isDuplicate ? nil : try CatalogueRow.find(slug: new.slug, in: session)
        case .changes(let slug, let object, let pointer):
            isDuplicate = slugs.contains(slug)
            item = isDuplicate ? nil : try CatalogueRow.find(slug: slug, in: session)
            if item == nil, !isDuplicate, mode == .update { return .fail(unknownSlug(row)) }
            do throws(FaultList) {
                new = try changed(item, object, at: pointer)
            } catch {
                return .fail(error)
            }
        }
        if item == nil, !isDuplicate, mode == .update { return .fail(unknownSlug(row)) }
        if item != nil, mode == .create {
            return .fail([Fault(row.pointer + "/slug", .duplicate, "An item has this slug already.")])
        }
        var draft = item.map { new.draft(completing: $0) } ?? new.draft()
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

    private static func unknownSlug(_ row: CatalogueImportRow) -> FaultList {
        [Fault(row.pointer + "/slug", .notFound, "No item has this slug.")]
    }

    /// The item with the changes of a row; for no item, the faults of a new one that lacks the rest.
    private static func changed(
        _ item: CatalogueItem?, _ object: JSONObject, at pointer: JSONPointer
    ) throws(FaultList) -> NewCatalogueItem {
        var members = object
        if let item, let whole = try? JSONValue.parse(NewCatalogueItem(item.draft).json()),
            case .object(var all) = whole
        {
            for (name, value) in object.members { all.set(name, value) }
            members = all
        }
        return try NewCatalogueItem(members, WireReading(at: pointer))
    }

    /// Also true for the id of a merged item, which redirects to its primary.
    private static func isTaken(_ id: UUID, in session: any SQLSession) throws -> Bool {
        try CatalogueRow.find(id, in: session) != nil || MergedReferences.primary(of: id, in: session) != id
    }
}
