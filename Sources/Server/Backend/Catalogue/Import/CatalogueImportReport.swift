package import SubGuardDomain

/// What an import did, or, where nothing was written, would have done.
package struct CatalogueImportReport: Sendable, Hashable {
    /// A row that cannot be imported.
    package struct FailedRow: Sendable, Hashable {
        /// The row's place in the file.
        package let number: Int
        /// Its faults, as many as fit ``FaultList/maximumFaults`` of the whole file; at least one.
        package let errors: [Fault]
    }

    /// Rows of the file.
    package var rows = 0
    package var inserted = 0
    package var updated = 0
    /// Rows that say what the catalogue says already.
    package var unchanged = 0
    /// The first rows that failed, in the order of the file, until together they have ``FaultList/maximumFaults``
    /// faults.
    package private(set) var failed: [FailedRow] = []
    /// All rows that failed. When there is one, nothing was written, unless bad rows were to be skipped.
    package private(set) var failedCount = 0
    /// Faults that ``failed`` does not name.
    package private(set) var omittedErrors = 0
    /// Whether the changes are in the store: no row failed or bad rows were to be skipped, and it was no dry run.
    package var isApplied = false

    package init() {}

    /// Counts a row that failed, and keeps its faults while there is room.
    mutating func note(_ number: Int, _ errors: FaultList) {
        failedCount += 1
        let room = FaultList.maximumFaults - failed.reduce(0) { $0 + $1.errors.count }
        let kept = Array(errors.prefix(room))
        if !kept.isEmpty { failed.append(FailedRow(number: number, errors: kept)) }
        omittedErrors += errors.total - kept.count
    }
}
