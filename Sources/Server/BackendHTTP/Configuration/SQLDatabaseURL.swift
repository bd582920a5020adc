package import PostgresDatabase
package import SQLDatabase
package import SQLiteDatabase

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
            guard PostgresURL.isReadable(text) else { throw .unreadable }
            location = .postgres
        default: throw .unknownScheme
        }
        self.text = text
    }

    /// `sqlite:` and a path, which must not be empty, end with a slash or contain NUL.
    package init(sqlitePath path: String) {
        location = .sqlite(path: path)
        text = "sqlite:\(path)"
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

extension SQLDatabaseURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The password becomes `***` and parameters, which may hold one too, become `…`. A text in which the password's
    /// place is in doubt becomes the scheme alone.
    package var description: String {
        switch location {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres: Self.redacted(text)
        }
    }

    package var debugDescription: String { description }

    /// For `dump`, which would otherwise print the stored text.
    package var customMirror: Mirror { Mirror(self, children: ["url": description]) }

    private static func redacted(_ text: String) -> String {
        let scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count + 3)
        let address = rest.prefix { !"?#".contains($0) }
        let parameters = rest.dropFirst(address.count)
        // An @ behind a ? may be a parameter's or may end a password that holds a bare ?.
        guard !parameters.contains("@") else { return "\(scheme)://…" }
        let ending = parameters.isEmpty ? "" : "?…"
        guard let at = address.lastIndex(of: "@") else {
            return "\(scheme)://\(hasNumericPort(address) ? String(address) : "…")\(ending)"
        }
        let user = address[..<at].prefix { $0 != ":" }
        let password = user.endIndex == at ? "" : ":***"
        return "\(scheme)://\(user)\(password)\(address[at...])\(ending)"
    }

    /// Without an @, what stands behind the colon may be a password whose @ was forgotten.
    private static func hasNumericPort(_ address: Substring) -> Bool {
        guard let colon = address.firstIndex(of: ":") else { return true }
        return address[address.index(after: colon)...].prefix { $0 != "/" }.allSatisfy(\.isNumber)
    }
}

/// Why a text is no usable database URL. Never holds the text, which may bear a password.
package enum SQLDatabaseURLError: Error, Sendable, Equatable, CustomStringConvertible {
    case unknownScheme
    case invalidPath
    case inMemory
    case noHost
    /// libpq does not understand it. Why is left out: its words hold parts of the text.
    case unreadable

    package var description: String {
        switch self {
        case .unknownScheme: "a database URL starts with sqlite: or postgres://"
        case .invalidPath: "sqlite: is followed by the path of a file, for example sqlite:data/subguard.sqlite"
        case .inMemory: "an SQLite store is a file; a store in memory is not supported"
        case .noHost: "postgres: is followed by // and a host"
        case .unreadable:
            "what follows postgres:// cannot be read: is each special character written as % and two digits, and each "
                + "parameter one that libpq knows?"
        }
    }
}
