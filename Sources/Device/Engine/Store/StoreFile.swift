import Foundation

/// What the file system says about a store's file before it is opened.
enum StoreFile {
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Why a file that is there cannot be a store to write to, in the system's words; nil where it can, and where there is
    /// none yet. SQLite needs to make its log beside the file.
    static func reasonAgainstWriting(_ path: String) -> String? {
        let path = absolute(path)
        guard access(path, F_OK) == 0 else { return nil }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
        // What the system would let this process do: root may write to a file of mode 0444, and does.
        for place in [path, folder] where access(place, W_OK) != 0 { return String(cString: strerror(errno)) }
        return nil
    }
}
