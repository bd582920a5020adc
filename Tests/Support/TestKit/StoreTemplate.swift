import Foundation
import SQLDatabase
import SQLiteDatabase
import Synchronization

/// An SQLite file that is migrated once a process and copied for each test: a copy takes a millisecond, the migrations
/// of a schema about a hundred.
package final class StoreTemplate: Sendable {
    private let content = Mutex<[UInt8]?>(nil)
    /// Makes the random values of a store anew, so that two copies are two stores.
    private let renewal: String

    package init(renewal: String) { self.renewal = renewal }

    /// The server's schema.
    package static let server = StoreTemplate(renewal: "UPDATE event_log SET id_seed = randomblob(16)")
    /// The device's schema.
    package static let device = StoreTemplate(renewal: "UPDATE store SET node = random()")

    /// Writes a migrated database to `path`, unless there is a file already.
    ///
    /// - Parameter prepare: makes the database at the path it is given, and closes it. Called for the first copy only.
    package func place(at path: String, preparedBy prepare: (_ path: String) throws -> Void) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let bytes = try content.withLock { content in
            if let content { return content }
            let folder = try TemporaryFolder()
            let template = folder.file("template.sqlite")
            try prepare(template)
            let made = Array(try Data(contentsOf: URL(fileURLWithPath: template)))
            content = made
            return made
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let store = try SQLiteStore(path: path)
        try store.write { _ = try $0.execute(renewal) }
        try store.close()
    }
}
