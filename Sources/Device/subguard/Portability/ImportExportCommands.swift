public import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
public import SubGuardEngine

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the store to standard output.",
        discussion: "JSON is free; the other formats need premium. iCalendar reaches 24 months ahead.")

    @Option(help: "The format.") var format: ExportFormat
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let text = try session.store.portability.export(format, language: session.language, at: session.moment)
            guard session.isJSON, format != .json else {
                StandardStream.output(text)
                return
            }
            session.print(
                object: { json in
                    json.field("format", format.rawValue)
                    json.field("content", text)
                }, text: { text })
        }
    }
}

extension ImportFormat: ExpressibleByArgument {}

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Reads subscriptions from a file, all of them or none.",
        discussion: """
            CSV may have commas, semicolons or tabs, decimal commas and headers in English or French. wallos is the JSON \
            export of Wallos, subtrackr the CSV export of SubTrackr. json brings people, groups, expenses, transactions, \
            budgets and shares too.
            """)

    @Option(help: "The format.") var format: ImportFormat
    @Argument(help: "The file; - for standard input.") var file: String
    @Flag(help: "Check everything and keep nothing.") var dryRun = false
    @Flag(help: "Take the good rows of a file that has bad ones too.") var skipBad = false
    @Option(help: "COLUMN=field, for a CSV column whose name is not understood. May be repeated.") var map: [String] =
        []
    @Option(help: "The currency of rows that name none.") var currency: String?
    @OptionGroup var options: GlobalOptions

    func validate() throws { _ = try mapping() }

    private func mapping() throws -> [String: SubscriptionField] {
        var mapping: [String: SubscriptionField] = [:]
        for pair in map {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let field = SubscriptionField(rawValue: String(parts[1])) else {
                let names = SubscriptionField.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--map must be COLUMN=field, with one of these fields: \(names)")
            }
            mapping[String(parts[0])] = field
        }
        return mapping
    }

    func run() throws {
        try Session.write(options, isDryRun: dryRun) { session in
            var importOptions = ImportOptions(format: format)
            importOptions.isDryRun = dryRun
            importOptions.skipsBadRows = skipBad
            importOptions.mapping = try mapping()
            importOptions.currency = try currency.map { code in
                try session.checked { () throws(Fault) in try FieldRules.currency(code) }
            }
            let bytes = try file == "-" ? Array(FileHandle.standardInput.readToEnd() ?? Data()) : WholeFile.read(file)
            let bar = ProgressBar(session.text("importing", "import"), session)
            let report = try session.store.portability.importFile(bytes, importOptions, at: session.moment) {
                done, count in
                bar.show(done, count)
                return true
            }
            session.print(report)
        }
    }
}

extension Session {
    fileprivate func print(_ report: ImportReport) {
        print(
            object: { json in
                json.field("dry_run", report.isDryRun)
                for (name, ids) in [("added", report.added), ("updated", report.updated)] {
                    json.key(name)
                    json.beginArray()
                    for id in ids { json.string(id.lowercased) }
                    json.endArray()
                }
                json.key("others")
                json.beginObject()
                for (section, count) in report.others.sorted(by: { $0.key < $1.key }) { json.field(section, count) }
                json.endObject()
                json.key("refused")
                json.beginArray()
                for row in report.refused {
                    json.beginObject()
                    json.field("row", row.row)
                    json.field("field", row.fault.pointer)
                    json.field("code", row.fault.code.rawValue)
                    json.field("detail", row.fault.detail)
                    json.endObject()
                }
                json.endArray()
            },
            text: {
                let head = report.isDryRun ? text("would be ", "seraient ") : ""
                let counts = text(
                    "\(head)added: \(report.added.count), updated: \(report.updated.count), left out: \(report.refused.count)",
                    "\(head)ajoutés : \(report.added.count), mis à jour : \(report.updated.count), écartés : \(report.refused.count)"
                )
                let rows = report.refused.map {
                    "  \(text("row", "ligne")) \($0.row): \($0.fault.pointer): \($0.fault.detail)"
                }
                let others = report.others.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
                return ([counts] + others + rows).joined(separator: "\n")
            })
    }
}
