import FileAccess
import Foundation
import SQLDatabase

/// The rights with which a command uses the files of a store.
package enum StoreRights {
    /// Takes the rights of the owner of the store's folder when root runs the command. Does nothing for other users,
    /// for a store that root owns, and for PostgreSQL.
    ///
    /// Call it after reading the settings, the certificates and the files named on the command line, and before using
    /// any file of the store. `FileRights` determines the owner.
    ///
    /// - Parameter permanently: whether root's rights are given up for good, as a server does.
    package static func assume(_ settings: Settings, permanently: Bool = false) throws {
        try assume([StoreFiles(settings: settings).store].compactMap(\.self), permanently: permanently)
    }

    /// The same for the SQLite stores among these URLs. Throws ``StoreRightsError`` when they belong to several users.
    package static func assume(urls: [String]) throws {
        let paths = urls.compactMap { text -> String? in
            // Opening the store reports an invalid URL.
            guard case .sqlite(let path) = (try? SQLDatabaseURL(text))?.location else { return nil }
            return path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        }
        try assume(paths, permanently: false)
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

/// The stores belong to different users: root must not carry files from one user to another.
package struct StoreRightsError: Error, CustomStringConvertible {
    let paths: [String]
    let users: [UInt32]

    package var description: String {
        let list = zip(paths, users).map { "\($0) to user \($1)" }.joined(separator: ", ")
        return "the stores belong to different users (\(list)): change the owner of one folder first"
    }
}
