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
