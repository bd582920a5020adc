import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine
import SubGuardStatements

struct ExportCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export data to standard output.",
        discussion: """
            JSON is free and has all that `import` reads; the other formats need premium. CSV has the subscriptions as \
            of today, without other prices, planned pauses, ends of pauses, confirmations, skips, amounts paid and \
            shares. iCalendar covers the next 24 months.
            """)

    @Option(help: "Output format.") var format: ExportFormat
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let text = try session.store.portability.export(format, language: session.language, at: session.moment)
        if format == .csv {
            session.note(
                """
                CSV has the subscriptions as of today, without other prices, planned pauses, ends of pauses, \
                confirmations, skips, amounts paid and shares; JSON has them
                """)
        }
        if format == .ledger || format == .beancount {
            let count = try session.store.transactions.list().count
            if count > 0 {
                session.note(
                    """
                    \(count) transaction is not in this export; JSON has it|\
                    \(count) transactions are not in this export; JSON has them
                    """)
            }
        }
        guard session.isJSON, format != .json else {
            StandardStream.file(text)
            return
        }
        session.print(
            object: { json in
                json.field("format", format.rawValue)
                json.field("content", text)
            }, text: { text })
    }
}

/// The formats of `import`: exports of programs, and statements of banks.
enum ImportSource: String, CaseIterable, ExpressibleByArgument {
    case csv
    case json
    case wallos
    case subtrackr
    case bank

    /// Nil for statements of banks.
    var format: ImportFormat? { ImportFormat(rawValue: rawValue) }
}

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import subscriptions from a file.",
        discussion: """
            A file with invalid rows is refused as a whole unless --skip-bad is given. csv: separated by commas, \
            semicolons or tabs, decimal points or commas, headers in English or French. json: an export of subguard, \
            including people, groups, expenses, transactions, budgets and shares. wallos: the JSON export of Wallos. \
            subtrackr: the CSV export of SubTrackr. bank: statements as CSV or XLSX of any bank, OFX, QIF, CAMT.053 or \
            MT940, one or more files; confirms charges and corrects prices of stored subscriptions, and proposes \
            others for recurring charges. Nothing but these, the accepted ones and their charges is stored.
            """)

    @Option(help: "Format of the file.") var format: ImportSource
    @Argument(help: "File to import; - for standard input. With --format bank, one or more.") var files: [String]
    @Flag(help: "Check the file and report; change nothing.") var dryRun = false
    @Flag(help: "Skip invalid rows and import the others.") var skipBad = false
    @Option(help: "Use a CSV column for a field: COLUMN=field. May be repeated.") var map: [String] = []
    @Option(help: "Currency of rows without one, such as EUR.") var currency: String?
    @Option(help: "With --format bank: proposals to add: all, sure, or ids separated by commas.") var accept: String?
    @Flag(help: "With --format bank: also list regular payments that are not proposed, such as transfers.") var all =
        false
    @Option(help: "With --format bank: utf-8, windows-1252, shift-jis and others; detected by default.")
    var encoding: StatementEncoding?
    @Option(help: "With --format bank: the separator of a CSV file, such as ';' or tab; detected by default.")
    var separator: StatementSeparator?
    @Option(help: "With --format bank: dmy, mdy or ymd; detected by default.") var dateOrder: DateOrder?
    @Option(help: "With --format bank: point or comma, before the decimals; detected by default.")
    var decimalMark: DecimalMark?
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if format == .bank {
            _ = try mapping() as [String: StatementField]
            return
        }
        _ = try mapping() as [String: SubscriptionField]
        try require(files.count == 1, "give one file; only --format bank takes more")
        guard accept == nil, encoding == nil, dateOrder == nil, decimalMark == nil, separator == nil, !all else {
            throw ValidationError(
                "--accept, --all, --encoding, --separator, --date-order and --decimal-mark need --format bank")
        }
    }

    /// The fields of `--map` by the names of their columns.
    func mapping<Field: RawRepresentable<String> & CaseIterable>() throws -> [String: Field] {
        var mapping: [String: Field] = [:]
        for pair in map {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let field = Field(rawValue: String(parts[1])) else {
                let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--map must be COLUMN=field; fields: \(names)")
            }
            mapping[String(parts[0])] = field
        }
        return mapping
    }

    func run() throws {
        guard let format = format.format, let file = files.first else { return try runStatements() }
        try Session.write(options, isDryRun: dryRun) { session in
            var importOptions = ImportOptions(format: format)
            importOptions.isDryRun = dryRun
            importOptions.skipsBadRows = skipBad
            importOptions.mapping = try mapping()
            importOptions.currency = try currency.map { code in
                try FieldRules.currency(code)
            }
            let bytes = try Self.bytes(file)
            let bar = ProgressBar(session.text("importing"), session)
            let report = try session.store.portability.importFile(bytes, importOptions, at: session.moment) {
                done, count in
                bar.show(done, count)
                return true
            }
            session.print(report)
        }
    }

    /// - Parameter file: a path; `-` for standard input.
    static func bytes(_ file: String) throws -> [UInt8] {
        try file == "-" ? Invocation.current.input() : WholeFile.read(file)
    }
}

extension Session {
    fileprivate func print(_ report: ImportReport) {
        print(
            object: { json in
                json.field("dry_run", report.isDryRun)
                for (name, ids) in [("added", report.added), ("updated", report.updated)] {
                    json.strings(name, ids.map(\.lowercased))
                }
                json.object("others") { json in
                    for (section, count) in report.others.sorted(by: { $0.key < $1.key }) { json.field(section, count) }
                }
                json.array("repeated", report.repeated) { json, row in
                    json.field("row", row.row)
                    json.field("name", row.name)
                    json.field("subscription_id", row.id.lowercased)
                }
                json.strings("ignored", report.ignored)
                let refused = report.refused.flatMap { row in row.faults.map { (row: row.row, fault: $0) } }
                json.array("refused", refused) { json, refused in
                    json.field("row", refused.row)
                    json.field("field", refused.fault.pointer)
                    json.field("code", refused.fault.code.rawValue)
                    json.field("detail", refused.fault.detail)
                }
            },
            text: {
                let skipped = report.refused.count + report.repeated.count
                let counts: [Sentence] = [
                    "\(report.added.count) subscription added|\(report.added.count) subscriptions added",
                    "\(report.updated.count) updated|\(report.updated.count) updated",
                    "\(skipped) skipped|\(skipped) skipped",
                ]
                let head = (report.isDryRun ? text("dry run: ") : "") + list(counts)
                let others = report.others.sorted { $0.key < $1.key }.map {
                    "  " + text(MergeWording.added($0.key, $0.value))
                }
                let rows = report.refused.flatMap { $0.displayLines(language) }
                let notes = report.notes(language).map { "  " + TerminalText.line($0) }
                return ([head] + others + rows + notes).joined(separator: "\n")
            })
    }
}
