package import Catalogue
import SubGuardDomain

extension ImportPage {
    /// The report of a dry run or of an import.
    package struct Report: Sendable {
        let isDryRun: Bool
        let isApplied: Bool
        /// By the names of the API: rows, inserted, updated, unchanged.
        let counts: [String: Int]
        let failed: [CatalogueImportReport.FailedRow]
        let failedOmitted: Int
        /// The first new and changed items.
        let changes: [CatalogueImportReport.Change]
        /// Columns of the file that are not known.
        let ignoredColumns: [String]
        /// Stands for what was shown, so that nothing else is imported; nil if no more than the counts is kept.
        let checked: String?
        /// Whether nothing was imported because the catalogue was changed after the check.
        let isStale: Bool

        /// What the address of the page says, if no more is kept.
        package init(counts: [String: Int], isDryRun: Bool) {
            self.isDryRun = isDryRun
            isApplied = !isDryRun
            self.counts = counts
            failed = []
            failedOmitted = counts["failed"] ?? 0
            changes = []
            ignoredColumns = []
            checked = nil
            isStale = false
        }

        /// What the address of the page can say: without rows, items and columns.
        package var brief: Report { Report(counts: notice, isDryRun: isDryRun) }

        /// The memory that it takes, about.
        package var keptBytes: Int {
            var texts = ignoredColumns
            for row in failed { texts += row.errors.map { "\($0.pointer)\($0.detail)" } }
            for change in changes {
                for draft in [change.before, change.after] {
                    guard let draft else { continue }
                    texts += CatalogueColumn.all.map { $0.text(draft) }
                }
            }
            return texts.reduce(0) { $0 + 100 + $1.utf8.count }
        }

        var failedCount: Int { failed.count + failedOmitted }
        /// The number of rows that create or change an item.
        var writes: Int { (counts["inserted"] ?? 0) + (counts["updated"] ?? 0) }
        var isRefused: Bool { !isDryRun && !isApplied && !isStale }

        /// The counts for the address of the page.
        package var notice: [String: Int] {
            var notice: [String: Int] = [:]
            for name in ["rows", "inserted", "updated", "unchanged"] { notice[name] = counts[name] ?? 0 }
            notice["failed"] = failedCount
            notice["dry_run"] = isDryRun ? 1 : 0
            return notice
        }

        /// What an import, or the check of one, has found.
        package init(_ report: CatalogueImportReport, isDryRun: Bool, checked: String?) {
            self.isDryRun = isDryRun
            isApplied = report.isApplied
            counts = [
                "rows": report.rows, "inserted": report.inserted, "updated": report.updated,
                "unchanged": report.unchanged,
            ]
            failed = report.failed
            failedOmitted = report.failedCount - report.failed.count
            changes = report.changes
            ignoredColumns = report.ignoredColumns
            // What is imported needs no check any more.
            self.checked = report.isApplied ? nil : checked
            isStale = report.isStale
        }
    }
}
