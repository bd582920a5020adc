package import SQLDatabase

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
