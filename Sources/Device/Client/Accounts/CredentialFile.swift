import CFileStatus
import Foundation
import SubGuardEngine

/// Credentials in a file with permissions for the owner only.
public struct CredentialFile: CredentialStore {
    /// Of the file.
    public let path: String

    private static let maximumBytes = 64 << 10

    /// The file need not exist.
    public init(path: String) { self.path = path }

    /// Refuses files that other users can read or write, files of another owner, and symbolic links.
    public func load() throws(ClientError) -> Credentials? {
        // Non-blocking, in case the path is a named pipe.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            guard errno != ELOOP else { throw .credentials(.notOwnFile(path: path)) }
            throw .credentials(.unusable("cannot read \(path): \(String(cString: strerror(errno)))"))
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = file_status()
        guard file_status_of_descriptor(descriptor, &status), status.is_regular, status.owner == geteuid() else {
            throw .credentials(.notOwnFile(path: path))
        }
        guard status.permissions & 0o077 == 0 else {
            throw .credentials(.open(path: path))
        }
        guard let data = try? handle.read(upToCount: Self.maximumBytes),
            let credentials = Credentials(stored: Array(data))
        else { throw .credentials(.damaged(path: path)) }
        return credentials
    }

    /// Writes a file of mode 0600 in place of the former one.
    public func save(_ credentials: Credentials) throws(ClientError) {
        do {
            try WholeFile.write(credentials.stored, to: path)
        } catch {
            throw .credentials(.unusable("\(error)"))
        }
    }

    /// Deletes the file. Does nothing without one.
    public func remove() throws(ClientError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw .credentials(.unusable("cannot remove \(path): \(String(cString: strerror(errno)))"))
        }
    }
}
