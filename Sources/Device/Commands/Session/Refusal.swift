import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// Prints an error to standard error and returns the exit status: 1 for a refused command, 64 for a usage error.
enum Refusal {
    /// - Parameter fault: the option that it is about, if the error does not say so itself.
    static func report(_ error: DeviceStoreError, of fault: Fault? = nil, arguments: [String]) -> Int32 {
        report(
            error.displayText(language(arguments)), code: code(error),
            fields: fault.map { [(nil, $0)] } ?? fields(error), hint: hint(error), arguments)
    }

    /// What to do next; nil where the error says it.
    private static func hint(_ error: DeviceStoreError) -> Sentence? {
        if case .unsealedBackup = error { return "Without --passphrase-file it is read as it is." }
        if case .inFile(_, let error) = error { return hint(error) }
        if case .passphraseRequired = error { return "Set SUBGUARD_PASSPHRASE or use --passphrase-file." }
        guard case .notFound(let entity, _) = error else { return nil }
        let command: String? =
            switch entity {
            case .subscription: "list"
            case .occurrence: "upcoming"
            case .person: "people list"
            case .group: "groups list"
            case .expense: "expenses list"
            case .transaction: "transactions list"
            case .receipt: "receipts list"
            case .budget: "budget list"
            default: nil
            }
        return command.map { "To see what there is: subguard \($0)" }
    }

    static func report(_ error: ClientError, arguments: [String]) -> Int32 {
        report(error.displayText(language(arguments)), code: error.code, arguments)
    }

    static func report(_ error: ReminderDeliveryError, arguments: [String]) -> Int32 {
        report(language(arguments).text(of: error), code: error.code, arguments)
    }

    /// - Parameter text: in the language of the call.
    private static func report(
        _ text: String, code: String, fields: [(row: Int?, fault: Fault)] = [], hint: Sentence? = nil,
        _ arguments: [String]
    ) -> Int32 {
        let language = language(arguments)
        StandardStream.error(Sentence("error: \(text)").text(language) + "\n")
        if let hint { StandardStream.error("  " + hint.text(language) + "\n") }
        if arguments.contains("--json") {
            put(code: code, detail: text) { json in
                guard !fields.isEmpty else { return }
                json.array("fields", fields) { json, field in
                    if let row = field.row { json.field("row", row) }
                    json.field("field", field.fault.pointer)
                    json.field("code", field.fault.code.rawValue)
                    json.field("detail", language.sentence(field.fault.detail))
                }
            }
        }
        return 1
    }

    /// For a usage error: prints the parser's message and returns its status.
    static func report(usage error: any Error, arguments: [String]) -> Int32 {
        let status = SubGuard.exitCode(for: error)
        // Help and version are no errors.
        if status.isSuccess {
            let text = SubGuard.fullMessage(for: error)
            if arguments.contains("--json") {
                put { $0.field(arguments.contains("--version") ? "version" : "help", text) }
            } else {
                StandardStream.output(text + "\n")
            }
            return 0
        }
        // A command that has said everything.
        if let status = error as? ExitCode { return status.rawValue }
        let language = language(arguments)
        // The help of the argument is English, like all of `--help`, which the last line names.
        let usage = UsageError(message(for: error), arguments: arguments)
        let lines = usage.message.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { language == .english || !$0.hasPrefix("Help:") }
        StandardStream.error(lines.map { translated($0, language) }.joined(separator: "\n") + "\n")
        if arguments.contains("--json") {
            let said = usage.detail
            put(code: "usage", detail: said ?? SubGuard.message(for: error)) { json in
                let detail = said ?? ""
                // Several are those that are missing; the message names all of them.
                write(
                    usage.faults.map { ($0.field, $0.code, usage.faults.count > 1 ? "Is required." : detail) },
                    to: &json)
            }
        }
        return status.rawValue
    }

    /// The member `fields`; left out without any.
    private static func write(_ fields: [(name: String, code: FaultCode, detail: String)], to json: inout JSONWriter) {
        guard !fields.isEmpty else { return }
        json.array("fields", fields) { json, field in
            json.field("field", field.name)
            json.field("code", field.code.rawValue)
            json.field("detail", field.detail)
        }
    }

    /// A line is translated behind its indentation.
    private static func translated(_ line: Substring, _ language: DisplayLanguage) -> String {
        let text = language.sentence(String(line))
        guard text == line, let start = line.firstIndex(where: { $0 != " " }), start > line.startIndex else {
            return text
        }
        return line[..<start] + language.sentence(String(line[start...]))
    }

    /// The parser's message. A command that refuses its arguments itself is named in place of the program, and a value
    /// that cannot be read is followed by what can.
    private static func message(for error: any Error) -> String {
        var message = SubGuard.fullMessage(for: error)
        if let name = Invocation.current.commandName, let command = SubGuard.command(named: name) {
            message = message.replacing(
                "Usage: \(SubGuard.usageString())", with: "Usage: \(SubGuard.usageString(for: command))"
            )
            .replacing("See 'subguard --help'", with: "See 'subguard \(name) --help'")
        }
        guard let match = message.firstMatch(of: /is invalid for '(?:--)?<?([a-z-]+)/),
            let form = form(of: String(match.1)),
            let end = message[match.range.upperBound...].firstIndex(of: "\n")
        else { return message }
        message.insert(contentsOf: "\n  \(form)", at: end)
        return message
    }

    /// What a value looks like; nil for arguments whose values the parser lists.
    private static func form(of argument: String) -> String? {
        switch argument {
        case "from", "to", "on", "next", "since", "until", "remove", "started", "trial-ends", "ends", "contract-ends":
            "A date looks like 2027-01-15, 15 January or tomorrow."
        case "month": "A month looks like 2027-01."
        case "year": "A year looks like 2027."
        case "days", "renewing", "months", "limit", "notice-days", "minimum-months", "extension-months":
            "A whole number is expected."
        default: nil
        }
    }

    /// With `--json`, standard output holds the error as a JSON document.
    private static func put(code: String, detail: String, _ more: (inout JSONWriter) -> Void = { _ in }) {
        put { json in
            json.object("error") { json in
                json.field("code", code)
                json.field("detail", detail)
                more(&json)
            }
        }
    }

    private static func put(_ members: (inout JSONWriter) -> Void) {
        StandardStream.json(JSONWriter.text(members))
    }

    /// The fields that must be corrected, and the row of an import.
    private static func fields(_ error: DeviceStoreError) -> [(row: Int?, fault: Fault)] {
        switch error {
        case .invalid(let fault): fault.pointer.isEmpty ? [] : [(nil, fault)]
        case .invalidFields(let faults): faults.map { (nil, $0) }
        case .refusedRows(let rows, _): rows.flatMap { row in row.faults.map { (row.row, $0) } }
        case .inFile(_, let error): self.fields(error)
        default: []
        }
    }

    /// A stable code for scripts.
    private static func code(_ error: DeviceStoreError) -> String {
        switch error {
        case .notFound: "not_found"
        case .ambiguous: "ambiguous"
        case .invalid(let fault): fault.code.rawValue
        case .invalidFields: "invalid_fields"
        case .premiumRequired: "premium_required"
        case .duplicate: "duplicate"
        case .refusedRows: "refused_rows"
        case .inFile(_, let error): code(error)
        case .damagedBackup: "damaged_backup"
        case .wrongPassphrase: "wrong_passphrase"
        case .passphraseRequired: "passphrase_required"
        case .unsealedBackup: "unsealed_backup"
        case .tooNew: "too_new"
        case .earlierBuild: "earlier_build"
        case .emptiedDatabase: "emptied_database"
        case .nothingToUndo: "nothing_to_undo"
        case .nothingToRedo: "nothing_to_redo"
        case .cancelled: "cancelled"
        case .storage, .foreignDatabase, .damagedDatabase: "storage"
        case .file: "file"
        }
    }

    /// Read from the arguments directly, since parsing may have failed.
    private static func language(_ arguments: [String]) -> DisplayLanguage {
        for (index, argument) in arguments.enumerated() {
            if argument == "--lang", index + 1 < arguments.count,
                let language = DisplayLanguage(rawValue: arguments[index + 1])
            {
                return language
            }
            if argument.hasPrefix("--lang="), let language = DisplayLanguage(rawValue: String(argument.dropFirst(7))) {
                return language
            }
        }
        return Invocation.current.chosenLanguage.language ?? Session.language(Invocation.current.environment)
    }
}
