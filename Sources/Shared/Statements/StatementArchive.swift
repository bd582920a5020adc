import SubGuardDomain
import ZlibCoding

/// Statements in zip archives: workbooks, and CAMT files of which banks send one for each day.
///
/// Bounded: the files of an archive together have at most ``Statement/maximumBytes``, whatever their entries say, and
/// none of them is read as an archive.
enum StatementArchive {
    private static let maximumFiles = 4000

    static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) }

    static func read(_ bytes: [UInt8], _ options: StatementOptions) throws(Fault) -> Statement {
        var files = try Files(bytes)
        guard !files.isWorkbook else {
            var statement = Statement(format: .xlsx, encoding: .utf8)
            try StatementTable.read(try WorkbookReader.table(&files, options), into: &statement)
            return statement
        }
        let names = files.names.filter(Self.isStatement).sorted()
        guard let first = names.first else {
            throw Fault("file", .required, "The archive has no statement: no workbook, and no file in XML or CSV.")
        }
        // Banks put cumulative reports of a day, and its statement, into one archive.
        var overlap = StatementOverlap()
        var whole = try Statement.readFile(try files.content(first), options, &overlap)
        for name in names.dropFirst() {
            let next = try Statement.readFile(try files.content(name), options, &overlap)
            guard next.format == .camt, whole.format == .camt else {
                throw Fault("file", .duplicate, "The archive has several files. Unpack it and give them one by one.")
            }
            try whole.take(next)
        }
        if let note = Self.note(unread: files.filled.filter { !Self.isStatement($0) }) { whole.notes.append(note) }
        return whole
    }

    private static func note(unread names: [String]) -> Sentence? {
        guard !names.isEmpty else { return nil }
        let first = names.sorted().prefix(20).map { RefusedBooking.shown($0) }
        let shown = (first + (names.count > first.count ? ["…"] : [])).joined(separator: ", ")
        return "Other files of the archive were not read: \(shown)."
    }

    /// The table of a workbook, or of the only file of an archive; nil for others.
    static func table(_ bytes: [UInt8], _ options: StatementOptions) throws(Fault) -> StatementTable? {
        var files = try Files(bytes)
        if files.isWorkbook { return try WorkbookReader.table(&files, options) }
        let names = files.names.filter(Self.isStatement)
        guard names.count == 1, let name = names.first else { return nil }
        let (text, _) = try StatementEncoding.utf8(try files.content(name), options.encoding)
        return StatementFormat.detect(text) == .csv ? try StatementTable(text, options) : nil
    }

    private static func isStatement(_ name: String) -> Bool {
        let endings = [".xml", ".csv", ".txt", ".ofx", ".qfx", ".qif", ".sta", ".mt940", ".940"]
        return !name.hasPrefix("__MACOSX/") && endings.contains { name.lowercased().hasSuffix($0) }
    }

    /// The files of an archive by name.
    struct Files {
        private let archive: ZipArchive
        private var left = Statement.maximumBytes

        init(_ bytes: [UInt8]) throws(Fault) {
            do {
                archive = try ZipArchive(bytes, maximumFiles: StatementArchive.maximumFiles)
            } catch {
                throw Self.fault(error)
            }
            var seen: Set<String> = []
            for name in names where !name.hasSuffix("/") && !seen.insert(name).inserted {
                let shown = RefusedBooking.shown(name)
                throw Fault("file", .duplicate, "The archive has several files with the name \(shown).")
            }
        }

        var names: [String] { archive.entries.map(\.name) }

        /// The files that hold something, without what macOS adds.
        var filled: [String] {
            archive.entries.filter { !$0.isEmpty && !$0.name.hasPrefix("__MACOSX/") }.map(\.name)
        }

        var isWorkbook: Bool { names.contains("xl/workbook.xml") }

        /// Nil when there is no such file.
        mutating func optional(_ name: String) throws(Fault) -> [UInt8]? {
            guard let entry = archive.entries.first(where: { $0.name == name }) else { return nil }
            do {
                let content = try archive.content(of: entry, maximumBytes: left)
                left -= content.count
                return content
            } catch {
                throw Self.fault(error)
            }
        }

        mutating func content(_ name: String) throws(Fault) -> [UInt8] {
            guard let content = try optional(name) else { throw Self.damaged }
            return content
        }

        private static func fault(_ failure: ZipArchive.Failure) -> Fault {
            switch failure {
            case .malformed: damaged
            case .fileCount, .tooLarge: .statementTooLarge
            }
        }

        private static let damaged = Fault("file", .invalidFormat, "The archive is damaged or encrypted.")
    }
}
