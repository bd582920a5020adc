import Cryptography
import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardContract
import SubGuardDomain
import SubGuardSQL

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

        var changes: Bool {
            switch self {
            case .insert, .update: true
            case .keep, .fail: false
            }
        }
    }

    /// The items that some rows name, read in few round trips: all writers wait meanwhile.
    private struct NamedItems {
        let bySlug: [String: CatalogueItem]
        private var isIDTaken: [UUID: Bool] = [:]

        init(_ rows: ArraySlice<CatalogueImportRow>, in session: any SQLSession) throws {
            bySlug = try CatalogueRow.find(slugs: Array(Set(rows.compactMap(\.slug))), in: session)
            let ids = Array(Set(rows.compactMap(\.id)))
            for id in ids { isIDTaken[id] = false }
            try session.forEach(Self.search, rows: ids.map { [.uuid($0), .uuid($0)] }) { number, _ in
                isIDTaken[ids[number]] = true
            }
        }

        /// Also true for the id of a merged item, which redirects to its primary.
        func isTaken(_ id: UUID, in session: any SQLSession) throws -> Bool {
            try isIDTaken[id] ?? session.exists(Self.search, [.uuid(id), .uuid(id)])
        }

        private static let search = """
            SELECT 1 FROM catalogue_items WHERE id = ?
            UNION ALL SELECT 1 FROM catalogue_tombstones WHERE id = ? AND merged_into IS NOT NULL
            """
    }

    private static let stepsInAPart = 500

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
        return try context.write(by: actor) { transaction in
            var (steps, report) = try Self.plan(rows, options, in: transaction)
            if case .expected(let digest) = options.digest, digest != report.digest {
                report.isStale = true
                return report
            }
            guard report.failedCount == 0 || options.skipsBadRows else { return report }
            try Self.forEachPart(steps) { part, done in
                try write(part, in: transaction)
                options.progress(rows.count + done, rows.count * 2)
            }
            report.isApplied = true
            return report
        }
    }

    /// - Parameter done: the number of elements in this part and before it.
    private static func forEachPart<Element>(
        _ all: [Element], _ body: (_ part: ArraySlice<Element>, _ done: Int) throws -> Void
    ) rethrows {
        for start in stride(from: 0, to: all.count, by: stepsInAPart) {
            let end = min(start + stepsInAPart, all.count)
            try body(all[start..<end], end)
        }
    }

    /// Writes what was planned in the same transaction: ids and slugs are free.
    private func write(_ steps: ArraySlice<Step>, in transaction: AuditedTransaction) throws {
        let actor = transaction.actor
        var (inserted, updated): ([CatalogueItem], [CatalogueItem]) = ([], [])
        var (changes, givenIDs): ([AuditChange], [UUID]) = ([], [])
        let changeCount = steps.count { $0.changes }
        guard changeCount > 0 else { return }
        var revision = try Self.nextRevision(transaction, count: changeCount) - Int64(changeCount)
        for step in steps where step.changes {
            revision += 1
            func item(_ id: UUID, _ draft: CatalogueDraft, logoURL: String? = nil) -> CatalogueItem {
                CatalogueItem(id: id, draft, logoURL: logoURL, updatedAt: transaction.now, revision: revision)
            }
            switch step {
            case .insert(let draft, let id):
                let new = item(id ?? context.makeID(), draft)
                if let id { givenIDs.append(id) }
                inserted.append(new)
                changes.append(Self.auditChange(.catalogueImport, before: nil, after: new, by: actor))
            case .update(let former, let draft):
                let changed = item(former.id, draft, logoURL: former.logoURL)
                updated.append(changed)
                changes.append(Self.auditChange(.catalogueImport, before: former, after: changed, by: actor))
            case .keep, .fail: break
            }
        }
        try transaction.execute("DELETE FROM catalogue_tombstones WHERE id = ?", rows: givenIDs.map { [.uuid($0)] })
        try CatalogueRow.insert(inserted, in: transaction)
        try CatalogueRow.update(updated, in: transaction)
        try AuditLog.append(in: transaction, changes, at: transaction.now)
    }

    private static func plan(
        _ rows: [CatalogueImportRow], _ options: CatalogueImportOptions, in session: any SQLSession
    ) throws -> (steps: [Step], report: CatalogueImportReport) {
        var steps: [Step] = []
        var report = CatalogueImportReport()
        report.rows = rows.count
        var slugs: Set<String> = []
        var ids: Set<UUID> = []
        try forEachPart(rows) { part, done in
            let known = try NamedItems(part, in: session)
            for row in part {
                let step = try step(for: row, known, options.mode, slugs: &slugs, ids: &ids, in: session)
                steps.append(step)
                switch step {
                case .insert(let draft, _): report.note(row.number, nil, becomes: draft)
                case .update(let item, let draft): report.note(row.number, item.draft, becomes: draft)
                case .keep: report.unchanged += 1
                case .fail(let errors): report.note(row.number, errors)
                }
            }
            options.progress(done, rows.count * 2)
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
        for row: CatalogueImportRow, _ known: NamedItems, _ mode: CatalogueImportMode, slugs: inout Set<String>,
        ids: inout Set<UUID>, in session: any SQLSession
    ) throws -> Step {
        let new: NewCatalogueItem
        let item: CatalogueItem?
        let isDuplicate: Bool
        switch row.content {
        case .unreadable(let errors): return .fail(errors)
        case .item(let readable):
            new = readable
            isDuplicate = slugs.contains(new.slug)
            item = isDuplicate ? nil : known.bySlug[new.slug]
        case .changes(let slug, let object, let pointer):
            isDuplicate = slugs.contains(slug)
            let found = known.bySlug[slug]
            item = isDuplicate ? nil : found
            if item == nil, !isDuplicate, mode == .update { return .fail(unknownSlug(row)) }
            // What an earlier row creates is not there yet, so that its other fields would seem to be missing.
            if isDuplicate, found == nil { return .fail([repeatedSlug(row)]) }
            do throws(FaultList) {
                new = try changed(found, object, at: pointer)
            } catch {
                var errors = error
                if isDuplicate { errors.note(repeatedSlug(row)) }
                return .fail(errors)
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
        if isDuplicate { errors.note(repeatedSlug(row)) }
        guard errors.isEmpty else { return .fail(errors) }
        slugs.insert(draft.slug)
        guard let item else {
            if let id = new.id, try !ids.insert(id).inserted || known.isTaken(id, in: session) {
                return .fail([
                    Fault(row.pointer + "/id", .idTaken, "Another item has, or had, this id.")
                ])
            }
            return .insert(draft, id: new.id)
        }
        return draft == item.draft ? .keep : .update(item, draft)
    }

    private static func repeatedSlug(_ row: CatalogueImportRow) -> Fault {
        Fault(row.pointer + "/slug", .duplicate, "An earlier row has the same slug.")
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
}

extension CatalogueImportRow {
    /// Nil for one that no item can have; PostgreSQL would refuse to look up a NUL.
    fileprivate var slug: String? {
        switch content {
        case .item(let item): item.slug
        case .changes(let slug, _, _): CatalogueRules.slugError(slug, field: "") == nil ? slug : nil
        case .unreadable: nil
        }
    }

    fileprivate var id: UUID? {
        if case .item(let item) = content { item.id } else { nil }
    }
}
