import CFileStatus
import EventLog
import Foundation
import JSONWire
import Telemetry

/// The file of an export. Each line says where it stands in the log, so the file alone tells where to go on, whatever
/// interrupted the export.
struct EventExportFile {
    private let handle: FileHandle
    /// The last event in the file.
    private(set) var last: EventPosition?
    /// Whether not even the names of the columns are there.
    private(set) var isEmpty = true

    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String

    private init(handle: FileHandle, path: String) {
        self.handle = handle
        self.path = path
    }

    static let standardOutput = EventExportFile(handle: .standardOutput, path: "standard output")

    /// No line is longer.
    private static let longestLine: UInt64 = 65_536

    /// Creates a file that must not exist.
    static func created(_ path: String) throws -> EventExportFile {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "it exists; --resume goes on with it" : String(cString: strerror(errno))
            throw Unusable(description: "\(path) cannot be created: \(reason)")
        }
        return EventExportFile(handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), path: path)
    }

    /// Opens an unfinished export and removes a last line that is not complete; creates a file that is missing. A file
    /// that is no export in this format is not changed, and neither is one of another user, one that others can write,
    /// or what a link leads to.
    static func resumed(_ path: String, _ format: EventExportFormat) throws -> EventExportFile {
        // Non-blocking, in case the path is a named pipe.
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return try created(path) }
            guard errno != ELOOP else { throw Unusable(description: "\(path) is a symbolic link; nothing was changed") }
            throw Unusable(description: "\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        var file = EventExportFile(handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), path: path)
        var status = file_status()
        guard file_status_of_descriptor(descriptor, &status), status.is_regular, status.owner == geteuid(),
            status.link_count == 1, status.permissions & 0o022 == 0
        else {
            throw Unusable(
                description: "\(path) must be a file that is yours, has one name and that no other user can write; "
                    + "nothing was changed")
        }
        guard let end = try file.findEnd(format) else {
            throw Unusable(
                description: "\(path) is not an export of events as \(format.rawValue); nothing was changed")
        }
        try file.handle.truncate(atOffset: end)
        try file.handle.seek(toOffset: end)
        return file
    }

    /// The end of the last complete line; nil if the file is no export.
    private mutating func findEnd(_ format: EventExportFormat) throws -> UInt64? {
        let size = try handle.seekToEnd()
        let start = size > Self.longestLine ? size - Self.longestLine : 0
        let tail = try bytes(from: start, count: Int(size - start))
        guard let end = tail.lastIndex(of: UInt8(ascii: "\n")) else {
            // Not even the first line is complete.
            return start == 0 && Self.isBeginning(tail, format) ? 0 : nil
        }
        let header = EventExport.header(of: format)
        guard try bytes(from: 0, count: header.count) == header else { return nil }
        isEmpty = false
        let complete = start + UInt64(end) + 1
        if complete > header.count {
            guard let line = tail[..<end].split(separator: UInt8(ascii: "\n")).last else { return nil }
            last = Self.position(in: Array(line), format)
            guard last != nil else { return nil }
        }
        return complete
    }

    private func bytes(from offset: UInt64, count: Int) throws -> [UInt8] {
        try handle.seek(toOffset: offset)
        return Array(try handle.read(upToCount: count) ?? Data())
    }

    /// Throws ``Unusable`` when not all of the bytes could be written, such as on a full disk.
    func append(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(handle.fileDescriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Unusable(description: "\(path) cannot be written: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Returns when everything is on disk.
    func finish() throws {
        try handle.synchronize()
        try handle.close()
    }

    /// Whether the bytes may be the beginning of the first line.
    private static func isBeginning(_ bytes: [UInt8], _ format: EventExportFormat) -> Bool {
        let beginning =
            switch format {
            case .ndjson: Array(#"{"block":"#.utf8)
            case .csv: EventExport.header(of: format)
            }
        return zip(bytes, beginning).allSatisfy { $0 == $1 } && (format == .ndjson || bytes.count < beginning.count)
    }

    private static func position(in line: [UInt8], _ format: EventExportFormat) -> EventPosition? {
        switch format {
        case .ndjson:
            guard let object = (try? JSONValue.parse(line))?.objectValue, let block = object["block"]?.integerValue,
                let id = object["id"]?.stringValue
            else { return nil }
            return EventPosition(text: "\(block),\(id)")
        case .csv:
            let cells = line.split(separator: UInt8(ascii: ","), maxSplits: 2)
            guard cells.count == 3 else { return nil }
            return EventPosition(text: cells[..<2].map { String(decoding: $0, as: UTF8.self) }.joined(separator: ","))
        }
    }
}
