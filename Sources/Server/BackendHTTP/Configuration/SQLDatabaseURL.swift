import Foundation
package import PostgresDatabase
package import SQLDatabase
package import SQLiteDatabase

/// The URL of a database: `sqlite:` with a relative or absolute path, or `postgres://`.
///
/// All printed forms hide the password.
package struct SQLDatabaseURL: Sendable, Equatable {
    /// The kinds of database.
    package enum Location: Sendable, Equatable {
        /// The path as written in the URL: it is not decoded, so it may contain spaces, `?` and `%`.
        case sqlite(path: String)
        /// Parsed by libpq (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
        case postgres
    }

    package let location: Location

    /// The complete text for the driver, including secrets.
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
            let address = rest.dropFirst(2).prefix { !"?#".contains($0) }
            guard address.count(where: { $0 == "@" }) < 2 else { throw .rawCharacter("@", "%40") }
            // Else libpq takes what precedes the slash for host and port.
            guard address.prefix(while: { $0 != "/" }).contains("@") || !address.contains("@") else {
                throw .rawCharacter("/", "%2F")
            }
            guard PostgresURL.isReadable(text) else { throw .unreadable }
            if let name = PostgresURL.unknownValue(in: text) { throw .parameter(name) }
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

    /// The absolute path of an SQLite store; nil for PostgreSQL.
    package var filePath: String? {
        guard case .sqlite(let path) = location else { return nil }
        let folder = FileManager.default.currentDirectoryPath
        return path.hasPrefix("/") ? path : folder + (folder == "/" ? "" : "/") + path
    }

    /// Opens the database, with a standby for reads if it is a PostgreSQL database. Throws the errors of the driver.
    package func open(
        standby: SQLDatabaseURL? = nil, options: SQLiteOptions = SQLiteOptions(),
        postgres: PostgresOptions = PostgresOptions()
    ) throws -> any SchemaStore {
        switch location {
        case .sqlite(let path): try SQLiteStore(path: path, options: options)
        case .postgres: try PostgresStore(url: text, readURL: standby?.text, options: postgres)
        }
    }

    private static func path(of rest: Substring) throws(SQLDatabaseURLError) -> String {
        guard !rest.utf8.contains(0) else { throw .invalidPath }
        if rest == ":memory:" { throw .inMemory }
        if rest.hasPrefix("//") {
            // The text between the second and third slash is the host, which must be empty.
            guard rest.hasPrefix("///") else { throw .invalidPath }
            return try path(of: rest.dropFirst(2))
        }
        guard !rest.isEmpty, !rest.hasSuffix("/") else { throw .invalidPath }
        return String(rest)
    }
}

extension SQLDatabaseURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Replaces the password with `***` and the parameters, which may contain one too, with `…`. If the position of the
    /// password is unclear, only the scheme is shown.
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
        // An @ after a ? may belong to a parameter or end a password that contains an unescaped ?.
        guard !parameters.contains("@") else { return "\(scheme)://…" }
        let ending = parameters.isEmpty ? "" : "?…"
        guard let at = address.lastIndex(of: "@") else {
            return "\(scheme)://\(hasNumericPort(address) ? String(address) : "…")\(ending)"
        }
        let user = address[..<at].prefix { $0 != ":" }
        let password = user.endIndex == at ? "" : ":***"
        return "\(scheme)://\(user)\(password)\(address[at...])\(ending)"
    }

    /// Without an @, the text after the colon may be a password whose @ is missing.
    private static func hasNumericPort(_ address: Substring) -> Bool {
        guard let colon = address.firstIndex(of: ":") else { return true }
        return address[address.index(after: colon)...].prefix { $0 != "/" }.allSatisfy(\.isNumber)
    }
}

/// Why a text is not a usable database URL. Never contains the text, which may include a password.
package enum SQLDatabaseURLError: Error, Sendable, Equatable, CustomStringConvertible {
    case unknownScheme
    case invalidPath
    case inMemory
    case noHost
    /// User or password contain the character as it is.
    case rawCharacter(String, String)
    /// The parameter has a value that libpq does not know.
    case parameter(String)
    /// libpq rejects it. The reason is omitted, because libpq's message quotes parts of the text.
    case unreadable

    package var description: String {
        switch self {
        case .unknownScheme: "a database URL starts with sqlite: or postgres://"
        case .invalidPath: "sqlite: is followed by the path of a file, for example sqlite:data/subguard.sqlite"
        case .inMemory: "an SQLite store is a file; a store in memory is not supported"
        case .noHost: "postgres: is followed by // and a host"
        case .rawCharacter(let character, let encoded):
            "in a user or a password, \(character) is written as \(encoded)"
        case .parameter(let name): "the parameter \(name) has a value that PostgreSQL's library does not know"
        case .unreadable:
            "what follows postgres:// cannot be read: is each special character written as % and two digits, and each "
                + "parameter one that libpq knows?"
        }
    }
}
