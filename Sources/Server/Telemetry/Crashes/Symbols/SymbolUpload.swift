import Foundation
import JSONWire
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Symbols
import ZlibCoding

/// A symbol file that is being received. Its memory is bounded, however long the file is. Until ``finish()`` nothing
/// that others see has changed.
package struct SymbolUpload {
    /// What the operator says beside the file. It counts before what the file says.
    package struct Choice: Sendable {
        package var debugID: String?
        package var name: String?
        package var base: UInt64?

        package init(debugID: String? = nil, name: String? = nil, base: UInt64? = nil) {
            self.debugID = debugID
            self.name = name
            self.base = base
        }
    }

    /// What the names of a file did to the stored groups.
    package struct Outcome: Sendable, Hashable {
        package let file: SymbolFile
        /// Whether the image had symbols before.
        package let isReplacement: Bool
        /// Groups whose place has another name now.
        package let named: Int64
        /// How many fewer groups are shown.
        package let merged: Int64
    }

    private let store: SymbolStore
    private let choice: Choice
    private let actor: Actor
    private var reader = SymbolListReader()
    private var symbols: [ImageSymbol] = []
    private var symbolBytes = 0
    private var byteCount: Int64 = 0
    private var storedBytes: Int64 = 0
    private var partCount: Int64 = 0
    private var fileID: Int64?

    package init(_ store: SymbolStore, _ choice: Choice, by actor: Actor) {
        self.store = store
        self.choice = choice
        self.actor = actor
    }

    /// Takes the next piece. Throws ``BackendError/invalid(_:)``; the upload is then over, and ``abandon()`` removes
    /// what it has stored.
    package mutating func take(_ piece: ArraySlice<UInt8>) throws {
        byteCount += Int64(piece.count)
        guard byteCount <= store.limits.fileBytes else {
            throw Self.invalid("#", "A file has at most \(store.limits.fileBytes) bytes.")
        }
        var (taken, takenBytes) = (symbols, symbolBytes)
        symbols = []
        try Self.reading {
            try reader.take(piece) { symbol in
                taken.append(symbol)
                takenBytes += symbol.memory
            }
        }
        (symbols, symbolBytes) = (taken, takenBytes)
        if symbolBytes >= store.limits.partBytes { try writePart() }
    }

    /// Stores the end of the file, makes it the image's symbols in place of earlier ones, and applies them to the
    /// stored groups, in one transaction.
    package mutating func finish() throws -> Outcome {
        var last = symbols
        symbols = []
        try Self.reading { try reader.finish { last.append($0) } }
        symbols = last
        let image = reader.image
        guard let debugID = (choice.debugID ?? image.debugID).flatMap(DebugID.normalised) else {
            throw Self.invalid(
                "#/debug_id", "The file does not name its image. Give the debug id, as dwarfdump --uuid prints it.")
        }
        if let own = image.debugID.flatMap(DebugID.normalised), own != debugID {
            throw Self.invalid("#/debug_id", "The file is for \(own).")
        }
        try writePart()
        guard let fileID else { throw Self.invalid("#", SymbolListError.noFunctions.sentence) }
        let (base, now) = (choice.base ?? image.likelyBase, store.context.now())
        let (limits, context, actor) = (store.limits, store.context, actor)
        let outcome = try context.store.write { transaction in
            let former = try SymbolStore.find(debugID, in: transaction)
            if let former {
                try transaction.execute("DELETE FROM crash_symbol_files WHERE id = ?", [.integer(former.id)])
            }
            try transaction.execute(
                """
                UPDATE crash_symbol_files SET debug_id = ?, name = ?, architecture = ?, format = ?, base = ?,
                    has_underscores = ?, function_count = ?, part_count = ?, byte_count = ?, stored_bytes = ?,
                    uploaded_at = ?, is_complete = 1 WHERE id = ?
                """,
                [
                    .text(debugID), .text(Self.short(choice.name ?? image.name ?? "")),
                    .text(orNull: image.architecture.map(Self.short)), .text(image.format.rawValue),
                    .integer(Int64(bitPattern: base)), .flag(image.hasUnderscores), .count(image.functionCount),
                    .integer(partCount), .integer(byteCount), .integer(storedBytes), .instant(now), .integer(fileID),
                ])
            guard let file = try SymbolStore.find(debugID, in: transaction) else {
                throw BackendError.conflict(detail: "The upload took too long and was removed. Send the file again.")
            }
            try Self.checkRoom(limits, in: transaction)
            let changes = try CrashRegrouping(transaction, context).apply(to: debugID)
            try AuditLog.append(
                .crashSymbolsAdd, before: former?.auditJSON(nil), after: file.auditJSON(changes), by: actor, at: now,
                in: transaction)
            return Outcome(
                file: file, isReplacement: former != nil, named: Int64(changes.named), merged: Int64(changes.merged))
        }
        self.fileID = nil
        return outcome
    }

    /// Removes what was stored of an upload that failed; nothing after ``finish()``.
    package mutating func abandon() {
        guard let fileID else { return }
        self.fileID = nil
        // What stays behind is purged later.
        _ = try? store.context.store.write {
            try $0.execute("DELETE FROM crash_symbol_files WHERE id = ? AND is_complete = 0", [.integer(fileID)])
        }
    }

    private mutating func writePart() throws {
        guard !symbols.isEmpty else { return }
        let pages = SymbolPage.write(symbols)
        symbols = []
        symbolBytes = 0
        let bodies = try pages.map { page in
            guard let body = Gzip.compress(page.bytes) else {
                throw BackendError.overloaded(retryAfterSeconds: 1)
            }
            return (first: page.first, body: body)
        }
        storedBytes += bodies.reduce(0) { $0 + Int64($1.body.count) }
        let (known, part, now, actor) = (fileID, partCount, store.context.now(), actor)
        let (limits, stored) = (store.limits, storedBytes)
        fileID = try store.context.store.write { transaction in
            let id = try known ?? Self.begin(by: actor, at: now, in: transaction)
            try transaction.execute(
                "UPDATE crash_symbol_files SET stored_bytes = ? WHERE id = ?", [.integer(stored), .integer(id)])
            try Self.checkRoom(limits, in: transaction)
            try transaction.execute(
                "INSERT INTO crash_symbol_pages (file_id, part, first_address, body) VALUES (?, ?, ?, ?)",
                rows: bodies.map {
                    [.integer(id), .integer(part), .integer(Int64(bitPattern: $0.first)), .blob($0.body)]
                })
            return id
        }
        partCount += 1
    }

    private static func begin(by actor: Actor, at now: UTCInstant, in transaction: any SQLTransaction) throws -> Int64 {
        let id = try transaction.integer(
            """
            INSERT INTO crash_symbol_files (debug_id, name, format, base, has_underscores, function_count, part_count,
                byte_count, stored_bytes, uploaded_at, uploaded_by)
            VALUES ('', '', '', 0, 0, 0, 0, 0, 0, ?, ?) RETURNING id
            """, [.instant(now), .text(actor.name)])
        guard let id else { throw SQLError(code: .other, number: 0, context: "insert symbol file") }
        return id
    }

    /// Uploads that have not ended count as well.
    private static func checkRoom(_ limits: SymbolLimits, in session: any SQLSession) throws {
        let total = try session.first(
            "SELECT count(*), coalesce(sum(stored_bytes), 0) FROM crash_symbol_files"
        ) { (files: try $0.integer(0), bytes: try $0.integer(1)) }
        guard let total, total.files <= limits.files, total.bytes <= limits.storedBytes else { throw full(limits) }
    }

    private static func full(_ limits: SymbolLimits) -> BackendError {
        .conflict(
            detail: """
                There is no room for these symbols: the server keeps at most \(limits.files) files, and \
                \(limits.storedBytes >> 20) MiB of them, compressed. Remove those of old builds.
                """)
    }

    private static func reading(_ body: () throws -> Void) throws {
        do { try body() } catch let error as SymbolListError { throw invalid("#", error.sentence) }
    }

    private static func invalid(_ pointer: String, _ detail: Sentence) -> BackendError {
        .invalid([Fault(pointer, .invalidFormat, detail)])
    }

    private static func short(_ text: String) -> String {
        String(String(decoding: text.utf8.prefix(200), as: UTF8.self).filter { $0 >= " " })
    }
}

extension ImageSymbol {
    /// An estimate of the bytes that it takes in memory.
    fileprivate var memory: Int {
        96 + name.utf8.count + lines.reduce(0) { $0 + 48 + $1.file.utf8.count }
    }
}

extension SymbolFile {
    func auditJSON(_ changes: CrashRegrouping.Changes?) -> String {
        JSONWriter.text { writer in
            writer.field("debug_id", debugID)
            writer.field("name", name)
            writer.field("functions", functionCount)
            if let changes {
                writer.field("groups_named", Int64(changes.named))
                writer.field("groups_merged", Int64(changes.merged))
            }
        }
    }
}
