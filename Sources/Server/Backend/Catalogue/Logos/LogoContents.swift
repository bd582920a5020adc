package import SQLDatabase
import SubGuardDomain

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

/// The contents of logos in a table of the store, so that servers which share the store share them, too.
package struct LogoTable: LogoContents {
    private let store: any SQLStore

    package init(store: any SQLStore) { self.store = store }

    /// Nothing: the transaction brings it.
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

    /// Needs no days of grace: a content and the row that names it come in one transaction, so what has none is not about
    /// to get one.
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

/// Removes the logos that nobody can see any more.
package struct LogoCollector: Sendable {
    /// So long a logo that was replaced stays, so that an undo can bring it back.
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
