/// Where a database is: `sqlite:` with a relative or absolute path, or `postgres://`.
///
/// Everything that prints it hides the password.
package struct SQLDatabaseURL: Sendable, Equatable {
    /// The kinds of stores that a URL can name.
    package enum Location: Sendable, Equatable {
        /// As it stood in the URL: nothing is decoded, so a path may hold blanks, `?` and `%`.
        case sqlite(path: String)
        /// As libpq reads it (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
        case postgres
    }

    package let location: Location

    /// The whole text, secrets included, for the driver.
    let text: String

    /// Accepts `sqlite:data/store.sqlite`, `sqlite:/var/lib/store.sqlite`, `sqlite:///var/lib/store.sqlite`,
    /// `postgres://…` and `postgresql://…`.
    package init(_ text: String) throws(SQLDatabaseURLError) {
        guard let colon = text.firstIndex(of: ":") else { throw .unknownScheme }
        let rest = text[text.index(after: colon)...]
        switch text[..<colon].lowercased() {
        case "sqlite": location = .sqlite(path: try Self.path(of: rest))
        case "postgres", "postgresql":
            guard rest.hasPrefix("//"), rest.count > 2 else { throw .noHost }
            guard PostgresURL.values(of: text) != nil else { throw .unreadable }
            location = .postgres
        default: throw .unknownScheme
        }
        self.text = text
    }

    /// Opens the store. Throws what the driver throws.
    package func open(
        options: SQLiteOptions = SQLiteOptions(), postgres: PostgresOptions = PostgresOptions()
    ) throws -> any SchemaStore {
        switch location {
        case .sqlite(let path): try SQLiteStore(path: path, options: options)
        case .postgres: try PostgresStore(url: text, options: postgres)
        }
    }

    private static func path(of rest: Substring) throws(SQLDatabaseURLError) -> String {
        guard !rest.utf8.contains(0) else { throw .invalidPath }
        if rest == ":memory:" { throw .inMemory }
        if rest.hasPrefix("//") {
            // The part between the slashes would be a host, and there is none.
            guard rest.hasPrefix("///") else { throw .invalidPath }
            return try path(of: rest.dropFirst(2))
        }
        guard !rest.isEmpty, !rest.hasSuffix("/") else { throw .invalidPath }
        return String(rest)
    }
}
