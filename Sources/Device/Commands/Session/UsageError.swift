import ArgumentParser
import DeviceWords
import SubGuardDomain

extension ParsableArguments {
    /// Refuses arguments that break a rule, with the rule.
    func require(_ holds: Bool, _ rule: String) throws {
        guard holds else { throw ValidationError(rule) }
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
            let known = Set(named.map(Self.field))
            let missing = named + Self.required(usage, except: arguments).filter { !known.contains(Self.field($0)) }
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

    /// What the message says is wrong, in one line; nil when it says nothing of the kind. Many allowed values have a
    /// line each in the message.
    var detail: String? {
        let lines = message.split(separator: "\n")
        guard let place = lines.firstIndex(where: { $0.hasPrefix("Error: ") }) else { return nil }
        let values = lines[(place + 1)...].prefix { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
        let said = lines[place].dropFirst(7)
        return values.isEmpty ? String(said) : said + " " + values.joined(separator: ", ") + "."
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
