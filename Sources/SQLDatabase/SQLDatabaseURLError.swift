/// Why a text is no usable database URL. Never holds the text, which may bear a password.
package enum SQLDatabaseURLError: Error, Sendable, Equatable, CustomStringConvertible {
    case unknownScheme
    case invalidPath
    case inMemory
    case noHost

    package var description: String {
        switch self {
        case .unknownScheme: "a database URL starts with sqlite: or postgres://"
        case .invalidPath: "sqlite: is followed by the path of a file, for example sqlite:data/subguard.sqlite"
        case .inMemory: "an SQLite store is a file; a store in memory is not supported"
        case .noHost: "postgres: is followed by // and a host"
        }
    }
}
