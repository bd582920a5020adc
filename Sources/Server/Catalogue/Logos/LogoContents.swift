package import SQLDatabase
package import ServerAccess
import SubGuardDomain

/// Storage of logo contents: files in a folder, or rows of the database.
///
/// A content is stored before its row in `catalogue_logos` becomes visible, and deleted in the transaction that deletes
/// the row. Write transactions are serialised, so none deletes a content that another is about to reference.
package protocol LogoContents: Sendable {
    /// Does slow work before the transaction. Without a subsequent ``keep(_:in:)``, the result is a stray.
    func prepare(_ file: LogoFile) throws

    /// Stores the content unless it exists. It is durable no later than the transaction.
    func keep(_ file: LogoFile, in transaction: any SQLTransaction) throws

    /// Nil if there is no such logo or the name is invalid.
    func read(_ name: String) throws -> [UInt8]?

    /// Whether the logo exists, as seen by the transaction.
    func exists(_ name: String, in session: any SQLSession) throws -> Bool

    /// The names of all logos, sorted.
    func names() throws -> [String]

    /// Does nothing if the logo does not exist.
    func remove(_ name: String, in transaction: any SQLTransaction) throws

    /// Removes contents that no row references or is about to reference. Returns their number.
    func removeStrays(unknownTo catalogue: CatalogueStore) throws -> Int
}

/// The contents of logos in a database table, shared by all servers of the database.
package struct LogoTable: LogoContents {
    private let store: any SQLStore

    package init(store: any SQLStore) { self.store = store }

    /// Does nothing: the transaction stores the content.
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

    /// Needs no grace period: a content and its row are written in one transaction.
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
    /// Days for which a replaced logo is kept so that an undo can restore it.
    package static let graceDays = 30

    private let context: BackendContext
    private let contents: any LogoContents

    package init(context: BackendContext, contents: any LogoContents) {
        self.context = context
        self.contents = contents
    }

    /// Returns the number of removed logos.
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
