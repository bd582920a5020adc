package import Catalogue
import SubGuardDomain

extension ImportPage {
    /// What an import, or the check of one, has found.
    package struct Report: Sendable {
        /// The counts alone if no more is kept.
        let found: CatalogueImportReport
        let isDryRun: Bool
        /// Stands for what was shown, so that nothing else is imported; nil if no more than the counts is kept.
        let checked: String?

        package init(_ found: CatalogueImportReport, isDryRun: Bool, checked: String?) {
            self.found = found
            self.isDryRun = isDryRun
            // What is imported needs no check any more.
            self.checked = found.isApplied ? nil : checked
        }

        /// What the address of the page says, if no more is kept.
        package init(counts: [String: Int], isDryRun: Bool) {
            func value(_ name: String) -> Int { counts[name] ?? 0 }
            var found = CatalogueImportReport(
                rows: value("rows"), inserted: value("inserted"), updated: value("updated"),
                unchanged: value("unchanged"), failed: value("failed"))
            found.isApplied = !isDryRun
            self.init(found, isDryRun: isDryRun, checked: nil)
        }

        /// The counts for the address of the page, by the names of the API.
        package var notice: [String: Int] {
            [
                "dry_run": isDryRun ? 1 : 0, "rows": found.rows, "inserted": found.inserted, "updated": found.updated,
                "unchanged": found.unchanged, "failed": found.failedCount,
            ]
        }

        /// What the address of the page can say: without rows, items and columns.
        package var brief: Report { Report(counts: notice, isDryRun: isDryRun) }

        /// The memory that it takes, about.
        package var keptBytes: Int {
            var texts = found.ignoredColumns
            for row in found.failed { texts += row.errors.map { "\($0.pointer)\($0.detail)" } }
            for draft in found.changes.flatMap({ [$0.before, $0.after] }).compactMap(\.self) {
                texts += CatalogueColumn.all.map { $0.text(draft) }
            }
            return texts.reduce(0) { $0 + 100 + $1.utf8.count }
        }

        /// The number of rows that create or change an item.
        var writes: Int { found.inserted + found.updated }
        var isRefused: Bool { !isDryRun && !found.isApplied && !found.isStale }
    }
}
