package import SQLDatabase

/// Where the contents of logos are: files in a folder, or rows of the store.
///
/// A content is there before the row of `catalogue_logos` that names it can be seen, and goes in the transaction that removes
/// that row. Writers take turns, so none of them takes away what another one is about to name.
package protocol LogoContents: Sendable {
    /// Does what would take long inside a transaction, before it. Without a ``keep(_:in:)`` that follows, what it did is
    /// a stray.
    func prepare(_ file: LogoFile) throws

    /// Puts the content there, unless it is. It is on disk when the transaction is, or before.
    func keep(_ file: LogoFile, in transaction: any SQLTransaction) throws

    /// Nil when there is no such logo, also for a name that no logo has.
    func read(_ name: String) throws -> [UInt8]?

    /// Whether there is such a logo, seen from within a transaction.
    func exists(_ name: String, in session: any SQLSession) throws -> Bool

    /// Names of all logos, in their order.
    func names() throws -> [String]

    /// Does nothing when it is gone.
    func remove(_ name: String, in transaction: any SQLTransaction) throws

    /// Removes contents that the catalogue does not know and that nobody is about to name. Returns how many.
    func removeStrays(unknownTo catalogue: CatalogueStore) throws -> Int
}
