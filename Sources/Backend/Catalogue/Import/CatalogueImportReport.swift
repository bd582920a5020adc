/// What an import did, or, where nothing was written, would have done.
package struct CatalogueImportReport: Sendable, Hashable {
    /// A row that cannot be imported.
    package struct FailedRow: Sendable, Hashable {
        /// The row's place in the file.
        package let number: Int
        package let errors: [FieldError]
    }

    /// Rows of the file.
    package var rows = 0
    package var inserted = 0
    package var updated = 0
    /// Rows that say what the catalogue says already.
    package var unchanged = 0
    /// In the order of the file. When there is one, nothing was written, unless bad rows were to be skipped.
    package var failed: [FailedRow] = []
    /// Whether the changes are in the store: no row failed or bad rows were to be skipped, and it was no dry run.
    package var isApplied = false
}
