package import SQLDatabase
import SubGuardDomain

/// The storage of the logos' contents: files in a folder, or rows of the database.
///
/// A content exists before the row of `catalogue_logos` that names it becomes visible, and is deleted in the
/// transaction that deletes that row. Writers take turns, so none of them deletes a content that another is about to
/// name.
package protocol LogoContents: Sendable {
    /// Does slow work before the transaction. Without a following ``keep(_:in:)`` its result is a stray.
    func prepare(_ file: LogoFile) throws

    /// Stores the content unless it exists. It is on disk when the transaction is, or before.
    func keep(_ file: LogoFile, in transaction: any SQLTransaction) throws

    /// Nil when there is no such logo, also for an invalid name.
    func read(_ name: String) throws -> [UInt8]?

    /// Whether there is such a logo, seen from within a transaction.
    func exists(_ name: String, in session: any SQLSession) throws -> Bool

    /// Names of all logos, in their order.
    func names() throws -> [String]

    /// Does nothing when it does not exist.
    func remove(_ name: String, in transaction: any SQLTransaction) throws

    /// Removes contents that the catalogue does not name and no writer is about to name. Returns their number.
    func removeStrays(unknownTo catalogue: CatalogueStore) throws -> Int
}

/// The contents of logos in a database table, shared by all servers of the database.
package struct LogoTable: LogoContents {
    private let store: any SQLStore

    package init(store: any SQLStore) { self.store = store }

    /// Nothing to do: the transaction stores it.
    package func prepare(_ file: LogoFile) {}

    package func keep(_ file: LogoFile, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "INSERT INTO catalogue_logo_contents (file_name, content) VALUES (?, ?) ON CONFLICT (file_name) DO NOTHING",
            [.text(file.name), .blob(file.bytes)])
    }

    package func read(_ name: String) throws -> [UInt8]? {
        guard LogoFile.format(ofName: name) != nil else { return nil }
        return try store.read { session in
            try session.first("SELECT content FROM catalogue_logo_contents WHERE file_name = ?", [.text(name)]) {
                try $0.blob(0)
            }
        }
    }

    package func exists(_ name: String, in session: any SQLSession) throws -> Bool {
        try session.first("SELECT 1 FROM catalogue_logo_contents WHERE file_name = ?", [.text(name)]) { _ in true }
            == true
    }

    package func names() throws -> [String] {
        try store.read { session in
            try session.query("SELECT file_name FROM catalogue_logo_contents ORDER BY file_name") { try $0.text(0) }
        }
    }

    package func remove(_ name: String, in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM catalogue_logo_contents WHERE file_name = ?", [.text(name)])
    }

    /// Needs no grace period: a content and the row that names it are written in one transaction.
    package func removeStrays(unknownTo catalogue: CatalogueStore) throws -> Int {
        try store.write { transaction in
            try transaction.execute(
                """
                DELETE FROM catalogue_logo_contents WHERE NOT EXISTS
                    (SELECT 1 FROM catalogue_logos WHERE catalogue_logos.file_name = catalogue_logo_contents.file_name)
                """)
        }
    }
}

/// Removes logos that are no longer in use.
package struct LogoCollector: Sendable {
    /// How long a replaced logo is kept, so that an undo can restore it.
    package static let graceDays = 30

    private let context: BackendContext
    private let contents: any LogoContents

    package init(context: BackendContext, contents: any LogoContents) {
        self.context = context
        self.contents = contents
    }

    /// Returns how many went.
    @discardableResult
    package func run() throws -> Int {
        let store = CatalogueStore(context: context)
        let moment = context.now().adding(days: -Self.graceDays)
        var removed = 0
        for name in try store.releasedLogos(before: moment) {
            if try store.removeLogo(name, releasedBefore: moment, from: contents) { removed += 1 }
        }
        return removed + (try contents.removeStrays(unknownTo: store))
    }
}
