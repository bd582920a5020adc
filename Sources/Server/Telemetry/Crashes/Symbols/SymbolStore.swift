import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL

/// Stores the names of functions that operators upload, and applies them to the stored crashes.
package struct SymbolStore: Sendable {
    let context: BackendContext
    package let limits: SymbolLimits

    package init(context: BackendContext, limits: SymbolLimits = SymbolLimits()) {
        self.context = context
        self.limits = limits
    }

    /// All files, the newest first.
    package func list() throws -> [SymbolFile] {
        try context.store.read { session in
            try session.query(
                "\(Self.columns) WHERE is_complete = 1 ORDER BY uploaded_at DESC, id DESC", [], Self.file)
        }
    }

    /// Removes the symbols of an image: groups and frames lose the names, and groups that the names made one are
    /// parted. Throws ``BackendError/notFound(what:)``.
    package func remove(_ debugID: String, by actor: Actor) throws {
        try context.write(by: actor) { transaction in
            let file = try Self.find(debugID, in: transaction).orNotFound("symbol file")
            try transaction.execute("DELETE FROM crash_symbol_files WHERE id = ?", [.integer(file.id)])
            try transaction.audit(.crashSymbolsRemove, before: file.auditJSON(nil))
            _ = try CrashRegrouping(transaction, context).apply(to: file.debugID)
        }
    }

    /// Deletes what uploads left behind that did not end. Returns the number of files.
    @discardableResult
    package func purge() throws -> Int {
        try context.store.write { transaction in
            try transaction.execute(
                "DELETE FROM crash_symbol_files WHERE is_complete = 0 AND uploaded_at < ?",
                [.instant(context.now().adding(milliseconds: -Self.longestUpload))])
        }
    }

    /// Milliseconds.
    private static let longestUpload: Int64 = 3_600_000

    static let columns = """
        SELECT id, debug_id, name, architecture, format, base, has_underscores, function_count, part_count, byte_count,
            stored_bytes, uploaded_at, uploaded_by FROM crash_symbol_files
        """

    static func find(_ debugID: String, in session: any SQLSession) throws -> SymbolFile? {
        try session.first("\(columns) WHERE debug_id = ? AND is_complete = 1", [.text(debugID)], file)
    }

    static func file(_ row: any SQLRow) throws -> SymbolFile {
        SymbolFile(
            id: try row.integer(0), debugID: try row.text(1), name: try row.text(2),
            architecture: try row.optionalText(3), format: try row.text(4),
            base: UInt64(bitPattern: try row.integer(5)), hasUnderscores: try row.integer(6) == 1,
            functionCount: try row.integer(7), partCount: try row.integer(8), byteCount: try row.integer(9),
            storedBytes: try row.integer(10), uploadedAt: try row.instant(11), uploadedBy: try row.text(12))
    }
}

/// The symbols of an image, as an operator has uploaded them.
package struct SymbolFile: Sendable, Hashable {
    let id: Int64
    /// Lower-case, with hyphens.
    package let debugID: String
    /// The image's.
    package let name: String
    package let architecture: String?
    /// `nm`, `atos` or `breakpad`.
    package let format: String
    let base: UInt64
    let hasUnderscores: Bool
    package let functionCount: Int64
    let partCount: Int64
    /// Uploaded, uncompressed.
    package let byteCount: Int64
    /// In the database.
    package let storedBytes: Int64
    package let uploadedAt: UTCInstant
    package let uploadedBy: String
}

/// Limits of what operators upload.
package struct SymbolLimits: Sendable, Hashable {
    package var files = 1000
    /// Of one file, uncompressed.
    package var fileBytes: Int64 = 512 << 20
    /// Of all files, as stored.
    package var storedBytes: Int64 = 1 << 30
    /// Estimated memory of the functions that are sorted at once.
    package var partBytes = 8 << 20

    package init() {}
}

/// The debug id of an image: the UUID that Apple's linker gives it, or what Breakpad makes of another build id.
package enum DebugID {
    /// Hexadecimal digits in either case, with or without hyphens; digits after the 32nd, which count how often an
    /// image was linked, are left out. Nil for any other text.
    package static func normalised(_ text: String) -> String? {
        var digits = text.lowercased().filter { $0 != "-" }
        guard (32...40).contains(digits.utf8.count), digits.utf8.allSatisfy(Octet.isHex) else { return nil }
        digits = String(digits.prefix(32))
        var parts: [Substring] = []
        var rest = digits[...]
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }
}
