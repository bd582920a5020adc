package import SQLDatabase

/// Why a database is not moved, with the flag concerned. Nothing was written.
package enum StoreMoveError: Error, CustomStringConvertible {
    package enum Side: String, Sendable {
        case from = "--from"
        case to = "--to"
    }

    case url(Side, SQLDatabaseURLError)
    case noStore(path: String)
    case sameStore
    case storeIsServed(Side, path: String)
    case schema(Side, MigrationError)
    case cannotBeOpened(Side, SQLDatabaseURL, reason: String)
    /// `--logos` is ambiguous for two databases of the same kind.
    case logosOfWhich
    case noLogoFolder(path: String)

    package var description: String {
        switch self {
        case .url(let side, let error): "\(side.rawValue): \(error)"
        case .noStore(let path): "--from: there is no database at \(path)"
        case .sameStore: "--to: it is the same database as --from"
        case .storeIsServed(let side, let path): "\(side.rawValue): a server runs on \(path); stop it first"
        case .schema(let side, let error): "\(side.rawValue): \(error)"
        case .cannotBeOpened(let side, let url, let reason): "\(side.rawValue): \(url): \(reason)"
        case .logosOfWhich: "--logos: it needs one SQLite and one PostgreSQL database; --from and --to are of one kind"
        case .noLogoFolder(let path): "--logos: there is no folder \(path)"
        }
    }
}
