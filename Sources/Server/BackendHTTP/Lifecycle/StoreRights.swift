import FileAccess
import Foundation
import SQLDatabase

/// The user rights with which a command uses the files of a database.
package enum StoreRights {
    /// Drops to the rights of the owner of the database folder if root runs the command. Does nothing for other users,
    /// for a database owned by root, and for PostgreSQL.
    ///
    /// Call it after reading the settings, the certificates and the files named on the command line, and before using
    /// any file of the database. `FileRights` determines the owner.
    ///
    /// - Parameter permanently: whether root's rights are dropped permanently, as a server does.
    package static func assume(_ settings: Settings, permanently: Bool = false) throws {
        try assume([StoreFiles(settings: settings).store].compactMap(\.self), permanently: permanently)
    }

    /// The same for the SQLite databases among these URLs. Throws ``StoreRightsError`` if they have different owners.
    package static func assume(urls: [String]) throws {
        // An invalid URL is reported when the database is opened.
        try assume(urls.compactMap { (try? SQLDatabaseURL($0))?.filePath }, permanently: false)
    }

    private static func assume(_ paths: [String], permanently: Bool) throws {
        guard geteuid() == 0, !paths.isEmpty else { return }
        let rights = try paths.map { try FileRights(ofFile: $0) }
        guard let first = rights.first, rights.allSatisfy({ $0.user == first.user }) else {
            throw StoreRightsError(paths: paths, users: rights.map(\.user))
        }
        try ProcessIdentity.assume(user: first.user, folderGroup: first.group, permanently: permanently)
    }
}

/// The databases belong to different users: root must not copy files from one user to another.
package struct StoreRightsError: Error, CustomStringConvertible {
    let paths: [String]
    let users: [UInt32]

    package var description: String {
        let list = zip(paths, users).map { "\($0) to user \($1)" }.joined(separator: ", ")
        return "the stores belong to different users (\(list)): change the owner of one folder first"
    }
}
