import Catalogue
import FileAccess
import JSONWire
package import SubGuardDomain

/// The files of a backup with their hashes. Written last: a folder without a manifest is not a backup.
package struct BackupManifest: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        /// Relative to the backup's folder.
        package let path: String
        package let byteCount: Int64
        /// SHA-256 in hexadecimal.
        package let sha256: String
    }

    static let fileName = "manifest.json"
    static let storeName = "store.sqlite"
    private static let formatVersion: Int64 = 1
    /// A manifest with a hundred thousand logos has a fifth of this size.
    private static let maximumBytes = 64 << 20
    /// No disk holds more.
    private static let maximumTotal: Int64 = 1 << 62

    package let createdAt: UTCInstant
    /// The version of the program that made it.
    package let program: String
    package let files: [File]

    /// Bytes of all files.
    package var byteCount: Int64 { files.reduce(0) { $0 + $1.byteCount } }

    init(createdAt: UTCInstant, program: String, files: [File]) {
        self.createdAt = createdAt
        self.program = program
        self.files = files
    }

    /// Nil for JSON that ``json`` does not produce, and for a path that leaves the folder
    /// or a size that no file has.
    init?(json bytes: [UInt8]) {
        guard let object = (try? JSONValue.parse(bytes))?.objectValue,
            object["format"]?.integerValue == Self.formatVersion,
            let createdAt = object["created_at"]?.stringValue.flatMap({ UTCInstant(rfc3339: $0) }),
            let program = object["program"]?.stringValue, let elements = object["files"]?.arrayValue
        else { return nil }
        var files: [File] = []
        var total: Int64 = 0
        for element in elements {
            guard let file = element.objectValue, let path = file["path"]?.stringValue, Self.isInside(path),
                let count = file["bytes"]?.integerValue, let hash = file["sha256"]?.stringValue,
                count >= 0, count <= Self.maximumTotal - total
            else { return nil }
            total += count
            files.append(File(path: path, byteCount: count, sha256: hash))
        }
        self.init(createdAt: createdAt, program: program, files: files)
    }

    /// Reads the manifest of a backup's folder; nil if it is malformed. Throws `FileFailure` if it is missing or not a
    /// regular file.
    init?(in folder: OpenFolder) throws {
        self.init(json: try folder.open(Self.fileName).bytes(maximumBytes: Self.maximumBytes))
    }

    var json: [UInt8] {
        JSONWriter.bytes(capacity: 512 + files.count * 160) { writer in
            writer.field("format", Self.formatVersion)
            writer.field("created_at", createdAt.rfc3339)
            writer.field("program", program)
            writer.array("files", files) { writer, file in
                writer.field("path", file.path)
                writer.field("bytes", file.byteCount)
                writer.field("sha256", file.sha256)
            }
        } + [UInt8(ascii: "\n")]
    }

    private static func isInside(_ path: String) -> Bool {
        if path == storeName { return true }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == "logos" && LogoFile.format(ofName: String(parts[1])) != nil
    }
}
