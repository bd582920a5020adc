import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take the last change back, or the last N.",
        discussion: """
            Reaches at most 500 changes back, 20 of them with files, of the last 90 days. What another change has \
            overtaken stays as it is and is listed. `redo` makes changes again until the next new change.
            """)

    @Argument(help: "How many changes to take back.") var count = 1
    @Flag(help: "List the changes that can be taken back, newest first.") var list = false
    @OptionGroup var options: GlobalOptions

    func run() throws {
        if list {
            return try Session.read(options) { try $0.print($0.store.journal.entries(at: $0.moment)) }
        }
        try Session.write(options) { session in
            session.print(try session.store.journal.undo(count, at: session.moment)) { session.text("undone: \($0)") }
        }
    }
}

struct RedoCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Make the change again that was undone last, or the last N.")

    @Argument(help: "How many changes to make again.") var count = 1
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        session.print(try session.store.journal.redo(count, at: session.moment)) { session.text("redone: \($0)") }
    }
}

extension Session {
    fileprivate func print(_ entries: [JournalEntry]) {
        // Counted as `undo N` counts: what was taken back already has no number.
        let standing = entries.filter { !$0.isUndone }
        print(
            entries,
            json: { entry, json in
                json.fields(entry, language)
                json.field("kind", entry.kind.rawValue)
                json.field("is_undone", entry.isUndone)
            }, empty: "nothing to undo",
            [
                .number("", { _ in .grey }) { standing.firstIndex(of: $0).map { "\($0 + 1)" } ?? "" },
                .text("date") { time($0.at) }, .text("change") { $0.displayText(language) },
                .text("state") { $0.isUndone ? text("undone") : "" },
            ])
    }

    fileprivate func print(_ report: JournalReport, _ line: (String) -> String) {
        if !report.left.isEmpty {
            let left = report.left.map { $0.displayText(language) }.joined(separator: ", ")
            warn("changed since, and left as it is: \(left)")
        }
        print(
            object: { json in
                json.array("undone", report.entries) { json, entry in
                    json.fields(entry, language)
                }
                json.array("left", report.left) { json, rest in
                    json.field("table", rest.table)
                    json.field("name", rest.name)
                    json.field("field", rest.field)
                }
            },
            text: { report.entries.map { line($0.displayText(language)) }.joined(separator: "\n") })
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ entry: JournalEntry, _ language: DisplayLanguage) {
        key("id")
        integer(entry.id)
        field("at", entry.at.rfc3339)
        field("what", language.spaced(entry.displayText(language)))
    }
}
