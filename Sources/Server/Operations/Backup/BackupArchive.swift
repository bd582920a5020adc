import CFileStatus
import FileAccess
import Foundation
import SubGuardDomain

/// A backup as one file in the format of tar (POSIX ustar), made in pieces: a large database needs no memory.
package struct BackupArchive {
    /// The name of the backup's folder, in which everything in the archive is.
    package let name: String
    package let byteCount: Int64
    private let folder: OpenFolder
    private let createdAt: UTCInstant
    /// Paths of the files that are left, the last one first.
    private var paths: [String]
    private var current: (file: OpenFile, left: Int64, padding: Int)?
    private var isEnded = false

    private static let block = 512
    private static let pieceBytes = 1 << 18

    init(_ name: String, in folder: OpenFolder, _ manifest: BackupManifest) {
        self.name = name
        self.folder = folder
        createdAt = manifest.createdAt
        byteCount = manifest.byteCount
        paths = ([BackupManifest.fileName] + manifest.files.map(\.path)).reversed()
    }

    /// The next piece; nil at the end. Throws if a file is gone or has become shorter: the archive is incomplete.
    package mutating func nextPiece() throws -> [UInt8]? {
        if let (file, left, padding) = current {
            guard left > 0 else {
                current = nil
                return padding > 0 ? [UInt8](repeating: 0, count: padding) : try nextPiece()
            }
            let piece = try file.nextPiece(atMost: Int(min(left, Int64(Self.pieceBytes))))
            guard !piece.isEmpty else { throw FileFailure(path: file.path, errno: EIO) }
            current = (file, left - Int64(piece.count), padding)
            return piece
        }
        guard let path = paths.popLast() else {
            guard !isEnded else { return nil }
            isEnded = true
            return [UInt8](repeating: 0, count: 2 * Self.block)
        }
        let parts = path.split(separator: "/").map(String.init)
        let holder = parts.count > 1 ? try folder.folder(parts[0]) : folder
        let file = try holder.open(parts.last ?? path)
        let size = Int64(try file.status().byte_count)
        current = (file, size, Int((Int64(Self.block) - size % Int64(Self.block)) % Int64(Self.block)))
        return header(of: path, size: size)
    }

    private func header(of path: String, size: Int64) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: Self.block)
        func put(_ bytes: some Collection<UInt8>, at offset: Int) {
            for (index, byte) in bytes.enumerated() { header[offset + index] = byte }
        }
        func octal(_ number: Int64, _ digits: Int) -> [UInt8] {
            let text = String(number, radix: 8)
            return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
        }
        put(path.utf8.prefix(100), at: 0)
        put(octal(0o600, 7), at: 100)
        put(octal(0, 7), at: 108)
        put(octal(0, 7), at: 116)
        if size < 1 << 33 {
            put(octal(size, 11), at: 124)
        } else {
            // Beyond 11 octal digits, as GNU tar and libarchive write and read it.
            put([0x80, 0, 0, 0] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }, at: 124)
        }
        put(octal(max(0, createdAt.secondsSinceEpoch), 11), at: 136)
        put("        0".utf8, at: 148)
        put("ustar\u{0}00".utf8, at: 257)
        put(name.utf8.prefix(155), at: 345)
        let sum = header.reduce(Int64(0)) { $0 + Int64($1) }
        put(octal(sum, 6) + [0, UInt8(ascii: " ")], at: 148)
        return header
    }
}

extension BackupFolder {
    /// The archive of a complete backup; nil if there is none of this name.
    package func archive(of name: String) -> BackupArchive? {
        guard name.hasPrefix(Self.prefix), !name.contains("/"), let folder = try? OpenFolder(path).folder(name),
            let manifest = try? BackupManifest(in: folder)
        else { return nil }
        return BackupArchive(name, in: folder, manifest)
    }
}
