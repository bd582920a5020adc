import ArgumentParser
import SubGuardDomain

/// A first argument that is no command. The parser would call it an unexpected argument.
enum UnknownCommand {
    /// What other programs call commands of this one.
    private static let others = [
        "rm": "delete", "remove": "delete", "del": "delete", "new": "add", "create": "add", "ls": "list",
        "confirm": "ack", "confirmer": "ack", "acquitter": "ack", "acknowledge": "ack", "done": "ack", "pay": "paid",
        "unpause": "resume", "continue": "resume",
        "uncancel": "resume", "stop": "cancel", "change": "edit", "update": "edit", "set": "edit", "info": "show",
        "view": "show", "find": "search", "next": "upcoming", "due": "pending", "overdue": "missed", "stats": "total",
        "sum": "total", "cost": "total", "costs": "total", "friends": "people", "persons": "people", "owe": "balance",
        "debts": "balance", "split": "share", "load": "import", "dump": "export", "save": "backup",
        "config": "settings",
        "login": "account", "app": "open", "web": "open", "gui": "open", "ui": "open", "revert": "undo",
        "duplicates": "overlaps", "calendar": "export", "income": "transactions",
    ]

    /// Throws a usage error that names the command closest to `argument`, if one differs by at most two letters or is
    /// called so elsewhere.
    static func refuse(_ argument: String?, names: Set<String>) throws {
        // The parser adds `help`.
        let names = names.union(["help"])
        guard let argument, !argument.isEmpty, !argument.hasPrefix("-"), !names.contains(argument) else { return }
        guard let nearest = nearest(to: argument, among: names.sorted()) else {
            throw ValidationError("Unknown command '\(argument)'")
        }
        throw ValidationError("Unknown command '\(argument)'. Did you mean '\(nearest)'?")
    }

    /// The same for a command of a group: a word behind the group that is none of its commands.
    static func refuse(inner arguments: [String]) throws {
        guard arguments.count > 1, let name = arguments.first, let group = SubGuard.command(named: name) else { return }
        let names = group.configuration.subcommands.map { $0._commandName }
        guard !names.isEmpty, !arguments[1].hasPrefix("-"), !names.contains(arguments[1]) else { return }
        // What stands behind a flag may be its value.
        guard let nearest = nearest(to: arguments[1], among: names.sorted()) else { return }
        let (given, meant) = ("\(name) \(arguments[1])", "\(name) \(nearest)")
        throw ValidationError("Unknown command '\(given)'. Did you mean '\(meant)'?")
    }

    private static func nearest(to word: String, among names: [String]) -> String? {
        if let other = others[word.lowercased()], names.contains(other) { return other }
        let bound = min(2, word.count - 1)
        let ranked = names.map { (name: $0, distance: EditDistance.between(Array(word), Array($0))) }
        return ranked.filter { $0.distance <= bound }.min { $0.distance < $1.distance }?.name
    }
}

/// A message of the parser about wrong usage: the fields that it names, and every required one that is missing.
struct UsageError {
    /// The message with all missing arguments.
    let message: String
    /// What is wrong with which argument; the field is the name of the flag without hyphens before it.
    let faults: [(field: String, code: FaultCode)]

    /// - Parameters:
    ///   - message: with the usage of the command.
    ///   - arguments: what was given.
    init(_ message: String, arguments: [String]) {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let line = lines.first { $0.hasPrefix("Error: ") } ?? ""
        if let match = line.firstMatch(of: /^Error: Missing expected argument(?:s:)? (.+)$/) {
            let named = String(match.1).split(separator: ", ").map { String($0.filter { $0 != "'" }) }
            let usage = lines.first { $0.hasPrefix("Usage: ") } ?? ""
            let missing = named + Self.required(usage, except: arguments).filter { !named.contains($0) }
            let all =
                missing.count > 1
                ? "Error: Missing expected arguments: \(missing.joined(separator: ", "))" : line
            self.message = message.replacing(line, with: all, maxReplacements: 1)
            faults = missing.map { (Self.field($0), .required) }
            return
        }
        self.message = message
        if let match = line.firstMatch(of: #/^Error: missing: (.+?)\. /#) {
            faults = match.1.split(separator: ", ").map { (Self.entryField(String($0)), .required) }
        } else if let match = line.firstMatch(of: /Missing value for '(.+?)'/) {
            faults = [(Self.field(String(match.1)), .required)]
        } else if let match = line.firstMatch(of: /The value '.*' is invalid for '(.+?)'/) {
            faults = [(Self.field(String(match.1)), .invalidFormat)]
        } else if let match = line.firstMatch(of: /Unknown option '(.+?)'/) {
            faults = [(Self.field(String(match.1)), .unknownField)]
        } else if line.contains("Unknown command '") {
            faults = [("command", .unknownValue)]
        } else if let match = line.firstMatch(of: /^Error: (--[a-z-]+)/) {
            faults = [(Self.field(String(match.1)), .invalidFormat)]
        } else {
            faults = []
        }
    }

    /// `paid_by` for `--paid-by <paid-by>`, `id` for `<id>`.
    private static func field(_ argument: String) -> String {
        let name = argument.split(separator: " ").first.map(String.init) ?? argument
        return String(name.filter { $0 != "<" && $0 != ">" }.drop { $0 == "-" }).replacing("-", with: "_")
    }

    /// The options that a usage requires and that were not given.
    private static func required(_ usage: String, except arguments: [String]) -> [String] {
        var depth = 0
        let plain = usage.filter { character in
            if character == "[" { depth += 1 }
            defer { if character == "]" { depth -= 1 } }
            return depth == 0
        }
        return plain.matches(of: /(--[a-z-]+) <[^>]+>/).filter { match in
            !arguments.contains { $0 == match.1 || $0.hasPrefix(match.1 + "=") }
        }.map { String($0.0) }
    }

    /// The field of a word in the message of a line that lacks something, in either language.
    private static func entryField(_ word: String) -> String {
        let words: [(Sentence, String)] = [
            ("name", "name"), ("amount", "amount"), ("currency", "currency"), ("cycle", "cycle"),
            ("next charge", "next"),
        ]
        return words.first { phrase, _ in DisplayLanguage.allCases.contains { phrase.text($0) == word } }?.1 ?? word
    }
}
