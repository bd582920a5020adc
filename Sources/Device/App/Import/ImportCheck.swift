import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements

/// How an imported file is read.
enum ImportKind: Sendable, Hashable {
    case bank(BankFile)
    case other(OtherFile)

    /// A currency for amounts without one; nil keeps the former one.
    func with(_ currency: Currency?) -> ImportKind {
        guard let currency else { return self }
        switch self {
        case .bank(var bank):
            bank.reading.currency = currency
            return .bank(bank)
        case .other(var file):
            file.currency = currency
            return .other(file)
        }
    }
}

/// A file with subscriptions between its preview and the decision.
struct OtherFile: Sendable, Hashable {
    var format: ImportFormat
    /// The meaning of the columns of a CSV table; nil to recognise them.
    var columns: ImportColumns?
    /// For amounts without one; nil for the usual one.
    var currency: Currency?
}

/// A bank statement between its preview and the decision.
struct BankFile: Sendable, Hashable {
    var reading: StatementOptions
    /// The ids of the charges and prices that the preview has listed, each with a box to tick.
    var listed: Set<String> = []
    /// Whether there were more, with one box for all of them.
    var hasRest = false

    /// What is accepted. Nothing that was not shown, such as a charge that fell due meanwhile.
    func matches(chosen: Set<String>, rest: Bool) -> StatementMatches {
        hasRest && rest ? .allBut(listed.subtracting(chosen)) : .only(chosen)
    }

    /// Bad rows are named, and left out.
    var options: StatementImportOptions {
        var options = StatementImportOptions()
        options.reading = reading
        options.skipsBadRows = true
        return options
    }
}

extension ImportOptions {
    /// Bad rows are named, and left out.
    init(_ file: OtherFile, _ visit: AppVisit) throws {
        self.init(format: file.format)
        columns = file.columns
        skipsBadRows = true
        currency = try file.currency ?? visit.store.subscriptions.usualCurrency()
    }
}

typealias ImportDesk = FileDesk<ImportKind>

/// Files that no format can be, refused before anything else looks at them.
enum ImportCheck {
    /// The first bytes of files that programs often save instead of text.
    private static let signatures: [[UInt8]] = [
        Array("PK\u{3}\u{4}".utf8), [0x1F, 0x8B], [0xFD, 0x37, 0x7A, 0x58, 0x5A], Array("BZh".utf8), Array("7z".utf8),
        Array("%PDF".utf8), [0xD0, 0xCF, 0x11, 0xE0],
    ]
    /// The longest line of a table, in bytes. Documents of marks may be one line.
    private static let maximumLineBytes = 65_536

    /// - Parameters:
    ///   - isTable: whether the file has a row on each line.
    ///   - isBank: whether it is a bank statement, which may be a workbook or an archive.
    static func refusal(of bytes: [UInt8], isTable: Bool, isBank: Bool = false) -> DeviceStoreError? {
        if isBank, bytes.starts(with: signatures[0]) { return nil }
        if signatures.contains(where: bytes.starts) {
            return .file("This is an archive, a PDF or a spreadsheet. Choose a text file, such as CSV.")
        }
        let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
        guard isTable, first != UInt8(ascii: "<"), !bytes.starts(with: Array("OFX".utf8))
        else { return nil }
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
            if end - start > maximumLineBytes {
                return .file("This is no text file: a line has more than \(maximumLineBytes) bytes.")
            }
            start = end + 1
        }
        return nil
    }
}
