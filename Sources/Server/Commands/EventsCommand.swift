import ArgumentParser
import BackendHTTP
import EventLog
import Foundation
import SubGuardDomain
import Telemetry

struct EventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Export the raw events.", subcommands: [Export.self])

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the raw events in the order of arrival, one a line.",
            discussion: """
                A user is a number in place of the hash: the same for the same user, and it leads nowhere. The audit \
                log records each export. The server may run.

                With an event sink, events that the database no longer has are read from ClickHouse first.

                After an interruption, --resume goes on with the FILE of --output: give the same options again. \
                No event is repeated or left out. For output elsewhere, give the first two values of the last complete \
                line (block and id) as --after.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Option(
            help: ArgumentHelp(
                "Only events that occurred at this moment or later.",
                discussion: "RFC 3339, or YYYY-MM-DD for the start of a day in UTC.", valueName: "moment"))
        var from: String?

        @Option(
            help: ArgumentHelp(
                "Only events that occurred before this moment.",
                discussion: "One day is --from 2026-11-20 --to 2026-11-21.", valueName: "moment"))
        var to: String?

        @Option(help: "Format: ndjson or csv.")
        var format = "ndjson"

        @Option(help: ArgumentHelp("Write a new file, readable by its owner only.", valueName: "file"))
        var output: String?

        @Flag(help: "Go on with the file of --output.")
        var resume = false

        @Option(help: ArgumentHelp("Only events that arrived after this one.", valueName: "block,id"))
        var after: String?

        @Flag(help: "Only events that the database still has.")
        var logOnly = false

        func validate() throws {
            _ = try selection()
            guard !resume || output != nil else { throw ValidationError("--resume needs --output FILE.") }
            guard !resume || after == nil else {
                throw ValidationError("--resume and --after exclude each other: the file says where to go on.")
            }
        }

        func run() throws {
            var selection = try selection()
            let settings = try options.settings(for: .existingStore)
            let store = try OpenStore(settings: settings, migrations: .require)
            defer { store.close() }
            let archive = logOnly ? nil : try EventSinkArchive(settings, context: store.context)
            // After the rights of the database's owner were taken, so that root creates no file in their name.
            let file = try output.map { path in
                resume
                    ? try EventExportFile.resumed(path, selection.format)
                    : try EventExportFile.created(path)
            }
            if let file {
                selection.after = file.last ?? selection.after
                selection.hasHeader = file.isEmpty
            }
            var export = try EventExport.begin(
                selection, archive: archive, by: .currentUser, context: store.context)
            try write(&export, to: file)
            try file?.finish()
            let count = "exported \(export.eventCount) event\(export.eventCount == 1 ? "" : "s")"
            printError(export.last.map { "\(count); what arrives later: --after \($0.text)" } ?? count)
        }

        private func write(_ export: inout EventExport, to file: EventExportFile?) throws {
            let file = file ?? .standardOutput
            let progress = UpdatedLine()
            // Lines of progress would stand between the events.
            let isShown = output != nil || isatty(STDOUT_FILENO) == 0
            while let piece = try export.nextPiece() {
                try file.append(piece)
                guard isShown, progress.isDue else { continue }
                progress.show("\(export.eventCount) events, \(Int(export.progress * 100)) % of the log")
            }
            progress.end()
        }
    }
}

extension EventsCommand.Export {
    /// Throws a `ValidationError` that names the option.
    private func selection() throws -> EventExportSelection {
        guard let format = EventExportFormat(rawValue: format) else {
            throw ValidationError("--format must be ndjson or csv.")
        }
        let (from, before) = (try instant(from, "--from"), try instant(to, "--to"))
        if let from, let before, from >= before {
            throw ValidationError(
                "--to must be later than --from. A day stands for its start, so one day is --from 2026-11-20 --to "
                    + "2026-11-21.")
        }
        let position = try after.map { text in
            guard let position = EventPosition(text: text) else {
                throw ValidationError(
                    "--after must be block and id of a line, such as 4821,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b.")
            }
            return position
        }
        return EventExportSelection(format: format, from: from, before: before, after: position)
    }

    private func instant(_ text: String?, _ option: String) throws -> UTCInstant? {
        guard let text else { return nil }
        guard let instant = UTCInstant(rfc3339OrDay: text) else {
            throw ValidationError("\(option) must be an RFC 3339 instant or a day YYYY-MM-DD.")
        }
        return instant
    }
}
